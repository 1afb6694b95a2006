"""The lists: public games, the most recently moved first, page by page; and live, as the lobby of the socket."""

import pytest
from clients import BACK, COLUMNS, THERE, WIN, Device

from simplesimon.lobby import PAGE_LIMIT, SILENT_MS

ROW = "g v code suits by score moves off won watching at columns".split()


async def test_the_list_begins_with_what_moved_last(player, stranger):
    first, second = [(await player.new_game())["g"] for _ in range(2)]
    lobby = await stranger.socket()
    await lobby.ask("lobby", on=True)
    await (await player.watching(first)).play(first, 1, THERE)
    await lobby.until("game", g=first, v=2)
    [row, older] = (await stranger.get("/api/games", limit=2))["games"]
    assert (row["g"], older["g"]) == (first, second)
    assert list(row) == ROW
    assert (row["v"], row["score"], row["moves"], row["off"], row["won"], row["suits"]) == (2, 499, 1, [], False, 4)
    assert (row["by"], row["code"], row["watching"]) == ((await player.me())["player"], None, 0)
    assert row["columns"][0] == COLUMNS[0] + " 5H"
    assert row["at"] >= older["at"]


async def test_page_after_page_every_game_comes_once(player, stranger):
    games = [(await player.new_game())["g"] for _ in range(5)]
    whole = [row["g"] for row in (await stranger.get("/api/games", limit=5))["games"]]
    assert sorted(whole) == sorted(games)
    for mark in ("g", "at"):
        seen: list[str] = []
        before: dict[str, str] = {}
        while len(seen) < 5:
            [row] = (await stranger.get("/api/games", limit=1, **before))["games"]
            seen.append(row["g"])
            before = {"before": row[mark]}
        assert seen == whole


async def test_a_page_has_fifty_rows_and_at_most_a_hundred(player, stranger):
    for _ in range(101):
        await player.new_game(code="SS1-S1-AAAAABD")
    assert len((await stranger.get("/api/games"))["games"]) == 50
    assert len((await stranger.get("/api/games", limit=1000))["games"]) == 100
    assert (await stranger.get("/api/games", limit=0))["games"] == []


@pytest.mark.parametrize("query", ["limit=-1", "limit=x", "limit=²", "limit=", "limit=99999999999999999999"])
async def test_a_limit_that_is_no_number_is_a_bad_message(stranger, query):
    answer = await stranger.http.get(f"/api/games?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")


@pytest.mark.parametrize("before", ["²", "٣", "nothing-of-ours", "AAAAAAAAAAAA"])
async def test_after_a_mark_that_is_in_no_list_comes_nothing(player, stranger, before):
    await player.new_game()
    assert (await stranger.get("/api/games", before=before))["games"] == []


@pytest.mark.parametrize("before", ["", "9" * 400])
async def test_before_no_time_or_one_far_ahead_is_the_newest(player, stranger, before):
    await player.new_game()
    assert len((await stranger.get("/api/games", before=before, limit=1))["games"]) == 1
    assert (await stranger.get("/api/games", before=before, limit=0))["games"] == []


async def test_the_lobby_lists_all_then_tells_what_changes(player, stranger):
    g = (await player.new_game())["g"]
    lobby = await stranger.socket()
    listed = await lobby.ask("lobby", on=True)
    assert (listed["t"], list(listed)) == ("listed", ["t", "games"])
    row = next(row for row in listed["games"] if row["g"] == g)
    assert list(row) == ROW
    await (await player.watching(g)).play(g, 1, THERE)
    told = (await lobby.until("game", g=g, v=2))[-1]
    assert list(told) == ["t", *ROW]
    assert (told["score"], told["moves"], told["at"] >= row["at"]) == (499, 1, True)


async def test_a_new_game_comes_into_the_lobby_and_one_that_is_hidden_goes(player, stranger):
    lobby = await stranger.socket()
    await lobby.ask("lobby", on=True)
    g = (await player.new_game())["g"]
    assert (await lobby.until("game", g=g))[-1]["v"] == 1
    await player.patch(f"/api/games/{g}", visibility="unlisted")
    assert (await lobby.until("unlisted", g=g))[-1] == {"t": "unlisted", "g": g}
    assert g not in [row["g"] for row in (await stranger.get("/api/games"))["games"]]
    await player.patch(f"/api/games/{g}", visibility="public")
    await lobby.until("game", g=g)


async def test_private_and_unlisted_games_never_come_into_the_lobby(player, stranger):
    lobby = await stranger.socket()
    await lobby.ask("lobby", on=True)
    hidden = [(await player.new_game(columns=COLUMNS, visibility=seen))["g"] for seen in ("private", "unlisted")]
    for g in hidden:
        await (await player.watching(g)).play(g, 1, THERE, BACK)
    shown = (await player.new_game())["g"]
    heard = await lobby.until("game", g=shown)
    assert not {message.get("g") for message in heard} & set(hidden)
    listed = [row["g"] for row in (await lobby.ask("lobby", on=True))["games"]]
    assert not set(listed) & set(hidden)


