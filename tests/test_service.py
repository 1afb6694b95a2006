"""Games as the rest of the server has them: load, decide, append; what other workers do; histories that were lost."""

import json
from pathlib import Path

import pytest
from logs import copy_of, leave, new_id, set_back, write
from stories import SORTED, SORTED_WIN, SPADES_LEAVE, command_for, moved, to_and_fro
from workers import BY, Worker

from simplesimon.bodies import NewGame
from simplesimon.errors import Damaged, NoSuchGame, NotYourGame, Refused, StaleVersion
from simplesimon.eventlog import EventLog, channel
from simplesimon.game import Redo, Restart, Undo
from simplesimon.messages import StateMessage

GOLDEN = Path(__file__).parent / "golden" / "logs"
THERE, BACK = [command_for(event) for event in moved("9 1 0, 0 1 9")]


@pytest.fixture
async def worker(client):
    worker = Worker(client)
    await worker.clock.read()
    return worker


@pytest.fixture
async def other(client):
    other = Worker(client)
    await other.clock.read()
    return other


@pytest.fixture
async def game(worker):
    return (await worker.service.create(BY, NewGame(), SORTED.deal)).g


async def test_what_is_stored_is_told_once_and_in_order(worker, game):
    frames = await worker.play(game, THERE, BACK, Undo(), Redo(), Restart())
    assert worker.told == frames
    assert [frame.v for frame in frames] == [2, 3, 4, 5, 6]
    assert frames[-1].state is not None
    assert (await worker.service.state(game, BY)).v == 6


async def test_what_is_refused_or_stale_is_neither_stored_nor_told(worker, game):
    with pytest.raises(Refused):
        await worker.service.command(BY, game, 1, Undo())
    for version in (0, 2, -1):
        with pytest.raises(StaleVersion) as stale:
            await worker.service.command(BY, game, version, THERE)
        assert stale.value.version == 1
    for who in ("somebody", None):
        with pytest.raises(NotYourGame):
            await worker.service.command(who, game, 1, THERE)
    assert (worker.told, (await worker.service.state(game, BY)).v) == ([], 1)


async def test_what_another_worker_did_is_met_in_the_log_and_told(worker, other, game):
    assert (await other.service.state(game, BY)).v == 1
    await worker.play(game, THERE, BACK)
    with pytest.raises(StaleVersion) as stale:
        await other.service.command(BY, game, 1, THERE)
    assert stale.value.version == 3
    assert other.told == worker.told, "what was missed is told before the answer"
    await other.play(game, THERE, v=3)
    known, *missing = await worker.service.since(game, None, 1, None)
    assert (known.v, [frame.wire for frame in missing]) == (1, [frame.wire for frame in other.told])
    assert worker.told == other.told


async def test_time_never_runs_backwards_in_a_log(worker, game):
    before = (await worker.service.state(game, BY)).at
    worker.clock._ahead_ms -= 3_600_000
    await worker.play(game, THERE)
    assert (await worker.service.state(game, BY)).at == before


async def test_a_game_that_went_cold_is_as_it_was(worker, client):
    history = await write(EventLog(client), g := new_id(), [SORTED, SPADES_LEAVE, *to_and_fro(300)])
    state = await worker.service.state(g, BY)
    assert (state.v, state.c, state.mine) == (302, history.c, True)
    assert worker.told[-1].c == history.c
    frames = await worker.service.since(g, BY, 302 - 256, None)
    assert [frame.v for frame in frames] == list(range(46, 303))
    assert isinstance(await worker.service.since(g, BY, 302 - 257, None), StateMessage)


async def test_a_long_game_goes_on_with_new_snapshots(worker, client):
    g = new_id()
    await write(EventLog(client), g, [SORTED, *to_and_fro(254)])
    await worker.play(g, Undo(), v=255)
    await worker.in_hand.wait(10)
    assert await client.hexists(channel(g), "snapshot1")
    assert (await EventLog(client).open(g)).base.version == 256


async def test_a_game_that_was_set_back_is_read_anew(worker, client, game):
    await worker.play(game, THERE)
    copy = await copy_of(client, game)
    await worker.play(game, BACK, THERE, v=2)
    await set_back(client, copy)
    state = await worker.service.state(game, BY)
    assert (state.v, worker.set_back) == (2, [game])
    assert (await worker.play(game, BACK, v=2))[0].v == 3


async def test_a_command_on_a_history_that_was_lost_is_stale(worker, client, game):
    await worker.play(game, THERE)
    copy = await copy_of(client, game)
    await worker.play(game, BACK, v=2)
    await set_back(client, copy)
    with pytest.raises(StaleVersion) as stale:
        await worker.service.command(BY, game, 3, THERE)
    assert (stale.value.version, worker.set_back) == (2, [game])


