"""Two devices of one player decide on the same version, each on a server of its own: one of them wins."""

import asyncio

import pytest
from clients import BACK, COLUMNS, GUARD_S, THERE, Device, Message
from servers import serving
from system.rounds import note, rounds

pytestmark = pytest.mark.system


async def race(sockets, g, v, commands):
    """The diffs, and how many lost, of commands that are sent at once on one version."""
    for socket, command in zip(sockets, commands, strict=True):
        await socket.send(g=g, v=v, **command)
    heard: list[list[Message]] = [[], []]
    asking = {asyncio.create_task(socket.next()): number for number, socket in enumerate(sockets)}
    while not (heard[0] and heard[1] and any(message["t"] == "stale" for message in heard[0] + heard[1])):
        done, _ = await asyncio.wait(asking, timeout=GUARD_S, return_when=asyncio.FIRST_COMPLETED)
        assert done, "no answer"
        for task in done:
            number = asking.pop(task)
            heard[number].append(task.result())
            asking[asyncio.create_task(sockets[number].next())] = number
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    return heard


async def test_of_two_commands_on_one_version_one_is_done(store_url, tmp_path, player):
    with serving(tmp_path / "words", "--redis-url", store_url, "--no-limits") as other:
        async with Device(other.url) as phone:
            phone.http.cookies.set("sid", player.http.cookies["sid"])
            g = (await player.new_game(columns=COLUMNS))["g"]
            sockets = [await player.watching(g), await phone.watching(g)]
            heard, at_home, count = [], True, 0
            for number in rounds(100, 1000):
                move = {"t": "move", "m": THERE if at_home else BACK}
                rivals = [move, {"t": "restart"} if number % 3 == 0 else move]
                both = await race(sockets, g, number + 1, rivals[:: 1 if number % 2 else -1])
                heard += both[0] + both[1]
                told = {message["t"] for message in both[0] + both[1]} - {"stale"}
                at_home = True if told == {"state"} else not at_home
                count += 1
            log = await player.get(f"/api/games/{g}/log")
            assert len(log["events"]) == count + 1
            diffs = [message for message in heard if message["t"] != "stale"]
            assert len(diffs) == 2 * count, "each device is told each version once"
            assert len(heard) - len(diffs) == count, "one is stale for each version"
            for v in range(2, count + 2):
                assert len({message["c"] for message in diffs if message["v"] == v}) == 1
            note("two devices on one version", races=count, done=len(log["events"]) - 1)
