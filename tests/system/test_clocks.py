"""Servers whose clocks are two hours apart: time comes from the store; nothing is out of order, or expires too soon."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clients import BACK, THERE, Device
from servers import Server, serving

SHIM = Path(__file__).with_name("ahead.c")
HOUR_S = 3600

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        sys.platform != "linux" or not shutil.which("cc"), reason="the shim that changes a clock has to be compiled"
    ),
]


@contextlib.contextmanager
def ahead(folder: Path, store_url: str, seconds: int) -> Iterator[Server]:
    """A server whose clock is so many seconds ahead."""
    library = folder / "ahead.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SHIM), "-ldl"], check=True)
    environment = {"LD_PRELOAD": str(library), "AHEAD_S": str(seconds)}
    told = subprocess.check_output(
        [sys.executable, "-c", "import time; print(time.time())"], env=os.environ | environment
    )
    assert abs(float(told) - time.time() - seconds) < HOUR_S / 2, "the shim does nothing"
    words = folder / f"words {seconds}"
    with serving(words, "--redis-url", store_url, "--no-limits", environment=environment) as server:
        yield server


async def test_workers_with_other_clocks_agree(store_url, tmp_path, client):
    with ahead(tmp_path, store_url, HOUR_S) as fast, ahead(tmp_path, store_url, -HOUR_S) as slow:
        async with Device(fast.url) as here, Device(slow.url) as there, Device(slow.url) as stranger:
            code = (await here.post("/api/me/links"))["code"]
            await there.post("/api/links", code=code)
            assert await there.me() == await here.me(), "a link code lives on a clock that is behind"
            g = (await here.new_game())["g"]
            sockets = [await here.watching(g), await there.watching(g)]
            watching = await stranger.watching(g)
            seen = await sockets[0].until("watching", n=1)
            assert seen, "a spectator counts at the other server, too"
            for v in range(1, 9):
                await sockets[v % 2].send("move", g=g, v=v, m=THERE if v % 2 else BACK)
                for socket in (*sockets, watching):
                    await socket.until("move", v=v + 1)
            at = [event["at"] for event in (await there.get(f"/api/games/{g}/log"))["events"]]
            seconds, _ = await client.time()
            assert at == sorted(at)
            assert abs(at[-1] / 1000 - seconds) < HOUR_S / 2
            for device in (here, there):
                assert {session["current"] for session in (await device.get("/api/me/sessions"))["sessions"]} == {
                    True,
                    False,
                }
                assert g in [row["g"] for row in (await device.get("/api/games"))["games"]]
