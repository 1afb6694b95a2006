"""The tree of a game on the page: what stands at the end, and the branches that were tried and taken back."""

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from javascript import run
from stories import EXAMPLE, EXAMPLE_WIN, SORTED, SORTED_WIN, SPADES_LEAVE, Story, logs, moved

from simplesimon.game import Dealt, Moved, Redone, Restarted, Undone
from simplesimon.history import line

TREE = """
    const { versionsOf } = await load("diffs.js");
    const { branchesOf, stepsOf } = await load("tree.js");
    return given.map((log) => {
        const steps = stepsOf(versionsOf(log));
        return { kinds: steps.map(({ kind }) => kind), depths: steps.map(({ depth }) => depth),
                 off: steps.map(({ off }) => off), branches: branchesOf(steps) };
    });
"""
A, B, C = EXAMPLE_WIN[:3]
OTHER, AND_THEN = moved("9 1 1, 2 1 0")


def log_of(events: Story) -> dict[str, Any]:
    """The events as the page reads a log, half a second apart."""
    dealt, *_ = events
    assert isinstance(dealt, Dealt)
    return {"columns": list(dealt.deal.lines), "events": [told(v, event) for v, event in enumerate(events, 1)]}


def told(v: int, event: Any) -> dict[str, Any]:
    at = 1796000000000 + 500 * v
    kind = line(v, at, event).split()[2]
    move = {"m": [event.move.source, event.move.count, event.move.target]} if isinstance(event, Moved) else {}
    return {"v": v, "at": at, "t": kind, **move}


def tree(*events):
    [found] = run(TREE, given=[log_of(events)])
    return found


def test_what_was_never_taken_back_stands():
    found = tree(EXAMPLE, A, B, C)
    assert found["kinds"] == ["deal", "move", "move", "move"]
    assert (found["depths"], found["branches"]) == ([0, 0, 0, 0], [])


def test_what_was_taken_back_is_a_branch_as_deep_as_it_went():
    found = tree(EXAMPLE, A, B, C, Undone(), Undone(), Undone(), OTHER)
    assert found["kinds"] == ["deal", "move", "move", "move", "undo", "undo", "undo", "move"]
    assert found["depths"] == [0, 1, 2, 3, 2, 1, 0, 0]
    assert found["branches"] == [{"from": 2, "to": 6, "depth": 3}]


def test_until_something_else_is_done_it_may_stand_again():
    assert tree(EXAMPLE, A, B, Undone(), Undone())["depths"] == [0, 1, 2, 1, 0]
    again = tree(EXAMPLE, A, B, Undone(), Undone(), Redone(), B)
    assert again["kinds"][-2:] == ["redo", "redo"], "the same move by hand goes on in the same branch"
    assert (again["depths"], again["branches"]) == ([0] * 7, [])


def test_a_branch_of_a_branch_is_one_with_it_and_two_tries_are_two():
    found = tree(EXAMPLE, A, B, Undone(), AND_THEN, Undone(), Undone(), OTHER, C, Undone())
    assert found["depths"] == [0, 1, 2, 1, 2, 1, 0, 0, 1, 0]
    assert [(branch["from"], branch["to"]) for branch in found["branches"]] == [(2, 6), (9, 9)]


def test_a_restart_stands_and_one_that_was_undone_does_not():
    assert tree(EXAMPLE, A, Restarted(), B)["depths"] == [0, 0, 0, 0]
    found = tree(EXAMPLE, A, Restarted(), Undone(), B)
    assert (found["kinds"], found["depths"]) == (["deal", "move", "restart", "undo", "move"], [0, 0, 1, 0, 0])


def test_a_sequence_is_marked_where_it_leaves():
    found = tree(SORTED, SPADES_LEAVE, Undone(), Redone(), *SORTED_WIN[1:])
    assert found["off"] == [None, "S", None, "S", "C", None, "H", None, "D"]


@settings(max_examples=4)
@given(st.lists(logs(), min_size=12, max_size=12))
def test_of_any_game(games):
    for events, found in zip(games, run(TREE, given=[log_of(events) for events in games]), strict=True):
        depths = found["depths"]
        assert len(depths) == len(events)
        assert (depths[0], depths[-1]) == (0, 0), "the deal and the end stand"
        assert all(abs(later - before) <= 1 for before, later in pairwise(depths))
        assert sum(branch["to"] - branch["from"] + 1 for branch in found["branches"]) == sum(map(bool, depths))
        if not any(isinstance(event, Undone) for event in events):
            assert set(depths) == {0}


FILM = """
    const { filmOf, versionAt } = await load("film.js");
    const film = filmOf(times);
    return { film, shown: at.map((ms) => versionAt(film, ms)) };
"""


def test_a_film_keeps_the_timing_and_cuts_pauses_at_two_seconds():
    times = [5000, 5040, 6000, 66000, 65000, 66999]
    found = run(FILM, times=times, at=[0, 39, 40, 999, 1000, 2999, 3000, 4999, 99999])
    assert found["film"] == [0, 40, 1000, 3000, 3000, 4999]
    assert found["shown"] == [1, 1, 2, 2, 3, 3, 5, 6, 6]
