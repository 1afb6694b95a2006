"""Commands that a device kept meet the game as it is now, also one with another history: they stand, or they do not."""

import pytest
from javascript import run

COLUMNS = ["KS QS JS TS 9S 8S 7S 6S", "KH QH JH TH 9H 8H 7H 6H", "KD QD JD TD 9D 8D 7D 6D", *[""] * 7]
A, B, C = ({"t": "move", "m": [column, 1, 9 - column]} for column in range(3))
UNDO, REDO, RESTART = ({"t": kind} for kind in ("undo", "redo", "restart"))
ILLEGAL = {"t": "move", "m": [5, 1, 0]}

RESUME = """
    const { deal, evolve } = await load("rules.js");
    const { GameState } = await load("state.js");
    const { version: v, columns, off, score, moves, undo, redo, won } = done.reduce(evolve, deal(dealt));
    const known = { columns, off, score, moves, undo, redo, won };
    const state = new GameState({ ...known, g: "game", v, c: "now", mine: true });
    const events = done.map((command, i) => ({ ...command, v: i + 2, at: i }));
    state.learn({ columns: dealt, events: [{ v: 1, t: "deal", at: 0 }, ...events] });
    return [state.knowsPast, state.resume({ v: since, c: "then", commands }), state.pending.commands];
"""


@pytest.mark.parametrize(
    ("since", "commands", "stands"),
    [
        (1, [A, B, C], [C]),
        (2, [B, C], [C]),
        (1, [B, A, C], [C]),
        (1, [C, B], None),
        (3, [C], None),
        (1, [UNDO, A], None),
        (1, [REDO, A], None),
        (1, [RESTART, A], None),
        (1, [ILLEGAL, B], None),
        (2, [UNDO], None),
    ],
)
def test_what_waited_stands_where_it_led_to_the_game_as_it_is(since, commands, stands):
    knows, resumed, pending = run(RESUME, dealt=COLUMNS, done=[A, B], since=since, commands=commands)
    assert (knows, resumed, pending) == (True, stands is not None, stands or [])
