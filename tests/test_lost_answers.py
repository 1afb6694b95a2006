"""Answers of the store that are lost on their way, or that nobody waits for: all is done once, and told once."""

import asyncio

import pytest
from logs import FACTS, append, history_of, new_id, steps
from lossy import Line, closed
from servers import GUARD_S
from stories import SORTED, SPADES_LEAVE, command_for, moved, to_and_fro, told
from workers import BY, Worker

from simplesimon import store
from simplesimon.appends import _SCRIPT
from simplesimon.bodies import NewGame
from simplesimon.entries import Entry
from simplesimon.errors import Unavailable
from simplesimon.eventlog import EventLog, channel
from simplesimon.game import Undone
from simplesimon.history import stored

[THERE] = [command_for(event) for event in moved("9 1 0")]


@pytest.fixture
def log(client):
    return EventLog(client)


async def log_of(client, g):
    return [fields[b"e"].decode() for _, fields in await client.xrange(f"{channel(g)}:log")]


async def test_an_append_whose_answer_is_lost_is_sent_again_and_stored_once(store_url, client, tmp_path):
    g = new_id()
    async with Line(store_url, tmp_path) as line, store.connect(line.url) as far:
        log = EventLog(far)
        for step in steps([SORTED, *to_and_fro(5)]):
            await client.script_load(_SCRIPT)
            await far.ping()
            line.loses_next = True
            assert await append(log, g, step), "it is in the log, so it is no clash"
        assert line.lost == 6
        before, event, after = step
        assert before
        for other, at in ((event, after.at + 7), (Undone(), after.at)):
            line.loses_next = True
            rival = before, other, before.then(other, at)
            assert not await append(log, g, rival), "another's version is one, also when sent twice"
    assert await client.xlen(f"{channel(g)}:log") == 6
    assert (await log_of(client, g)) == [stored(event) for _, event, _ in steps([SORTED, *to_and_fro(5)])]


@pytest.mark.parametrize("instead", [b":5\r\n", b"*0\r\n", b"$-1\r\n"], ids=["number", "none", "nil"])
async def test_an_append_whose_answer_is_none_is_asked_for_again(store_url, client, tmp_path, instead):
    g = new_id()
    async with Line(store_url, tmp_path) as line, store.connect(line.url) as far:
        log = EventLog(far)
        deal, first, second = steps([SORTED, *to_and_fro(2)])
        assert await append(log, g, deal)
        line.instead = instead
        async with asyncio.timeout(GUARD_S):
            assert await append(log, g, first)
            assert await append(log, g, second)
    assert await client.xlen(f"{channel(g)}:log") == 3


async def test_an_append_that_cannot_be_sent_is_told_so_and_others_are_sent(log):
    deal, first = steps([SORTED, *to_and_fro(1)])
    g = new_id()
    assert await append(log, g, deal)
    async with asyncio.timeout(GUARD_S):
        with pytest.raises(UnicodeEncodeError):
            await log.append(new_id(), *deal, facts={"by": "\ud800", "visibility": "public"})
        assert await append(log, g, first)


async def test_who_waited_behind_others_for_all_of_the_time_is_answered_with_them(monkeypatch):
    monkeypatch.setattr(store, "APPEND_WITHIN_S", 0.2)
    monkeypatch.setattr(store, "TIMEOUT_S", 0.4)  # so it takes longer than that to find out that nobody answers
    tries: list[asyncio.Task[None] | None] = []

    async def say_nothing(reader, writer):
        tries.append(asyncio.current_task())
        while await reader.read(65536):
            pass
        await closed(writer)

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with server, store.connect(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}") as nowhere:
        log = EventLog(nowhere)
        [deal] = steps([SORTED])
        answers = await asyncio.gather(*[append(log, new_id(), deal) for _ in range(300)], return_exceptions=True)
    await asyncio.wait(filter(None, tries))
    assert {type(answer) for answer in answers} == {Unavailable}
    assert len(tries) == 1


async def test_a_whole_log_whose_answer_was_lost_is_written_once(store_url, tmp_path):
    g, line = new_id(), Line(store_url, tmp_path)
    history = told([SORTED, SPADES_LEAVE])
    entries = [Entry(1, history.at - 500, SORTED), Entry(2, history.at, SPADES_LEAVE)]
    async with line, store.connect(line.url) as client:
        log = EventLog(client)
        await client.ping()  # or what is lost is the answer to its connecting
        line.loses_next = True
        assert await log.write(g, entries, history, [], FACTS)
        assert line.lost == 1
        assert history_of(await log.open(g)) == history
        assert not await log.write(g, entries[:1], told([SORTED]), [], FACTS), "the id is taken"
        assert await log_of(client, g) == [stored(SORTED), stored(SPADES_LEAVE)]


async def test_who_goes_before_an_append_is_answered_takes_nothing_from_it(log, caplog):
    g = new_id()
    (before, event, after), first = steps([SORTED, *to_and_fro(1)])
    log.append(g, before, event, after, b"", FACTS).cancel()
    assert await append(log, g, first), "it was stored all the same"
    assert caplog.text == ""


async def test_what_was_read_before_its_answer_came_is_told_once(store_url, client, tmp_path):
    async with Line(store_url, tmp_path) as line, store.connect(line.url) as far:
        worker = Worker(far)
        await worker.clock.read()
        g = (await worker.service.create(BY, NewGame(), SORTED.deal)).g
        line.loses_next = True
        playing = asyncio.create_task(worker.play(g, THERE))
        while not line.lost:
            await client.ping()
        assert (await worker.service.catch_up(g))[0] == 2
        assert await playing == worker.told
