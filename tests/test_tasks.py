"""Two pieces of work at once: what both give, and what is left of one when the other fails."""

import asyncio
import gc
from typing import Any

import pytest

from simplesimon.tasks import both


@pytest.fixture
async def complaints() -> list[dict[str, Any]]:
    """What the event loop complains of."""
    heard: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: heard.append(about))
    return heard


async def fails(what: str, after: int = 1) -> None:
    """In so many turns of the event loop."""
    for _ in range(after):
        await asyncio.sleep(0)
    raise ValueError(what)


async def test_both_are_under_way_at_once():
    begun = asyncio.Event()

    async def first() -> str:
        await begun.wait()
        return "first"

    async def second() -> int:
        begun.set()
        return 2

    assert await both(first(), second()) == ("first", 2)


async def test_the_second_ends_by_itself_when_the_first_fails():
    ended = asyncio.Event()

    async def second() -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        ended.set()

    with pytest.raises(ValueError, match="first"):
        await both(fails("first"), second())
    await ended.wait()


async def test_who_is_cancelled_takes_both_along():
    begun, given_up = asyncio.Event(), asyncio.Event()

    async def second() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()

    asking = asyncio.create_task(both(asyncio.Event().wait(), second()))
    await begun.wait()
    asking.cancel()
    await given_up.wait()


async def test_where_both_fail_the_first_fault_is_told_and_nothing_else(complaints):
    with pytest.raises(ValueError, match="first"):
        await both(fails("first", after=2), fails("second"))
    gc.collect()
    assert complaints == []


async def test_the_fault_of_the_second_is_told():
    with pytest.raises(ValueError, match="second"):
        await both(asyncio.sleep(0), fails("second"))
