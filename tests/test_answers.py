"""Every frame that asks for something gets an answer, whatever becomes of what is followed in the meantime."""

import asyncio
import json
from typing import Any

import pytest
from clients import BACK, GUARD_S, THERE
from logs import FACTS, copy_of, new_id, set_back, write
from stories import SORTED

from simplesimon.backend import Backend
from simplesimon.config import Config
from simplesimon.errors import Damaged
from simplesimon.eventlog import EventLog
from simplesimon.session import Conversation
from simplesimon.wire import payloads


class Playing:
    """The player's side of a conversation that follows a game; its socket fills and empties as a test wants it."""

    def __init__(self, backend, session, game):
        self.game = game
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.conversation = Conversation(backend, session, self)
        self.conversation.start(None)

    def write(self, frames):
        for payload in payloads(frames):
            self._heard.put_nowait(json.loads(payload))

    def close(self, code, reason):
        self.conversation.end()

    def ask(self, t, **fields):
        self.conversation.hear(json.dumps({"t": t, "g": self.game, **fields}))

    async def next(self):
        async with asyncio.timeout(GUARD_S):
            while (message := await self._heard.get())["t"] in ("watching", "hello"):
                pass
        return message

    async def told(self, *names):
        """The next message, as far as it is of interest here."""
        message = await self.next()
        return [message.get(name) for name in names]


@pytest.fixture
async def backend(store_url):
    async with Backend(Config(redis_url=store_url, has_limits=False)).running() as backend:
        yield backend


@pytest.fixture
async def playing(backend, client):
    await write(EventLog(client), game := new_id(), [SORTED])
    token = await backend.players.sign_in(FACTS["by"], "a device")
    playing = Playing(backend, await backend.players.session(token), game)
    playing.ask("watch")
    assert [await playing.told("t") for _ in range(2)] == [["state"], ["synced"]]
    yield playing
    playing.conversation.end()


async def done(backend, playing, t="move", v=1, **fields):
    """A command, once it has been done and answered as far as it can be."""
    playing.ask(t, v=v, **fields)
    await backend.in_hand.wait(GUARD_S)


async def test_a_command_that_was_done_and_lost_before_it_could_be_told_is_stale(backend, playing, client):
    copy = await copy_of(client, playing.game)
    playing.conversation.pause()
    await done(backend, playing, m=THERE)
    await set_back(client, copy)
    playing.conversation.resume()
    assert await playing.told("t", "v", "set_back") == ["state", 1, True]
    assert await playing.told("t", "v") == ["stale", 1]
    await done(backend, playing, m=THERE)
    assert await playing.told("t", "v") == ["move", 2]


async def test_a_command_that_a_state_tells_of_needs_no_other_answer(backend, playing):
    playing.conversation.pause()
    await done(backend, playing, m=THERE)
    playing.conversation.resume()
    assert await playing.told("t", "v") == ["state", 2]
    await done(backend, playing, v=2, m=BACK)
    assert await playing.told("t", "v") == ["move", 3]


async def test_a_log_that_was_set_back_while_it_was_read_is_told_as_set_back(backend, playing, client):
    copy = await copy_of(client, playing.game)
    await done(backend, playing, m=THERE)
    assert await playing.told("t", "v") == ["move", 2]
    backend.hub.reseed(playing.game)  # the reading has begun
    await set_back(client, copy)
    backend.hub.set_back(playing.game)
    assert await playing.told("t", "v", "set_back") == ["state", 1, True]


async def test_an_answer_comes_after_the_state_that_it_speaks_of(backend, playing):
    playing.conversation.pause()
    await done(backend, playing, m=THERE)
    await done(backend, playing, v=1, m=THERE)
    await done(backend, playing, v=2, m=THERE)
    playing.conversation.resume()
    assert await playing.told("t", "v") == ["state", 2]
    assert await playing.told("t", "v") == ["stale", 2]
    assert await playing.told("t", "rule") == ["refused", "no_such_cards"]


@pytest.mark.parametrize("again", [False, True])
async def test_who_leaves_is_told_what_was_asked_before(backend, playing, again):
    playing.conversation.pause()
    await done(backend, playing, m=THERE)
    await done(backend, playing, v=1, m=THERE)
    playing.ask("watch" if again else "leave")
    assert await playing.told("t", "v") == ["move", 2]
    assert await playing.told("t", "v") == ["stale", 2]


async def test_an_answer_is_not_lost_with_a_following_that_ends(backend, playing, monkeypatch):
    async def damaged(*_, **__):
        raise Damaged("as if")

    playing.conversation.pause()
    await done(backend, playing, m=THERE)
    monkeypatch.setattr(backend.service, "state", damaged)
    playing.conversation.resume()
    assert await playing.told("t", "v") == ["move", 2]
    assert await playing.told("t", "code") == ["error", "damaged"]
