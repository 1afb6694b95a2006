"""The command line: deals on the terminal, and one clear line with exit status 2 for what cannot be done."""

import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from clients import COLUMNS
from servers import GUARD_S, serving

from simplesimon import __version__
from simplesimon.__main__ import main
from simplesimon.config import Config
from simplesimon.rules.deal import deal_from_code

KNOWN = deal_from_code("SS1-S4-AAAAABD").lines


def run(*arguments, command=(sys.executable, "-m", "simplesimon"), **environment):
    """The finished command. It must finish by itself."""
    return subprocess.run(
        [*command, *arguments],
        capture_output=True,
        text=True,
        timeout=GUARD_S,
        env={**os.environ, **environment},
        check=False,
    )


def failure(*arguments, **environment):
    """The one line with which the command fails."""
    ended = run(*arguments, **environment)
    assert (ended.returncode, ended.stdout) == (2, "")
    [line] = ended.stderr.splitlines()
    assert line.startswith("simplesimon: ")
    return line


def test_a_deal_is_ten_lines(capsys):
    assert main(["deal", "SS1-S4-AAAAABD"]) == 0
    assert capsys.readouterr().out.splitlines() == KNOWN


@pytest.mark.parametrize(
    "typed", [["ss1s4aaaaabd"], ["SS1", "S4", "AAAAABD"], ["ss1-s4-aaaaabd "], ["SS1–S4–AAAAABD"], ["SS1-S4-aaaaa8d"]]
)
def test_a_typed_code_is_read_forgivingly(capsys, typed):
    assert main(["deal", *typed]) == 0
    assert capsys.readouterr().out.splitlines() == KNOWN


@pytest.mark.parametrize("code", ["SS1-S4-AAAA!BD", "SS1-S3-AAAAABD", "hello", "", "SS1-S4-ΑΑΑΑΑΒΔ", "SS1-S4-A\nA"])
def test_a_wrong_code_is_told_in_one_line(capsys, code):
    assert main(["deal", code]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    [line] = told.err.splitlines()
    assert line.startswith("simplesimon: ")
    assert "deal code" in line


def test_the_module_and_the_console_script_are_the_same_command():
    ended = run("deal", "SS1-S4-AAAAABD")
    assert (ended.returncode, ended.stdout.splitlines(), ended.stderr) == (0, KNOWN, "")
    assert run("--version", command=[Path(sys.executable).with_name("simplesimon")]).stdout == f"{__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["dance"], ["deal"], ["serve", "--port", "x"], ["serve", "--nothing"]])
def test_what_is_no_command_is_explained(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: simplesimon" in capsys.readouterr().err


@contextlib.contextmanager
def taken_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield str(listener.getsockname()[1])


def test_a_taken_port(tmp_path):
    with taken_port() as port:
        line = failure("serve", "--port", port, "--data-dir", str(tmp_path / "new"))
    assert port in line
    assert "in use" in line


@pytest.mark.parametrize("host", ["256.0.0.1", "203.0.113.7", "::g"])
def test_a_host_that_is_not_ours(host, tmp_path):
    assert host in failure("serve", "--host", host, "--port", "0", "--data-dir", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        (["--port", "-1"], {}, "port -1"),
        (["--port", "65536"], {}, "port 65536"),
        (["--workers", "0"], {}, "0 workers"),
        (["--workers", "65"], {}, "65 workers"),
        (["--replicas", "1"], {}, "1 replicas"),
        (["--replicas", "-1", "--redis-url", "unix:///x"], {}, "-1 replicas"),
        ([], {"SIMPLESIMON_PORT": "x"}, "SIMPLESIMON_PORT is 'x'"),
        ([], {"SIMPLESIMON_PORT": "-1"}, "SIMPLESIMON_PORT is '-1'"),
        ([], {"SIMPLESIMON_PORT": "99999"}, "port 99999"),
        ([], {"SIMPLESIMON_WORKERS": "two"}, "SIMPLESIMON_WORKERS is 'two'"),
        ([], {"SIMPLESIMON_WORKERS": "0"}, "0 workers"),
    ],
)
def test_a_number_that_cannot_be(arguments, environment, told, capsys, monkeypatch):
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    assert main(["serve", *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("simplesimon: ")
    assert told in line


def test_a_redis_that_is_not_there():
    with taken_port() as port:
        pass
    line = failure("serve", "--port", "0", "--redis-url", f"redis://secret:word@127.0.0.1:{port}")
    assert f"127.0.0.1:{port} does not answer" in line
    assert "secret" not in line


@pytest.mark.parametrize("login", ["who:sec?ret", "who:sec#ret", "who:sec/ret"])
def test_a_login_that_was_not_encoded_is_not_told(login):
    line = failure("serve", "--port", "0", "--redis-url", f"redis://{login}@127.0.0.1:1")
    assert not any(part in line for part in ("who", "sec", "ret")), line


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "redis://127.0.0.1:port", "redis://["])
def test_a_url_that_is_none(url):
    assert "Redis URL" in failure("serve", "--port", "0", "--redis-url", url)


def test_what_does_not_speak_redis(server):
    assert "the store refuses" in failure("serve", "--port", "0", "--redis-url", server.url.replace("http", "redis"))


async def test_a_store_of_another_format(client, store_url):
    await client.set("simplesimon:format", "2")
    try:
        line = failure("serve", "--port", "0", "--redis-url", store_url)
    finally:
        await client.set("simplesimon:format", "1")
    assert "format '2'" in line


def test_an_environment_is_as_good_as_flags(store_url, tmp_path):
    environment = {"SIMPLESIMON_REDIS_URL": store_url, "SIMPLESIMON_PORT": "1", "SIMPLESIMON_HOST": "127.0.0.1"}
    with serving(tmp_path / "words", environment=environment) as server:
        assert httpx.get(f"{server.url}/health/ready", trust_env=False).status_code == 200
        assert server.port != "1", "a flag comes before the environment"
        games = httpx.post(f"{server.url}/api/games", json={"columns": COLUMNS}, trust_env=False)
        assert games.status_code == 201
        assert server.stop() == 0
    assert list(tmp_path.iterdir()) == [tmp_path / "words"]


def test_a_configuration_can_be_handed_on():
    config = Config(
        host="::1", port=9, workers=3, redis_url="unix:///x", replicas=2, data_dir=Path("/y"), has_limits=False
    )
    assert Config.from_environment(config.environment()) == config
    assert Config.from_environment({}).has_limits
    assert Config.from_environment({"SIMPLESIMON_PORT": ""}).port == 8000
