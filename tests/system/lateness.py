"""How late the event loop of a server came to what was due, as its metrics tell."""

import re

from clients import Device

_LOOKING = """
from simplesimon import __main__ as it

def looking(*how):
    from simplesimon import metrics  # not before it has been told where to count
    metrics._LOOK_EVERY_S = 0.01
    run(*how)

run, it._run_workers = it._run_workers, looking
it.main()
"""
LOOKING = ("-c", _LOOKING)
"""A server that looks ten times as often: a stop between two looks is seen only by what outlasts their pause."""

BUCKET = re.compile(r'^simplesimon_loop_lateness_seconds_bucket\{le="(.*)"\} (.*)$', re.MULTILINE)


async def lateness(url: str) -> dict[float, float]:
    """How many looks so far were at most so many seconds late."""
    async with Device(url) as device:
        told = (await device.http.get("/metrics")).text
    return {float(most): float(count) for most, count in BUCKET.findall(told)}


def latest(before: dict[float, float], after: dict[float, float]) -> float:
    """No look in between was later than this, in seconds; one of the numbers that the metric tells apart."""
    between = {most: after[most] - before[most] for most in after}
    assert max(between.values()), "nobody looked in between"
    return min(most for most, count in between.items() if count == max(between.values()))
