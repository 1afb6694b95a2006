"""A store that sentinels name: by which URLs, and that a primary which is none any more is left."""

import asyncio
import contextlib
import subprocess
import sys
from typing import Any

import pytest
import redis
from clients import GUARD_S
from system.clusters import patient
from system.replication import LOCKED, SERVICE, replicated
from system.tls import fronted, secure

from simplesimon import sentinels, store


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://",
        "redis+sentinel://localhost:26379",
        "redis+sentinel://localhost:26379/",
        "redis+sentinel:///games",
        "redis+sentinel://localhost:port/games",
        "redis+sentinel://localhost/games?sentinel_pasword=x",
        "redis+sentinel://localhost/games?tls",
        "redis+sentinel://localhost/games?ssl_ca_certs=x",
    ],
)
def test_a_url_that_names_no_sentinels_or_no_service_or_asks_for_what_is_not_there(url):
    with pytest.raises(ValueError, match=r"sentinels and a service|port|no option"):
        store.connect(url)


@pytest.mark.parametrize(
    ("hosts", "addresses"),
    [
        ("one", [("one", 26379)]),
        ("one:1,two:2,three", [("one", 1), ("two", 2), ("three", 26379)]),
        ("[::1]:7,[fe80::2]", [("::1", 7), ("fe80::2", 26379)]),
    ],
)
async def test_a_url_names_sentinels_a_service_and_the_login_of_the_store(hosts, addresses):
    client = store.connect(f"redis+sentinel://player:pass%40word@{hosts}/games")
    pool: Any = client.connection_pool
    asked = [sentinel.connection_pool.connection_kwargs for sentinel in pool.sentinel_manager.sentinels]
    assert [(kwargs["host"], kwargs["port"]) for kwargs in asked] == addresses
    assert pool.service_name == "games"
    assert (pool.connection_kwargs["username"], pool.connection_kwargs["password"]) == ("player", "pass@word")
    assert not any(kwargs["password"] for kwargs in asked), "the sentinels are not told it"


async def test_a_primary_that_wakes_up_when_it_is_none_any_more_is_not_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(sentinels, "ASK_EVERY_S", 0.05)
    with replicated(tmp_path, 1, 1) as them:
        [old, new] = them.ports
        async with store.connect(them.url) as client, client.pubsub() as heard:
            pool: Any = client.connection_pool
            following = asyncio.create_task(sentinels.follow(client))
            await heard.subscribe("news")
            assert (await client.info("server"))["tcp_port"] == old
            with them.frozen(old):
                async with asyncio.timeout(GUARD_S):
                    while pool.master_address != ("127.0.0.1", new):
                        await asyncio.to_thread(them.primary)
                    while not await store.ask(lambda: client.publish("news", "")):
                        with contextlib.suppress(redis.RedisError):
                            await heard.get_message(timeout=0.1)
            assert (await client.info("server"))["tcp_port"] == new
            with patient(old) as woken:
                assert woken.role()[0] == b"master", "it does not know better yet"
            following.cancel()


async def test_connections_in_use_are_left_though_a_new_one_has_found_the_new_primary_first(tmp_path):
    with replicated(tmp_path, 1, 1) as them:
        [old, new] = them.ports
        async with store.connect(them.url) as client, client.pubsub() as heard:
            pool: Any = client.connection_pool
            await heard.subscribe("news")
            await pool.follow()
            with them.frozen(old):
                async with asyncio.timeout(GUARD_S):
                    while pool.master_address != ("127.0.0.1", new):
                        with contextlib.suppress(redis.RedisError):
                            await pool.get_master_address()  # as each new connection does
                assert heard.connection.is_connected
                await pool.follow()
                assert not heard.connection.is_connected


async def test_sentinels_and_store_have_each_their_own_login(tmp_path):
    with replicated(tmp_path, 1, 1, LOCKED) as them:
        [old, new] = them.ports
        async with store.connect(them.url) as client:
            pool: Any = client.connection_pool
            assert (await client.info("server"))["tcp_port"] == old
            with them.frozen(old):
                async with asyncio.timeout(GUARD_S):
                    while pool.master_address != ("127.0.0.1", new):
                        await pool.follow()
                assert (await store.ask(lambda: client.info("server")))["tcp_port"] == new


def test_a_wrong_login_of_sentinels_is_told_in_one_line_without_it(tmp_path):
    with replicated(tmp_path, 0, 1, LOCKED) as them:
        for wrong in (them.url.partition("?")[0], them.url.replace("the%20sentinels", "nobody")):
            serve = [sys.executable, "-m", "simplesimon", "serve", "--port", "0", "--redis-url", wrong]
            ended = subprocess.run(serve, capture_output=True, text=True, timeout=GUARD_S, check=False)
            assert (ended.returncode, ended.stdout) == (2, "")
            [line] = ended.stderr.splitlines()
            assert f"127.0.0.1:{them.sentinels[0]}/games does not answer" in line
            assert not any(secret in line for secret in ("of the store", "of%20the", "nobody"))


async def test_sentinels_and_store_are_reached_through_tls(tmp_path):
    certificate = tmp_path / "authority.pem"
    context = secure("127.0.0.1", certificate)
    with replicated(tmp_path, 0) as them:
        async with fronted(them.ports[0], context) as front:
            await asyncio.to_thread(them.watch_over, 1, front)
            async with fronted(them.sentinels[0], context) as door:
                url = f"rediss+sentinel://127.0.0.1:{door}/{SERVICE}?ssl_ca_certs={certificate}"
                async with store.connect(url) as client:
                    assert (await client.info("server"))["tcp_port"] == them.ports[0]
