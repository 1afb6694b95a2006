"""Logs damaged by one byte: each is refused by name, or the game is as it was; the others live."""

import random

import pytest
from logs import FACTS, new_id, write
from stories import SORTED, SORTED_WIN, SPADES_LEAVE, to_and_fro
from system.rounds import SOAK_S, seed

from simplesimon.errors import Damaged
from simplesimon.eventlog import EventLog, channel
from simplesimon.game import Redone, Restarted, Undone
from simplesimon.hotgames import HotGames
from simplesimon.players import Players

DAMAGED = 1000 if SOAK_S else 60
STORIES = [
    [SORTED, *SORTED_WIN],
    [SORTED, SPADES_LEAVE, Undone(), Redone(), Restarted(), *to_and_fro(12), Undone()],
    [SORTED, *to_and_fro(270)],  # with a snapshot
]


def changed(content: bytes, chances: random.Random) -> bytes:
    """With one byte changed, cut off, or put in."""
    place, byte = chances.randrange(len(content)), bytes([chances.randrange(256)])
    return content[:place] + chances.choice([byte, b"", content[place : place + 1] + byte]) + content[place + 1 :]


async def damage(client, game, chances):
    """Changes one byte of what is stored of a game: of an entry, or of a fact."""
    entries = await client.xrange(f"{channel(game)}:log")
    place = chances.randrange(len(entries) * 2)
    if place < len(entries):
        await client.delete(f"{channel(game)}:log")
        for number, (entry_id, fields) in enumerate(entries):
            event = changed(fields[b"e"], chances) if number == place else fields[b"e"]
            await client.xadd(f"{channel(game)}:log", {"e": event}, id=entry_id)
    else:
        facts = await client.hgetall(channel(game))
        name = chances.choice(sorted(facts.keys() - {b"by"}))  # another player is as good as this one
        await client.hset(channel(game), name, changed(facts[name], chances))


@pytest.fixture
def games(client):
    """Games as a worker reads them that has met none of them."""
    return HotGames(EventLog(client), Players(client, lambda: 0), tell=lambda _: None, set_back=lambda _: None)


async def test_a_log_damaged_by_one_byte_is_refused_by_name_or_the_same(games, client):
    print("seed", used := seed())
    chances = random.Random(used)
    log = EventLog(client)
    sound = await write(log, lives := new_id(), STORIES[0])
    refused = 0
    for number in range(DAMAGED):
        history = await write(log, game := new_id(), STORIES[number % len(STORIES)])
        await damage(client, game, chances)
        try:
            read = await games.load(game)
            assert (read.history, read.facts.by.id) == (history, FACTS["by"])
        except Damaged:
            refused += 1
        assert (await games.load(lives)).history == sound
        await client.delete(channel(game), f"{channel(game)}:log")
    assert refused > DAMAGED / 4