async def test_a_game_that_was_not_in_the_list_does_not_go_from_it(player, stranger):
    lobby = await stranger.socket()
    await lobby.ask("lobby", on=True)
    hidden = (await player.new_game(columns=COLUMNS, visibility="unlisted"))["g"]
    for seen in ("unlisted", "private", "private"):
        await player.patch(f"/api/games/{hidden}", visibility=seen)
    shown = (await player.new_game())["g"]
    assert hidden not in [message.get("g") for message in await lobby.until("game", g=shown)]


async def test_who_has_left_the_lobby_hears_nothing_more_of_it(player, stranger):
    left, stayed = await stranger.socket(), await stranger.socket()
    for lobby in (left, stayed):
        await lobby.ask("lobby", on=True)
    await left.send("lobby", on=False)
    assert await left.ask("ping", n=1) == {"t": "pong", "n": 1}
    g = (await player.new_game())["g"]
    await stayed.until("game", g=g)
    assert await left.ask("ping", n=2) == {"t": "pong", "n": 2}


async def test_the_lobby_is_listed_again_for_who_asks_again(stranger):
    lobby = await stranger.socket()
    assert [(await lobby.ask("lobby", on=True))["t"] for _ in range(2)] == ["listed", "listed"]


async def test_a_new_spectator_is_told_in_the_lobby(player, stranger):
    g = (await player.new_game())["g"]
    lobby = await player.socket()
    await lobby.ask("lobby", on=True)
    await stranger.watching(g)
    await lobby.until("game", g=g, watching=1)


async def test_the_lobby_of_one_server_tells_of_games_on_another(player, limited, stranger):
    async with Device(limited.url) as there:
        lobby = await there.socket()
        await lobby.ask("lobby", on=True)
        g = (await player.new_game())["g"]
        await lobby.until("game", g=g)


async def test_who_follows_one_player_hears_of_their_public_games_alone(player, limited, stranger):
    async with Device(limited.url) as other, Device(limited.url) as there:
        by = (await player.me())["player"]["id"]
        await other.new_game()
        first = (await player.new_game())["g"]
        spectator = await there.socket()
        [row] = (await spectator.ask("lobby", on=True, by=by))["games"]
        assert (row["g"], row["by"]["id"]) == (first, by)
        hidden = [(await player.new_game(columns=COLUMNS, visibility=seen))["g"] for seen in ("private", "unlisted")]
        for g in hidden:
            await (await player.watching(g)).play(g, 1, THERE)
        elsewhere = (await other.new_game())["g"]
        second = (await player.new_game())["g"]
        heard = await spectator.until("game", g=second)
        assert {message["g"] for message in heard} <= {first, second}
        await (await player.watching(second)).play(second, 1, THERE)
        assert (await spectator.until("game", g=second, v=2))[-1]["by"]["id"] == by
        everybody = [row["g"] for row in (await spectator.ask("lobby", on=True))["games"]]
        assert {first, second, elsewhere} <= set(everybody)


async def test_one_player_s_games_are_listed_however_many_others_moved_since(server, player, stranger):
    by = (await player.me())["player"]["id"]
    older, newer = [(await player.new_game())["g"] for _ in range(2)]
    await player.new_game(columns=COLUMNS, visibility="unlisted")
    await (await player.watching(older)).play(older, 1, THERE)
    async with Device(server.url) as others:
        for _ in range(PAGE_LIMIT):
            await others.new_game(code="SS1-S1-AAAAABD")
    listed = (await (await stranger.socket()).ask("lobby", on=True, by=by))["games"]
    assert [row["g"] for row in listed] == [older, newer]


async def test_who_wants_no_moves_hears_what_comes_is_won_or_goes(player, stranger):
    quiet, lobby = await stranger.socket(), await stranger.socket()
    await quiet.ask("lobby", on=True, moves=False)
    await lobby.ask("lobby", on=True)
    g = (await player.new_game())["g"]
    playing = await player.watching(g)
    assert (await quiet.until("game", g=g))[-1]["v"] == 1
    for v, move in enumerate([THERE, BACK], 1):
        await playing.play(g, v, move)
        await lobby.until("game", g=g, v=v + 1)
    await playing.play(g, 3, *WIN)
    assert (await quiet.until("game", g=g))[-1]["won"]
    await player.patch(f"/api/games/{g}", visibility="private")
    await quiet.until("unlisted", g=g)
    await player.patch(f"/api/games/{g}", visibility="public")
    await quiet.until("game", g=g)


async def test_a_game_that_was_silent_for_a_minute_comes_back_into_play(player, stranger, client):
    quiet = await stranger.socket()
    await quiet.ask("lobby", on=True, moves=False)
    g = (await player.new_game())["g"]
    await quiet.until("game", g=g, v=1)
    await client.zincrby("games:public", -SILENT_MS, g)  # as if it had been dealt a minute before
    await (await player.watching(g)).play(g, 1, THERE)
    await quiet.until("game", g=g, v=2)


async def test_moves_made_together_are_one_change(player, stranger):
    g = (await player.new_game())["g"]
    lobby = await stranger.socket()
    await lobby.ask("lobby", on=True)
    playing = await player.watching(g)
    await playing.play(g, 1, *[THERE, BACK] * 100)
    heard = [message for message in await lobby.until("game", g=g, v=201) if message.get("g") == g]
    assert len(heard) < 100
