"""Golden games and logs: what every version before this one did, this one does."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from simplesimon.errors import Refused, Rule
from simplesimon.game import Command, Dealt, Game, Play, Redo, Restart, Undo, decide, evolve, start
from simplesimon.history import History, begin, parse_stored
from simplesimon.rules.deal import deal_from_code, deal_from_lines
from simplesimon.rules.position import Move

GOLDEN = Path(__file__).parent / "golden"
ACTIONS: dict[str, Command] = {"undo": Undo(), "redo": Redo(), "restart": Restart()}


def goldens(folder: Path) -> list[Any]:
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    assert found, f"there are no goldens in {folder}"
    return [pytest.param(golden, id=golden["name"]) for golden in found]


def shown(game: Game, wanted: Iterable[str]) -> dict[str, Any]:
    """Of a game, what a golden tells of it."""
    state = game.state
    everything = {
        "score": state.score,
        "moves": state.moves,
        "off": list(state.off),
        "undo": len(game.past),
        "redo": len(game.future),
        "won": state.is_won,
        "version": game.version,
        "columns": [" ".join(card.text for card in column) for column in state.position.columns],
    }
    return {name: everything[name] for name in wanted}


@pytest.mark.parametrize("golden", goldens(GOLDEN))
def test_a_golden_game_is_played_as_ever(golden):
    deal = deal_from_code(golden["code"]) if golden["code"] else deal_from_lines(golden["columns"])
    assert deal.lines == golden["columns"]
    game = start(Dealt(deal))
    for number, step in enumerate(golden["steps"], 1):
        move = step["command"].get("m")
        command = Play(Move(*move)) if move else ACTIONS[step["command"]["t"]]
        if "refused" in step:
            with pytest.raises(Refused) as refused:
                decide(game, command)
            assert refused.value.rule == step["refused"], f"step {number}"
        else:
            game = evolve(game, decide(game, command))
            assert shown(game, step["then"]) == step["then"], f"step {number}"


def test_the_golden_games_meet_every_refusal():
    steps = [step for golden in goldens(GOLDEN) for step in golden.values[0]["steps"]]
    assert {step["refused"] for step in steps if "refused" in step} == set(get_args(Rule))


def opened(log: Sequence[tuple[str, str]]) -> History:
    (first_id, first), *rest = log
    dealt = parse_stored(first)
    assert isinstance(dealt, Dealt)
    history = begin(dealt, int(first_id.partition("-")[0]))
    for entry_id, text in rest:
        history = history.then(parse_stored(text), int(entry_id.partition("-")[0]))
        assert history.version == int(entry_id.partition("-")[2])
    return history


def line_of(entry_id: str, text: str) -> str:
    """The line that the chain is made of, from an entry of format 1 and without the code that is tested."""
    at, version = entry_id.split("-")
    if text.isdigit():
        source, count, target = re.fullmatch(r"(\d)(\d\d)(\d)", text.zfill(4)).groups()  # type: ignore[union-attr]
        text = f"move {source} {int(count)} {target}"
    return f"{version} {at} {text.removeprefix('1 ')}"


@pytest.mark.parametrize("golden", goldens(GOLDEN / "logs"))
def test_a_golden_log_opens_as_ever(golden):
    history = opened(golden["log"])
    chain = b""
    for entry in golden["log"]:
        chain = hashlib.sha256(chain + line_of(*entry).encode("ascii")).digest()
    assert history.chain.hex() == chain.hex()
    assert shown(history.game, golden["then"].keys() - {"chain"}) | {"chain": chain.hex()} == golden["then"]


def kind_of(text: str) -> str:
    if text.isdigit():
        return "move"
    return text if " " not in text else "given deal" if "/" in text else "deal code"


def test_the_golden_logs_hold_every_kind_of_event():
    kinds = {kind_of(text) for golden in goldens(GOLDEN / "logs") for _, text in golden.values[0]["log"]}
    assert kinds == {"deal code", "given deal", "move", "undo", "redo", "restart"}
