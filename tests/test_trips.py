"""Trips to the store: whose answer is whose, and what becomes of a connection that is lost, silent or of no use."""

import asyncio

import pytest
import redis.exceptions as library
from servers import GUARD_S, frozen, storing

from simplesimon import store, trips
from simplesimon.trips import run, trip


def echoes(*texts):
    return lambda pipe: [pipe.echo(text) for text in texts]


async def connections(client):
    """The ids of the connections of others than who asks."""
    own = await client.client_id()
    return {int(one["id"]) for one in await client.client_list()} - {own}


def who(pipe):
    return pipe.execute_command("ACL", "WHOAMI")


@pytest.fixture
async def own(tmp_path):
    with storing(tmp_path) as own:
        yield own


@pytest.fixture
async def asking(own):
    async with store.connect(own.url) as client:
        await trip(client, echoes("hello"))
        yield client


async def test_everybody_gets_their_own_answers_in_one_connection(own, asking):
    async with store.connect(own.url) as watching:
        before = await connections(watching)
        asked = [[f"{number}", f"{number} again"] for number in range(500)]
        answers = await asyncio.gather(*(trip(asking, echoes(*texts)) for texts in asked))
        assert answers == [[text.encode() for text in texts] for texts in asked]
        assert await connections(watching) == before
    assert await trip(asking, lambda _: None) == []


async def test_who_gave_up_leaves_no_answer_to_the_next(asking):
    for _ in range(50):
        given_up = asyncio.create_task(trip(asking, echoes("mine")))
        await asyncio.sleep(0)
        given_up.cancel()
        assert await trip(asking, echoes("yours")) == [b"yours"]


async def test_an_answer_is_what_the_library_makes_of_it(asking):
    await asking.xadd("stream", {"e": "1"}, id="7-1")
    await asking.hset("hash", "a", "b")
    found = await trip(asking, lambda pipe: [pipe.execute_command("XRANGE", "stream", "-", "+"), pipe.hgetall("hash")])
    assert found == [[(b"7-1", {b"e": b"1"})], {b"a": b"b"}]


async def test_one_fault_is_that_of_its_own_trip(asking):
    await asking.set("text", "no hash")
    answers = await asyncio.gather(
        trip(asking, lambda pipe: [pipe.echo("before"), pipe.execute_command("NO SUCH"), pipe.echo("after")]),
        trip(asking, echoes("sound")),
        return_exceptions=True,
    )
    assert (type(answers[0]), answers[1]) == (library.ResponseError, [b"sound"])
    assert await trip(asking, lambda pipe: [pipe.hvals("text"), pipe.echo("text")], is_lenient=True) == [None, b"text"]
    with pytest.raises(library.NoScriptError):
        await run(asking, ("EVALSHA", "0" * 40, 0))
    assert await run(asking, ("ECHO", "sound")) == b"sound"


async def test_a_connection_that_was_cut_is_made_anew(own, asking):
    async with store.connect(own.url) as cutting, asyncio.timeout(GUARD_S):
        for _ in range(store.CONNECTIONS + 1):
            await cutting.client_kill_filter(skipme=True)
            assert await trip(asking, echoes("here again")) == [b"here again"]
        assert len(await connections(cutting)) == 1, "what was lost was given back"


async def test_a_store_that_is_silent_for_too_long_is_given_up_and_comes_back(own, asking, monkeypatch):
    line = await trips._ways(asking).appends._connected()  # not asked yet, for then it looks at the time after 5 s
    monkeypatch.setattr(line, "_within_s", 0.2)
    with frozen(own.process.pid), pytest.raises(library.ConnectionError):
        await asyncio.wait_for(run(asking, ("ECHO", "late")), GUARD_S)
    assert await run(asking, ("ECHO", "in time")) == b"in time", "by a connection that has all the time again"


async def test_what_is_asked_of_a_connection_that_was_just_lost_is_told_so(asking):
    line = trips._ways(asking).requests._line
    assert line
    line.abort()
    with pytest.raises(library.ConnectionError):
        await asyncio.wait_for(line.ask(b"", 1), GUARD_S)
    assert await trip(asking, echoes("anew")) == [b"anew"]


async def test_a_store_says_nothing_that_it_was_not_asked(own, asking):
    await run(asking, ("ECHO", "hello"))
    async with store.connect(own.url) as watching:
        assert {one["resp"] for one in await watching.client_list()} == {"2"}, "the protocol that knows no pushes"


async def test_a_connection_to_who_is_primary_no_more_is_made_anew(asking):
    writing = ("EVAL", "return {redis.pcall('SET', KEYS[1], 'b')}", 1, "a")
    assert await run(asking, writing) == [b"OK"]
    before = await run(asking, ("CLIENT", "ID"))
    await asking.replicaof("127.0.0.1", "1")
    [refused] = await run(asking, writing)
    assert isinstance(refused, library.ReadOnlyError)
    assert await run(asking, ("CLIENT", "ID")) != before


async def test_a_connection_that_is_logged_in_no_more_is_made_anew(own, asking):
    await asking.acl_setuser("someone", enabled=True, passwords=["+secret"], categories=["+@all"], keys=["*"])
    async with store.connect(own.url.replace("unix://", "unix://someone:secret@")) as other:
        assert await trip(other, who) == [b"someone"]
        await asking.acl_setuser("default", enabled=False)
        await trip(other, lambda pipe: [pipe.execute_command("RESET")])
        [refused] = await trips._ways(other).requests.ask([("ACL", "WHOAMI")])
        assert isinstance(refused, library.AuthenticationError)
        assert await trip(other, who) == [b"someone"]
