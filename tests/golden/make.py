"""Writes the golden games and logs that are not there yet: `PYTHONPATH=server:tests python tests/golden/make.py`.

A golden that exists is never written again: it is what this and every earlier version did. The short ones were checked
by hand against the rules; the long ones, of a seeded player who knows nothing, only hold what was.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from stories import EXAMPLE, EXAMPLE_WIN, SORTED, command_for, moved, next_event, to_and_fro, told

from simplesimon.errors import Refused
from simplesimon.game import Dealt, Event, Game, Moved, Redone, Restarted, Undone, decide, evolve, start
from simplesimon.history import stored
from simplesimon.rules.cards import cards_text
from simplesimon.rules.deal import deal_from_code
from simplesimon.rules.position import Move

HERE = Path(__file__).parent
SPADES, TWO, FOUR = (Dealt(deal_from_code(f"SS1-S{suits}-AAAAABD")) for suits in (1, 2, 4))
DEALS = {"EXAMPLE": EXAMPLE, "SORTED": SORTED, "SPADES": SPADES}
WORDS: dict[str, Event] = {"undo": Undone(), "redo": Redone(), "restart": Restarted()}


def stories() -> Iterator[tuple[str, Dealt, list[Event]]]:
    """Those of stories.txt."""
    for story in (HERE / "stories.txt").read_text().split("\n\n")[1:]:
        name, deal, *words = story.split(maxsplit=2)
        commands = [" ".join(command.split()) for command in "".join(words).split(",") if command.strip()]
        yield name, DEALS[deal], [WORDS[command] if command in WORDS else moved(command)[0] for command in commands]


def wandering(dealt: Dealt, seed: int) -> Iterator[Event]:
    """Now and then against the rules."""
    random, now = Random(seed), start(dealt)
    for _ in range(250):
        anything = Moved(Move(random.randrange(10), random.randrange(1, 4), random.randrange(10)))
        event = next_event(now, random.randrange(4000)) if random.random() < 0.85 else anything
        yield event or anything
        with suppress(Refused):
            now = evolve(now, decide(now, command_for(event or anything)))


def each_twice(moves: list[Moved]) -> Iterator[Event]:
    """Each move is undone, then redone or repeated by hand in turn."""
    for index, move in enumerate(moves):
        yield from (move, Undone(), move if index % 2 else Redone())


def figures(now: Game, with_columns: bool) -> dict[str, Any]:
    state = now.state
    counts = {"score": state.score, "moves": state.moves, "off": list(state.off), "undo": len(now.past)}
    columns = [cards_text(column) for column in state.position.columns]
    return counts | {"redo": len(now.future), "won": state.is_won} | ({"columns": columns} if with_columns else {})


def steps(dealt: Dealt, events: list[Event]) -> Iterator[dict[str, Any]]:
    now = start(dealt)
    for index, event in enumerate(events, 1):
        move = [event.move.source, event.move.count, event.move.target] if isinstance(event, Moved) else None
        command = {"t": "move", "m": move} if move else {"t": stored(event)}
        try:
            now = evolve(now, decide(now, command_for(event)))
        except Refused as refused:
            yield {"command": command, "refused": refused.rule}
        else:
            yield {"command": command, "then": figures(now, len(events) < 20 or index % 25 == 0 or event is events[-1])}


def golden_log(dealt: Dealt, events: list[Event]) -> dict[str, Any]:
    history = told([dealt, *events])
    log = [[f"{1796000000000 + 500 * v}-{v + 1}", stored(event)] for v, event in enumerate([dealt, *events])]
    then = figures(history.game, with_columns=True) | {"version": history.version, "chain": history.chain.hex()}
    return {"log": log, "then": then}


GAMES: list[tuple[str, Dealt, list[Event]]] = [
    *stories(),
    ("example-win", EXAMPLE, [*EXAMPLE_WIN, Undone(), Restarted()]),
    ("undo-100", SORTED, [*to_and_fro(101), *[Undone()] * 101, *[Redone()] * 3, to_and_fro(5)[4], Undone()]),
    ("restart-counts", SORTED, [*to_and_fro(50), Restarted(), *to_and_fro(50), *[Undone()] * 101, Redone()]),
    ("each-move-twice", EXAMPLE, [*each_twice(EXAMPLE_WIN[:-1]), EXAMPLE_WIN[-1]]),
    *[(f"wandering-{dealt.deal.suits}", dealt, list(wandering(dealt, 5))) for dealt in (SPADES, TWO, FOUR)],
    ("logs/won", EXAMPLE, [*EXAMPLE_WIN]),
    ("logs/long", SORTED, [*to_and_fro(130), *[Undone()] * 90, Redone(), Restarted(), *to_and_fro(9), Undone()]),
]

if __name__ == "__main__":
    for name, dealt, events in GAMES:
        path = HERE / f"{name}.json"
        game = {"columns": dealt.deal.lines, "code": dealt.deal.code, "steps": list(steps(dealt, events))}
        golden = {"name": path.stem} | (golden_log(dealt, events) if path.parent.name == "logs" else game)
        if not path.exists():
            path.write_text(re.sub(r', (\{"command"|\["1\d{12}-|"columns")', r",\n\1", json.dumps(golden)) + "\n")
