"""Positions: what moves, what it makes, why it is refused and in which order, and where a double-click goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stories import game, logs, position, possible_moves

from simplesimon.errors import Refused
from simplesimon.rules.cards import CARDS, RANKS, cards_text
from simplesimon.rules.position import COLUMNS, Move, Position, run_length

# Each column is there for one kind of refusal; the last one is empty
TABLE = position(
    "KH QH JH", "9S 8S 7S", "9D 8S 7H", "TC 3D 2D", "AH", "QS", "KS", "5H 4C 2C", "2S"
)  # fmt: skip


def why(source: int, count: int, target: int, table: Position = TABLE) -> str | None:
    try:
        table.check(Move(source, count, target))
    except Refused as refused:
        return refused.rule
    return None


def columns_after(table: Position, source: int, count: int, target: int) -> tuple[list[str], str | None]:
    move = Move(source, count, target)
    table.check(move)
    made, removed = table.after(move)
    return [cards_text(column) for column in made.columns], removed


# What moves


def test_a_card_goes_onto_one_a_rank_higher_of_the_same_suit_or_another():
    assert why(4, 1, 8) is None
    assert why(4, 1, 3) is None
    assert columns_after(TABLE, 4, 1, 8)[0][4::4] == ["", "2S AH"]


def test_a_run_moves_as_a_whole_and_keeps_its_order():
    table = position("TH 4S 3S 2S", "KC 5D")
    assert columns_after(table, 0, 3, 1)[0][:2] == ["TH", "KC 5D 4S 3S 2S"]


def test_a_part_of_a_run_moves():
    table = position("TH 4S 3S 2S", "3D", "4D")
    assert columns_after(table, 0, 1, 1)[0][:2] == ["TH 4S 3S", "3D 2S"]
    assert columns_after(table, 0, 2, 2)[0][::2][:2] == ["TH 4S", "4D 3S 2S"]


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.text)
def test_any_card_goes_to_an_empty_column(card):
    assert why(0, 1, 9, position(card.text)) is None


@pytest.mark.parametrize("count", range(1, 13))
def test_a_run_of_any_length_goes_to_an_empty_column(count):
    run = "KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"
    assert columns_after(position(run), 0, count, 9)[0][9] == run[-(3 * count - 1) :]


# What does not, and why


@pytest.mark.parametrize(
    ("rule", "move"),
    [
        ("no_such_column", (-1, 1, 0)),
        ("no_such_column", (0, 1, -1)),
        ("no_such_column", (10, 1, 0)),
        ("no_such_column", (0, 1, 10)),
        ("same_column", (0, 1, 0)),
        ("no_such_cards", (0, 0, 9)),
        ("no_such_cards", (0, -1, 9)),
        ("no_such_cards", (0, 4, 9)),
        ("no_such_cards", (9, 1, 0)),
        ("not_in_sequence", (7, 2, 9)),
        ("mixed_suits", (2, 2, 9)),
        ("onto_ace", (8, 1, 4)),
        ("king_needs_empty_column", (6, 1, 5)),
        ("king_needs_empty_column", (0, 3, 6)),
        ("wrong_rank", (8, 1, 6)),
        ("wrong_rank", (5, 1, 0)),
        ("wrong_rank", (8, 1, 7)),
    ],
)
def test_every_refusal_has_its_name(rule, move):
    assert why(*move) == rule


@pytest.mark.parametrize(
    ("rule", "move"),
    [
        # the columns before the cards
        ("no_such_column", (10, 99, 10)),
        ("no_such_column", (-1, 0, -1)),
        ("same_column", (9, 1, 9)),
        ("same_column", (7, 3, 7)),
        # the cards before the run
        ("no_such_cards", (7, 4, 4)),
        # the run before the target, the sequence before the suits
        ("not_in_sequence", (3, 3, 4)),
        ("mixed_suits", (2, 3, 4)),
        # an ace as the target before a king as the card, and before a wrong rank
        ("onto_ace", (6, 1, 4)),
        ("onto_ace", (0, 1, 4)),
        # a king before a wrong rank
        ("king_needs_empty_column", (6, 1, 1)),
    ],
)
def test_of_several_faults_the_first_is_told(rule, move):
    assert why(*move) == rule


def test_an_ace_onto_an_ace_is_refused_for_the_ace():
    assert why(0, 1, 1, position("AS", "AD")) == "onto_ace"


def test_a_run_of_mixed_suits_does_not_move_even_with_empty_columns():
    table = position("8S 7H 6S", "9S")
    assert why(0, 3, 1, table) == why(0, 2, 9, table) == "mixed_suits"


def test_cards_of_mixed_suits_out_of_order_are_told_the_order():
    assert why(0, 2, 1, position("8S 6H", "9S")) == "not_in_sequence"


def test_a_run_that_goes_up_is_not_in_sequence():
    assert why(0, 2, 9, position("7S 8S")) == "not_in_sequence"


def test_a_refusal_carries_its_name_and_the_code_of_all_refusals():
    with pytest.raises(Refused) as refused:
        TABLE.check(Move(0, 1, 0))
    assert (refused.value.rule, refused.value.code) == ("same_column", "refused")


# The removal


TWELVE = "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C"


def test_a_whole_sequence_leaves_with_the_move_that_completes_it():
    table = position("5D " + TWELVE, "3S AC")
    columns, removed = columns_after(table, 1, 1, 0)
    assert (columns[:2], removed) == (["5D", "3S"], "C")


def test_a_column_is_empty_when_all_of_it_left():
    columns, removed = columns_after(position(TWELVE[:2], TWELVE[3:] + " AC"), 1, 12, 0)
    assert (columns, removed) == ([""] * 10, "C")


def test_thirteen_cards_of_mixed_suits_stay():
    columns, removed = columns_after(position(TWELVE, "AS"), 1, 1, 0)
    assert (columns[0], removed) == (TWELVE + " AS", None)


def test_twelve_cards_stay():
    columns, removed = columns_after(position(TWELVE[3:], "AC"), 1, 1, 0)
    assert (columns[0], removed) == (TWELVE[3:] + " AC", None)


def test_only_the_column_that_received_the_move_is_looked_at():
    whole = TWELVE + " AC"
    columns, removed = columns_after(position(whole + " 5S", "6D", whole), 0, 1, 1)
    assert (columns[:3], removed) == ([whole, "6D 5S", whole], None)


def test_a_run_ends_where_suit_or_rank_breaks():
    lengths = [run_length(column) for column in position("", "5H", "6S 5H", "7H 5H", "9S 7H 6H 5H", "7D 6H 5H").columns]
    assert lengths[:6] == [0, 1, 1, 1, 3, 2]


# A second, deliberately plain reading of the rules


def read_plainly(columns: list[list[str]], source: int, count: int, target: int) -> str | None:
    if source not in range(10) or target not in range(10):
        return "no_such_column"
    if source == target:
        return "same_column"
    if count not in range(1, len(columns[source]) + 1):
        return "no_such_cards"
    cards = columns[source][len(columns[source]) - count :]
    ranks = "".join(card[0] for card in cards)
    if ranks[::-1] not in RANKS:
        return "not_in_sequence"
    if len({card[1] for card in cards}) > 1:
        return "mixed_suits"
    if not columns[target]:
        return None
    below = columns[target][-1][0]
    if below == "A":
        return "onto_ace"
    if ranks[0] == "K":
        return "king_needs_empty_column"
    return None if ranks[0] + below in RANKS else "wrong_rank"


@given(logs(), st.lists(st.tuples(st.integers(-2, 11), st.integers(-1, 14), st.integers(-2, 11)), max_size=50))
def test_both_readings_of_the_rules_agree(events, moves):
    table = game(events).state.position
    columns = [cards_text(column).split() for column in table.columns]
    every = [(source, count, target) for source in range(10) for count in (1, 2) for target in range(10)]
    for source, count, target in [*every, *moves]:
        assert why(source, count, target, table) == read_plainly(columns, source, count, target)


@given(logs())
def test_a_move_changes_two_columns_and_loses_no_card(events):
    table = game(events).state.position
    for move in possible_moves(table):
        table.check(move)
        made, removed = table.after(move)
        kept = [index for index in range(COLUMNS) if index not in (move.source, move.target)]
        assert [made.columns[index] for index in kept] == [table.columns[index] for index in kept]
        assert sum(map(len, made.columns)) + 13 * bool(removed) == sum(map(len, table.columns))
