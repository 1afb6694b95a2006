"""Cards, their text and back, and the three packs."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simplesimon.errors import NoSuchCard
from simplesimon.rules.cards import CARDS, Card, cards_text, pack, parse_card, parse_cards

cards = st.sampled_from(list(CARDS.values()))


def test_a_card_is_rank_then_suit():
    assert Card(10, "H").text == "TH"
    assert Card(1, "S").text == "AS"
    assert Card(13, "C").text == "KC"


def test_there_are_52_different_cards():
    assert len(CARDS) == len(set(CARDS.values())) == 52


@given(cards)
def test_every_card_comes_back_from_its_text(card):
    assert parse_card(card.text) == card
    assert parse_card(card.text.lower()) == card


@given(st.lists(cards).map(tuple))
def test_every_line_of_cards_comes_back_from_its_text(column):
    assert parse_cards(cards_text(column)) == column


def test_an_empty_column_is_an_empty_line():
    assert cards_text(()) == ""
    assert parse_cards("  ") == ()


def test_ten_may_be_written_in_full():
    assert parse_cards("10H 10s") == (Card(10, "H"), Card(10, "S"))


@pytest.mark.parametrize("text", ["", "T", "HT", "1H", "0S", "TX", "THS", "110H", "T10", "♠A", "T H", "\0S"])
def test_what_is_no_card_is_named(text):
    with pytest.raises(NoSuchCard) as error:
        parse_card(text)
    assert repr(text) in str(error.value)
    assert error.value.code == "no_such_card"


def test_a_long_text_is_not_repeated_in_full():
    with pytest.raises(NoSuchCard) as error:
        parse_card("x" * 1000)
    assert "x" * 20 in str(error.value)
    assert "x" * 21 not in str(error.value)


def test_the_packs_are_those_of_the_rules():
    assert Counter(card.suit for card in pack(1)) == {"S": 52}
    assert Counter(card.suit for card in pack(2)) == {"S": 26, "H": 26}
    assert Counter(card.suit for card in pack(4)) == {"S": 13, "H": 13, "D": 13, "C": 13}
    for suits in (1, 2, 4):
        assert set(Counter(pack(suits)).values()) == {4 // suits}


def test_the_order_that_the_dealing_starts_from_is_copies_then_suits_then_ranks():
    assert cards_text(tuple(pack(2)[:15])) == "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H"
    assert pack(2)[26:] == pack(2)[:26]
    assert cards_text(tuple(pack(4)[12::13])) == "KS KH KD KC"
