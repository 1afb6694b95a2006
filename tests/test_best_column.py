"""Where a double-click sends a run, clause by clause."""

import pytest
from hypothesis import given
from stories import game, logs, position, possible_moves

from simplesimon.errors import Refused
from simplesimon.rules.position import Position, run_length


def best(table: Position, source: int, count: int) -> int | None:
    return table.best_column(source, count)


def test_the_same_suit_is_best_then_an_empty_column_then_another_suit():
    same, other = "7H", "7S"
    assert best(position("9C 6H", other, "", same, "KD", "KD", "KD", "KD", "KD", "KD"), 0, 1) == 3
    assert best(position("9C 6H", other, "KD", "", "KD", "KD", "KD", "KD", "KD", "KD"), 0, 1) == 3
    assert best(position("9C 6H", "KD", "KD", other, "KD", "KD", "KD", "KD", "KD", "KD"), 0, 1) == 3


def test_nowhere_is_none():
    assert best(position("9C 6H", *["KD"] * 9), 0, 1) is None
    assert best(position("9C KH", *["KD"] * 9), 0, 1) is None
    assert best(position("9C KH", *["AD"] * 9), 0, 1) is None


def test_of_the_same_suit_the_longest_run_wins_even_further_right():
    assert best(position("9C 6H", "7H", "2S 8H 7H", "9S 8D 7H"), 0, 1) == 2
    assert best(position("9C 6H", "7H", "8H 7H", "9H 8H 7H"), 0, 1) == 3


def test_of_equally_long_runs_the_leftmost_wins():
    assert best(position("KC", "KC", "8H 7H", "8H 7H", "9C 6H"), 4, 1) == 2


def test_of_other_suits_the_leftmost_wins_whatever_lies_below():
    assert best(position("9C 6H", "KD", "7S", "9D 8D 7D", *["KD"] * 6), 0, 1) == 2


def test_of_empty_columns_the_leftmost_wins():
    assert best(position("KD", "", "9C 6H", ""), 2, 1) == 1


def test_a_whole_column_never_goes_to_an_empty_one():
    assert best(position("7H 6H", "KD"), 0, 2) is None
    assert best(position("7H 6H", "8S"), 0, 2) == 1
    assert best(position("KH", ""), 0, 1) is None


def test_a_part_of_a_column_goes_to_an_empty_one():
    assert best(position("7H 6H", "KD"), 0, 1) == 2
    assert best(position("5S KH", "AD"), 0, 1) == 2


def test_its_own_column_is_no_target():
    assert best(position("7H 6H", *["KD"] * 9), 0, 1) is None


def test_a_touched_run_is_placed_by_its_first_card():
    assert best(position("9C 6H 5H 4H", "5H", "7H"), 0, 3) == 2


UNTIDY = position("9D 8S 7H", "5H 4C 2C")


@pytest.mark.parametrize(
    ("rule", "touched"),
    [
        ("no_such_column", (10, 1)),
        ("no_such_column", (-1, 1)),
        ("no_such_cards", (9, 1)),
        ("no_such_cards", (0, 0)),
        ("not_in_sequence", (1, 2)),
        ("mixed_suits", (0, 2)),
    ],
)
def test_what_is_no_run_goes_nowhere_and_the_rule_is_told(rule, touched):
    with pytest.raises(Refused, match=rule):
        UNTIDY.best_column(*touched)


@given(logs())
def test_a_best_column_is_one_that_accepts_and_none_only_where_nothing_better_is(events):
    table = game(events).state.position
    for source, column in enumerate(table.columns):
        for count in range(1, run_length(column) + 1):
            accepting = [move.target for move in possible_moves(table) if (move.source, move.count) == (source, count)]
            whole = count == len(column)
            worth_it = [target for target in accepting if not whole or table.columns[target]]
            chosen = table.best_column(source, count)
            assert chosen in worth_it if worth_it else chosen is None
