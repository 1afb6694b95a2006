"""All workers restart at once: everybody comes back at once, as pages do."""

import os
import signal

import pytest
from servers import serving
from system.clusters import free_port, valkey
from system.load import playing
from system.readings import noting
from system.rounds import SOAK_S, all_back, all_listen, report, rounds, seed

from simplesimon import store

pytestmark = pytest.mark.system

GAMES, SPECTATORS, WATCHED = (200, 800, 1) if SOAK_S else (10, 40, 2)
READINGS = 2
"""Of a game's log, by one process that everybody comes back to."""


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_all_come_back_when_all_workers_restart_at_once(tmp_path, how, workers):
    port = free_port()
    url = f"redis://127.0.0.1:{port}"
    with (
        valkey(tmp_path / "store", "--port", str(port)),
        serving(tmp_path / "words", "--redis-url", url, "--no-limits", "--workers", str(workers)) as server,
    ):
        async with (
            store.connect(url) as client,
            playing([server.url], seed(), GAMES, SPECTATORS, watched=WATCHED) as run,
        ):
            struck, most = 0, 0
            for _ in rounds(2):
                await all_listen(client, workers)
                await run.everybody_moves()
                async with run.at_rest(), noting(port) as readings:
                    for worker in (victims := server.workers):
                        os.kill(worker, how)
                    struck += 1
                    await all_back(run, server.url, victims)
                    found = readings.by(server.workers)
                    assert found, "nobody was seen to read"
                    most = max(most, *found.values())
                assert most <= READINGS, found
        assert sum(run.closes.values()) >= struck * len(run.patience), f"not everybody met it: {run.closes}"
        report(f"{how.name} of all {workers} workers", struck, run, sockets=len(run.patience), readings=most)
