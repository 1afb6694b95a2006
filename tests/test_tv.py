"""Which game TV shows: the one most worth watching, and never another while it is being played."""

import pytest
from javascript import run

NOW = 1_796_000_000_000


def game(g, silent_s=5, watching=0, off=0, score=500, won=False):
    at = NOW - 1000 * silent_s
    return {"g": g, "at": at, "watching": watching, "off": ["S"] * off, "score": score, "won": won}


def chosen(rows, current=None):
    script = "const { choose } = await load('tv-choice.js'); return choose(rows, now, current)"
    return run(script, rows=rows, now=NOW, current=current)


PLAIN = game("plain")


@pytest.mark.parametrize(
    "better",
    [
        game("better", watching=1),
        game("better", off=1, score=560),
        game("better", score=501),
        game("better", silent_s=1),
        game("better", watching=7, silent_s=50),
    ],
    ids=["watched", "nearer the end", "more points", "moved in later", "watched by many"],
)
def test_the_one_more_worth_watching_is_shown(better):
    assert chosen([PLAIN, better]) == chosen([better, PLAIN]) == "better"


@pytest.mark.parametrize(
    "other", [game("other", off=4, won=True), game("other", watching=99, silent_s=60)], ids=["won", "silent"]
)
def test_what_is_over_or_silent_is_not_gone_to(other):
    assert chosen([PLAIN, other]) == "plain"


def test_an_unfinished_game_that_is_moved_in_is_never_left():
    better = game("better", watching=1000, off=3, silent_s=0)
    assert chosen([game("shown", silent_s=59), better], current="shown") == "shown"


@pytest.mark.parametrize("shown", [game("shown", won=True, off=4), game("shown", silent_s=60, watching=9)])
def test_one_that_ends_or_falls_silent_is_left_for_one_that_is_played(shown):
    assert chosen([shown, PLAIN], current="shown") == "plain"
    assert chosen([shown, game("silent", silent_s=61)], current="shown") == "shown"


def test_a_game_that_is_gone_from_the_list_is_left_too():
    assert chosen([PLAIN], current="hidden") == "plain"


def test_while_nobody_moves_it_begins_with_the_unfinished_one_that_was_moved_in_last():
    rows = [game("won", silent_s=90, won=True), game("old", silent_s=900), game("last", silent_s=100)]
    assert chosen(rows) == "last"
    assert chosen([game("won", won=True)]) is None
    assert chosen([]) is None
