"""A whole conversation whose socket fills and empties as a test wants it: no gap, one state for what was missed."""

import asyncio
import json
from typing import Any

import pytest
from clients import GUARD_S
from logs import FACTS, new_id, write
from stories import SORTED, command_for, moved

from simplesimon.backend import Backend
from simplesimon.config import Config
from simplesimon.eventlog import EventLog
from simplesimon.listing import change
from simplesimon.messages import Unlisted
from simplesimon.session import Conversation
from simplesimon.wire import payloads

THERE, BACK = [command_for(event) for event in moved("9 1 0, 0 1 9")]


class Reader:
    """The other side of a conversation, without a network."""

    def __init__(self, backend):
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.conversation = Conversation(backend, None, self)
        self.conversation.start(None)

    def write(self, frames):
        for payload in payloads(frames):
            self._heard.put_nowait(json.loads(payload))

    def close(self, code, reason):
        self.conversation.end()

    def ask(self, t, **fields):
        self.conversation.hear(json.dumps({"t": t, **fields}))

    async def next(self):
        async with asyncio.timeout(GUARD_S):
            while (message := await self._heard.get())["t"] == "watching":
                pass
        return message

    async def follow(self, game):
        self.ask("watch", g=game)
        assert [(await self.next())["t"] for _ in range(3)] == ["hello", "state", "synced"]


@pytest.fixture
async def backend(store_url):
    async with Backend(Config(redis_url=store_url, has_limits=False)).running() as backend:
        yield backend


@pytest.fixture
async def game(backend, client):
    await write(EventLog(client), g := new_id(), [SORTED])
    return g


@pytest.fixture
async def reader(backend, game):
    reader = Reader(backend)
    await reader.follow(game)
    yield reader
    reader.conversation.end()


async def play(backend, game, first, count):
    for v in range(first, first + count):
        await backend.service.command(FACTS["by"], game, v, THERE if v % 2 else BACK)


async def test_a_reader_who_keeps_up_gets_every_diff(backend, game, reader):
    await play(backend, game, 1, 100)
    assert [(await reader.next())["v"] for _ in range(100)] == list(range(2, 102))


async def test_who_asks_since_the_newest_version_has_the_history_that_the_log_has(backend, client, reader):
    history = await write(EventLog(client), g := new_id(), [SORTED])
    reader.ask("watch", g=g, since=1)
    assert (await reader.next())["t"] == "synced"
    assert backend.hub.positions[g] == (1, history.c), "or it would seem set back with the next check"


async def test_what_a_full_socket_missed_becomes_one_fresh_state_and_then_it_goes_on(backend, game, reader):
    await play(backend, game, 1, 3)
    assert [(await reader.next())["v"] for _ in range(3)] == [2, 3, 4]
    reader.conversation.pause()
    await play(backend, game, 4, 100)
    reader.conversation.resume()
    state = await reader.next()
    assert (state["t"], state["v"]) == ("state", 104)
    assert "set_back" not in state
    await play(backend, game, 104, 2)
    assert [(await reader.next())["v"] for _ in range(2)] == [105, 106]


async def test_a_full_socket_that_missed_nothing_goes_on_as_if_nothing_had_been(backend, game, reader):
    reader.conversation.pause()
    reader.conversation.resume()
    await play(backend, game, 1, 2)
    assert [(await reader.next())["v"] for _ in range(2)] == [2, 3]


async def test_who_has_everything_is_not_taken_for_set_back(backend, game):
    back = Reader(backend)
    back.ask("watch", g=game, since=1)
    assert [(await back.next())["t"] for _ in range(2)] == ["hello", "synced"]
    [head] = await backend.service.heads([game])
    backend.hub.check(game, head, backend.hub.positions[game])
    await play(backend, game, 1, 1)
    assert (await back.next())["t"] == "move"
    back.conversation.end()


async def test_a_full_socket_holds_up_nobody_else(backend, game, reader):
    other = Reader(backend)
    await other.follow(game)
    reader.conversation.pause()
    await play(backend, game, 1, 100)
    assert [(await other.next())["v"] for _ in range(100)] == list(range(2, 102))
    other.conversation.end()


async def test_answers_are_not_lost_when_a_socket_is_full(backend, game, reader):
    reader.conversation.pause()
    for n in range(100):
        reader.ask("ping", n=n)
    await play(backend, game, 1, 2)
    reader.conversation.resume()
    assert [(await reader.next())["n"] for _ in range(100)] == list(range(100))
    assert (await reader.next())["v"] == 3


async def test_whoever_goes_leaves_nothing_behind(backend, game, reader):
    reader.ask("lobby", on=True)
    assert (await reader.next())["t"] == "listed"
    assert list(backend.hub.positions) == [game]
    reader.conversation.end()
    assert (backend.hub.positions, backend.hub.lobby) == ({}, {})
    said = reader._heard.qsize()
    reader.ask("ping", n=1)
    await play(backend, game, 1, 1)
    assert reader._heard.qsize() == said


@pytest.mark.parametrize("asked", ["watch", "lobby", "fresh state"])
async def test_what_was_being_read_for_a_socket_that_is_gone_is_not_written(backend, game, reader, asked):
    if asked == "fresh state":
        reader.conversation.pause()
        await play(backend, game, 1, 3)
        reader.conversation.resume()
    else:
        reader.ask(asked, **{"watch": {"g": game}, "lobby": {"on": True}}[asked])
    said = reader._heard.qsize()
    reader.conversation.end()
    await backend.reading.wait(GUARD_S)
    assert reader._heard.qsize() == said
    assert backend.reading.failed == 0


async def test_a_lobby_that_missed_changes_is_listed_anew(reader, backend):
    reader.ask("lobby", on=True)
    assert (await reader.next())["t"] == "listed"
    reader.conversation.pause()
    for n in range(100):
        backend.hub.tell_lobby([change(Unlisted(str(n)), "nobody", is_news=True)])
    reader.conversation.resume()
    while (message := await reader.next())["t"] == "game":
        pass  # others play meanwhile
    assert message["t"] == "listed"
    backend.hub.tell_lobby([change(Unlisted("last"), "nobody", is_news=True)])
    while (message := await reader.next())["t"] == "game":
        pass
    assert message == {"t": "unlisted", "g": "last"}


@pytest.mark.parametrize("asked", [{"t": "watch", "g": "AAAAAAAAAAAA"}, {"t": "lobby", "on": True}])
async def test_a_fault_of_ours_is_an_answer_too(backend, reader, monkeypatch, caplog, asked):
    async def fail(*_):
        raise RuntimeError("as if")

    monkeypatch.setattr(backend.feed, "join", fail)
    monkeypatch.setattr(backend.lobby, "public", fail)
    reader.ask(**asked)
    assert (await reader.next())["code"] == "internal"
    assert "as if" in caplog.text


async def test_a_game_is_read_once_its_messages_come(backend, client, monkeypatch):
    history = await write(EventLog(client), g := new_id(), [SORTED])
    join = backend.feed.join

    async def join_then_play(game):
        await join(game)
        await write(EventLog(client), g, moved("9 1 0"), history)  # elsewhere, and told before anybody here listened

    monkeypatch.setattr(backend.feed, "join", join_then_play)
    reader = Reader(backend)
    reader.ask("watch", g=g)
    assert [(message := await reader.next())["t"] for _ in range(2)] == ["hello", "state"]
    assert message["v"] == 2
    reader.conversation.end()
