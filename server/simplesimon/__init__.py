"""Simple Simon live: play the solitaire Simple Simon, watch games as they happen, resume them on another device.

Pure, without I/O or clock: `errors`, `rules` (cards, deals, positions), `game` (decide and evolve), `history` (times,
the chain, the stored form), `snapshots`; `messages` and `bodies` (what is said), `diffs` (what an event looks like),
`listing` (a change of the list), `gamefile` and `written` (a game to take along), `wire` (frames), `names`, `wording`,
`preview` and `picture` (what a link unfolds to). The store: `store` (the connection), `trips`, `sentinels`, `clock`,
`embedded` (our own Valkey), `eventlog` with `entries`, `appends`, `replicas` and its scripts (the log), `players`
(names, sessions, device links, settings), `lobby` (the lists), `deals` and `results` (the games of each deal), `feed`,
`telling` and `watching` (what workers tell each other). Live: `hotgames`, `commands` and `service` (load, decide,
append), `copies` (play on from here), `hub` (who follows what), `following`, `followings` and `session` (one socket),
`limits`, `tasks`, `backend` (all of it, wired). The edge: `web`, `pages`, `joining` and `edition` (the page's files),
`pictures` and `painter`, `api`, `calls`, `doors`, `reference` (HTTP), `transport` and `slow` (sockets), `docs` (the
published contract), `metrics`, `drain`, `config`, `listening`, `__main__`.
"""

__version__ = "0.1.0"
