"""Moves that a game does not have any more, or never took: which of them, and from which version on."""

import pytest
from javascript import run

A, B, C = ({"t": "move", "m": [column, 1, 9]} for column in range(3))
UNDO, REDO, RESTART = ({"t": kind} for kind in ("undo", "redo", "restart"))

RESCUED = """
    const { rescued } = await load("rescue.js");
    return cases.map(([known, now]) => rescued(known, now));
"""
CASES = [
    ([A, B], [A, B], 3, []),
    ([A, B], [A, B, C], 3, []),
    ([A, B, C], [A], 2, [B, C]),
    ([A, B, C], [A, C, B], 2, [B, C]),
    ([A, B], [], 1, [A, B]),
    ([A, UNDO, REDO], [A, UNDO, RESTART], 3, [REDO]),
    ([], [A], 1, []),
]


def test_what_did_not_stand_begins_where_the_two_part():
    found = run(RESCUED, cases=[(known, now) for known, now, _, _ in CASES])
    assert found == [{"v": v, "commands": commands} for _, _, v, commands in CASES]


@pytest.mark.parametrize("commands", [[A, UNDO, REDO], [A, B, UNDO, A], [A, RESTART, UNDO, REDO, A, UNDO, UNDO]])
def test_what_led_to_the_versions_is_what_was_done(commands):
    columns = ["KS QS JS TS 9S 8S 7S 6S", "KH QH JH TH 9H 8H 7H 6H", "KD QD JD TD 9D 8D 7D 6D"]
    script = """
        const { deal, evolve } = await load("rules.js");
        const { commandsOf } = await load("rescue.js");
        const versions = [deal(columns)];
        for (const command of commands) versions.push(evolve(versions.at(-1), command));
        return commandsOf(versions);
    """
    assert run(script, columns=columns + [""] * 7, commands=commands) == commands