@pytest.mark.parametrize("further", [1, 2, 3, 5])
async def test_a_game_that_was_set_back_and_played_on_elsewhere_is_read_anew(worker, other, client, game, further):
    await worker.play(game, THERE)
    copy = await copy_of(client, game)
    [_, known] = await worker.play(game, BACK, THERE, v=2)
    await set_back(client, copy)
    await other.play(game, *[Undo(), Redo(), Undo(), Redo(), Undo()][:further], v=2)
    state = await worker.service.state(game, BY)
    assert (state.v, worker.set_back) == (2 + further, [game])
    assert state == await other.service.state(game, BY)
    again = await worker.service.since(game, BY, known.v, known.c)
    assert isinstance(again, StateMessage)
    assert again.set_back


async def test_a_game_that_is_gone(worker, client, game):
    await worker.play(game, THERE)
    await client.delete(channel(game), f"{channel(game)}:log")
    with pytest.raises(NoSuchGame):
        await worker.service.state(game, BY)
    with pytest.raises(NoSuchGame):
        await worker.service.command(BY, game, 2, BACK)


async def test_visibility_is_the_player_s_to_change(worker, other, game):
    assert (await other.service.state(game, None)).visibility == "public"
    assert (await worker.service.set_visibility(game, BY, "private")).visibility == "private"
    for who in (None, "somebody"):
        for hidden in (
            other.service.state(game, who),
            other.service.since(game, who, 1, None),
            other.service.log(game, who, 0, lambda _: None),
            other.service.command(who, game, 1, THERE),
        ):
            with pytest.raises(NoSuchGame):
                await hidden
    assert (await other.service.state(game, BY)).visibility == "private"


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.json")))
async def test_a_golden_log_opens_from_the_store(worker, client, name):
    log, then = golden(name)["log"], golden(name)["then"]
    g = await leave(client, log, bytes.fromhex(then["chain"]))
    state = await worker.service.state(g, BY)
    assert {"version": state.v, "chain": state.c} == {"version": then["version"], "chain": then["chain"][:8]}
    for figure in then.keys() - {"version", "chain"}:
        assert getattr(state, figure) == then[figure], figure
    assert (await worker.service.log(g, BY, 0, lambda _: None)).chain == then["chain"]


def spoilt():
    """Logs that are not what was written, each by one fault."""
    log, then = golden("long")["log"], golden("long")["then"]
    chain = bytes.fromhex(then["chain"])
    at, move = log[40]
    assert move.isdigit()
    yield "an entry is missing", [*log[:40], *log[41:]], chain, None
    yield "the last entry is missing", log[:-1], chain, len(log)
    yield "the end is missing", log[:-30], chain, len(log)
    yield "the beginning is missing", log[1:], chain, len(log)
    yield "all is missing", [], chain, len(log)
    yield "another move", [*log[:40], [at, "9010"], *log[41:]], chain, None
    yield "no move at all", [*log[:40], [at, "9990"], *log[41:]], chain, None
    yield "an undo of nothing", [log[0], [log[1][0], "undo"], *log[2:]], chain, None
    yield "a redo of nothing", [*log[:-1], [log[-1][0], "redo"]], chain, None
    yield "another time", [*log[:-1], [f"1896000000000-{len(log)}", log[-1][1]]], chain, None
    yield "a second deal", [*log[:40], [at, log[0][1]], *log[41:]], chain, None
    yield "another chain", log, chain[::-1], None
    yield "a format of the future", [[log[0][0], log[0][1].replace("1 deal", "9 deal")], *log[1:]], chain, None


@pytest.mark.parametrize(("log", "chain", "version"), [pytest.param(*rest, id=name) for name, *rest in spoilt()])
async def test_a_damaged_log_is_refused_by_name_while_other_games_live(worker, client, game, log, chain, version):
    g = await leave(client, log, chain, version)
    with pytest.raises(Damaged):
        await worker.service.state(g, BY)
    with pytest.raises(Damaged):
        await worker.service.command(BY, g, len(log), Undo())
    assert [row.g for _, row in await worker.service.rows([g, game])] == [game]
    assert (await worker.play(game, THERE))[0].v == 2


async def test_a_log_that_is_damaged_while_it_is_played_is_refused_too(worker, client, game):
    await worker.play(game, THERE, BACK)
    log = await client.xrange(f"{channel(game)}:log")
    await client.xadd(f"{channel(game)}:log", {"e": "nonsense"}, id=f"{int(log[-1][0].split(b'-')[0]) + 1}-4")
    await client.hset(channel(game), "v", 4)
    with pytest.raises(Damaged):
        await worker.service.state(game, BY)


async def test_a_won_game_and_its_list_row(worker, game):
    await worker.play(game, *[command_for(event) for event in SORTED_WIN])
    with pytest.raises(Refused, match="game_over"):
        await worker.service.command(BY, game, 7, Undo())
    [(_, row)] = await worker.service.rows([game, new_id()])
    assert (row.won, row.score, row.moves) == (True, 894, 6)
    assert row.columns == [""] * 10
