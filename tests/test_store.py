"""Patience with the store: what is tried again, what is not, and when it is given up."""

import contextlib

import pytest
import redis.exceptions as library
from logs import FACTS, new_id, steps
from servers import storing
from stories import SORTED

from simplesimon import store
from simplesimon.errors import CannotStart, Damaged, Unavailable
from simplesimon.eventlog import EventLog, channel


class Failing:
    """Fails some times, then gives its number of tries."""

    def __init__(self, *errors):
        self._errors = list(errors)

    async def __call__(self, attempt):
        if self._errors:
            raise self._errors.pop(0)
        return attempt


@pytest.mark.parametrize(
    "error",
    [
        library.ConnectionError("lost"),
        library.TimeoutError("late"),
        ConnectionResetError(),
        RuntimeError("unable to perform operation on <TCPTransport closed=True>; the handler is closed"),
        AttributeError("as of a writer that is gone", name="writelines", obj=None),
        library.BusyLoadingError("Redis is loading the dataset in memory"),
        library.OutOfMemoryError("command not allowed when used memory > 'maxmemory'"),
        library.ReadOnlyError("You can't write against a read only replica."),
        library.ClusterDownError("CLUSTERDOWN The cluster is down"),
        library.MasterDownError("MASTERDOWN Link with MASTER is down"),
        library.TryAgainError("TRYAGAIN"),
        library.AuthenticationError("NOAUTH Authentication required."),
        library.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"),
        library.ResponseError("NOREPLICAS Not enough good replicas to write."),
        library.ResponseError("BUSY Redis is busy running a script."),
        library.ResponseError("Command # 1 (SET a b) of pipeline caused error: MISCONF Errors writing to the AOF file"),
        library.ResponseError("Command # 1 (SET a b) of pipeline caused error: ('MISCONF Errors writing to the AOF',)"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_may_pass_is_tried_again(error):
    assert await store.patiently(Failing(error, error), within_s=30) == 2


@pytest.mark.parametrize(
    "error",
    [
        library.NoPermissionError("this user has no permissions to run the 'set' command"),
        library.ResponseError("Command # 1 (SET name BUSY) of pipeline caused error: ERR syntax error"),
        ValueError("BUSYBODY"[4:]),
        RuntimeError("this event loop is already running"),
        AttributeError("a fault of ours", name="version", obj=None),
    ],
)
async def test_what_will_not_pass_is_told_at_once(error):
    with pytest.raises(type(error)) as told:
        await store.patiently(Failing(error), within_s=30)
    assert told.value is error


@pytest.mark.parametrize("before", ["", "Command # 1 (HGET a b) of pipeline caused error: ('"])
async def test_a_key_that_has_something_else_is_damage(before):
    error = library.ResponseError(f"{before}WRONGTYPE Operation against a key holding the wrong kind of value")
    with pytest.raises(Damaged):
        await store.patiently(Failing(error), within_s=30)


async def test_what_does_not_pass_in_time_is_unavailable():
    error = library.ConnectionError("lost")
    with pytest.raises(Unavailable) as told:
        await store.patiently(Failing(*[error] * 1000), within_s=0.05)
    assert told.value.__cause__ is error


async def test_an_empty_store_is_marked_and_one_of_another_format_is_left(tmp_path):
    with storing(tmp_path) as own:
        async with store.connect(own.url) as client:
            await store.check_format(client)
            assert await client.get("simplesimon:format") == b"1"
            await store.check_format(client)
            await client.set("simplesimon:format", "7")
            with pytest.raises(CannotStart, match="format '7'"):
                await store.check_format(client)


@contextlib.asynccontextmanager
async def narrow(client, store_url, forbidden):
    """The store for somebody who may not do one thing."""
    allowed = {"categories": ["+@all"], "keys": ["*"], "channels": ["*"], "reset_channels": True}
    await client.acl_setuser("narrow", enabled=True, nopass=True, commands=[forbidden], **allowed)
    async with store.connect(store_url.replace("unix://", "unix://narrow:@")) as other:
        assert await other.acl_whoami() == "narrow"
        yield other
    await client.acl_deluser("narrow")


async def test_a_store_that_may_not_be_asked_how_it_keeps_is_unknown(client, store_url):
    async with narrow(client, store_url, "-config") as asking:
        assert await store.durability(asking) == "unknown"
    assert await store.durability(client) == "fsync"


async def test_an_event_that_could_not_be_published_is_stored_all_the_same(client, store_url):
    g = new_id()
    [(before, event, after)] = steps([SORTED])
    async with narrow(client, store_url, "-spublish") as silent, client.pubsub() as heard:
        await heard.ssubscribe(channel(g))  # or nothing is published
        assert (await heard.get_message(timeout=None))["type"] == "ssubscribe"
        assert await EventLog(silent).append(g, before, event, after, b"told", FACTS)
    assert await client.xlen(f"{channel(g)}:log") == 1
