"""Simple Simon live: play the solitaire Simple Simon, watch games as they happen, resume them on another device.

Pure, without I/O or clock: `errors`, `rules` (cards, deals, positions), `game` (decide and evolve), `history`
(times, the chain, the stored form), `snapshots`, `messages` (the wire), `diffs` (what an event looks like on the wire).
The store: `eventlog` and `append.lua` (the log in Redis), `games` (whose game, who may see it, the lists),
`players` (names, sessions, device links, settings), `store` (the connection).
Live: `service` (load, decide, append), `hub` (who follows what), `session` (one socket).
The edge: `web`, `api` (HTTP), `docs` (the published contract), `embedded` (our own Valkey), `drain`, `__main__`.
"""

__version__ = "0.1.0"
