"""A primary of a cluster is killed while games are played: its replica takes over, and all goes on."""

import contextlib

import pytest
from servers import serving
from system.clusters import Cluster, started
from system.load import playing
from system.rounds import report, seed

pytestmark = pytest.mark.system


async def test_a_primary_is_killed_and_its_replica_takes_over(tmp_path):
    with contextlib.ExitStack() as nodes:
        them = started(Cluster(tmp_path, nodes, 1000), has_replicas=True)
        with (
            serving(tmp_path / "one", "--redis-url", them.url, "--no-limits") as one,
            serving(tmp_path / "two", "--redis-url", them.url, "--no-limits") as two,
        ):
            async with playing([one.url, two.url], seed(), 12, 3, is_safe=False) as run:
                await run.some_moves()
                run.chances.choice(list(them.processes.values())[:3]).kill()
                await run.everybody_moves()
            # replication waits for nobody: what was acknowledged in its last moment may be gone, and is told as such
            assert {kind for kind, _ in run.found} <= {"lost", "fork", "reordered"}, run.found
            assert not run.closes
            report(f"primary of a cluster killed ({len(run.found)} found)", 1, run)
