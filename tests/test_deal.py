"""Deal codes, the dealing of version SS1, deals given as lines: known answers, forgiveness, and every error by name."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stories import EXAMPLE, SORTED, deals

from simplesimon.errors import BadDealCode, NoSuchCard, SimpleSimonError, WrongColumnSizes, WrongPack
from simplesimon.rules.cards import pack
from simplesimon.rules.deal import (
    COLUMN_SIZES,
    SUIT_COUNTS,
    deal_code,
    deal_from_code,
    deal_from_lines,
    deal_from_text,
    parse_code,
)

seeds = st.integers(0, 2**35 - 1)


def dealt_anew(code: str) -> list[str]:
    """The dealing of version SS1, written a second time."""
    suits = {"1": "S", "2": "SH", "4": "SHDC"}[code[5]]
    cards = [rank + suit for _ in range(4 // len(suits)) for suit in suits for rank in "A23456789TJQK"]
    draws: list[int] = []
    for counter in range(20):
        digest = hashlib.sha256(f"{code}/{counter}".encode()).hexdigest()
        draws += [int(digest[at : at + 8], 16) for at in range(0, 64, 8)]
    i = 51
    while i:
        n, draw = i + 1, draws.pop(0)
        if draw < 2**32 // n * n:
            j = draw % n
            cards[i], cards[j] = cards[j], cards[i]
            i -= 1
    return [" ".join(cards.pop(0) for _ in range(size)) for size in (8, 8, 8, 7, 6, 5, 4, 3, 2, 1)]


@pytest.mark.parametrize(
    ("code", "first", "last"),
    [
        ("SS1-S1-AAAAABD", "3S 6S AS JS 2S AS 4S 9S", None),
        ("SS1-S2-AAAAABD", "9S 4S 3S KH 7H AS 2S QS", None),
        ("SS1-S4-AAAAABD", "AC 3D KD JS 7D 6S 6D 7C", "AH"),
    ],
)
def test_the_known_answers(code, first, last):
    deal = deal_from_code(code)
    assert deal.lines[0] == first
    assert deal.lines[9] == last or last is None
    assert deal.lines == dealt_anew(code)


@pytest.mark.parametrize("code", ["SS1-S4-AABRBYM", "SS1-S4-AAFHGZB", "SS1-S4-AAUTTIH"])
def test_a_draw_above_the_largest_multiple_is_passed_over_and_one_below_is_not(code):
    # Of the few codes that have a draw close to 2^32, one in millions: two with one above, one with one just below
    draws = b"".join(hashlib.sha256(f"{code}/{counter}".encode()).digest() for counter in range(7))
    assert b"\xff\xff\xff" in draws
    assert deal_from_code(code).lines == dealt_anew(code)


@given(deals())
def test_every_code_deals_as_the_rules_say(deal):
    assert deal.lines == dealt_anew(deal.code)


@given(deals())
def test_a_deal_is_the_whole_pack_in_the_ten_columns(deal):
    assert tuple(map(len, deal.columns)) == COLUMN_SIZES
    assert sorted(card for column in deal.columns for card in column) == sorted(pack(deal.suits))


@given(st.sampled_from(SUIT_COUNTS), seeds)
def test_every_seed_has_one_code_that_parses_to_itself(suits, seed):
    code = deal_code(suits, seed)
    assert parse_code(code) == code
    value = 0
    for letter in code[7:]:
        value = value * 32 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".index(letter)
    assert (code[:7], value) == (f"SS1-S{suits}-", seed)


@pytest.mark.parametrize(
    ("seed", "code"),
    [(0, "SS1-S1-AAAAAAA"), (35, "SS1-S1-AAAAABD"), (2**35 - 1, "SS1-S1-7777777"), (2**30, "SS1-S1-BAAAAAA")],
)
def test_a_seed_is_written_in_base32_the_highest_bits_first(seed, code):
    assert deal_code(1, seed) == code


@pytest.mark.parametrize(
    "typed",
    [
        "ss1-s4-aaoibbd",
        "SS1S4AAOIBBD",
        "SS1-S4-AA018BD",
        "  ss1 s4 aa 01 8bd\n",
        "SS1--S4--AAOI-BBD",
        "SS1\u2010S4\u2011AAOIBBD",
        "SS1\u2013S4\u2014AAOIBBD",
        "SS1\u2212S4\u00a0AA0I8BD",
    ],
)
def test_typed_codes_are_forgiven_case_spaces_dashes_and_look_alike_digits(typed):
    assert parse_code(typed) == "SS1-S4-AAOIBBD"
    assert deal_from_code(typed).code == "SS1-S4-AAOIBBD"


@pytest.mark.parametrize(
    ("typed", "detail"),
    [
        ("", "begin with SS1"),
        ("SS2-S1-AAAAABD", "begin with SS1"),
        ("hello", "begin with SS1"),
        ("SS1-S4-AAAAAB\u0394", "A to Z and digits"),
        ("SS1-S3-AAAAABD", "S1, S2 or S4"),
        ("SS1-AAAAABD", "S1, S2 or S4"),
        ("SS1", "S1, S2 or S4"),
        ("SS1-S4", "0 letters after S4, not 7"),
        ("SS1-S4-AAAAAB", "6 letters after S4, not 7"),
        ("SS1-S4-AAAAABDE", "8 letters after S4, not 7"),
        ("SS1-S4-AAAA9BD", "'9' cannot be"),
        ("SS1-S4-AAAA_BD", "'_' cannot be"),
    ],
)
def test_what_is_no_code_is_told_why(typed, detail):
    with pytest.raises(BadDealCode) as error:
        parse_code(typed)
    assert detail in str(error.value)
    assert repr(typed) in str(error.value)
    assert error.value.code == "bad_deal_code"


@given(st.text(max_size=20) | st.from_regex(r"(?i)ss1-?s[0-9]-?[a-z0-9]{6,8}", fullmatch=True))
def test_whatever_is_typed_is_a_canonical_code_or_a_named_error(typed):
    try:
        code = parse_code(typed)
    except BadDealCode:
        return
    assert parse_code(code) == code
    assert len(code) == 14


@given(deals())
def test_a_deal_comes_back_from_its_text(deal):
    assert deal_from_text(deal.text) == deal
    given_as_lines = deal_from_lines(deal.lines)
    assert given_as_lines.code is None
    assert (given_as_lines.columns, given_as_lines.suits) == (deal.columns, deal.suits)
    assert deal_from_text(given_as_lines.text) == given_as_lines


def test_the_text_of_a_given_deal_is_its_columns_joined():
    assert EXAMPLE.deal.text == (
        "ASKHAC4DKD6CTH4C/3D2D4S9CAD7C8D9H/JH6S8H5H2S3C6HKS/JS7D2CTS9DTD5S/2H9SKC8CQSAH/QC7HTCJCQH/JD3H5C6D/8S4HQD/3S7S/5D"
    )
    assert deal_from_code("ss1 s4 aaaaabd").text == "SS1-S4-AAAAABD"


def test_lines_may_be_a_board_of_another_program():
    lines = [": " + line.replace("T", "10").lower() + "  " for line in EXAMPLE.deal.lines]
    assert deal_from_lines(lines) == EXAMPLE.deal


def changed(column: int, line: str) -> list[str]:
    lines = SORTED.deal.lines
    return [*lines[:column], line, *lines[column + 1 :]]


@pytest.mark.parametrize(
    ("lines", "kind", "detail"),
    [
        (changed(7, "3D 2D XD"), NoSuchCard, "'XD' is no card"),
        (
            changed(9, ""),
            WrongColumnSizes,
            "8, 8, 8, 7, 6, 5, 4, 3, 2, 0 cards (51), not 8, 8, 8, 7, 6, 5, 4, 3, 2, 1 (52)",
        ),
        (changed(9, "5H 5H"), WrongColumnSizes, "3, 2, 2 cards (53)"),
        (SORTED.deal.lines[::-1], WrongColumnSizes, "1, 2, 3, 4, 5, 6, 7, 8, 8, 8 cards (52)"),
        (SORTED.deal.lines[:9], WrongColumnSizes, "4, 3, 2 cards (51)"),
        ([*SORTED.deal.lines, ""], WrongColumnSizes, "3, 2, 1, 0 cards (52)"),
        ([], WrongColumnSizes, " cards (0)"),
        (changed(9, "4S"), WrongPack, "the deal has 2 x 4S, a pack of 4 suits has 1"),
        (changed(9, "6S"), WrongPack, "the deal has 0 x 5H, a pack of 4 suits has 1"),
        ([line.replace("H", "S").replace("D", "S") for line in SORTED.deal.lines], WrongPack, "a pack of 4 suits"),
        ([line.replace("C", "S") for line in SORTED.deal.lines], WrongPack, "a pack of 4 suits"),
        (
            [line.replace("D", "H").replace("C", "H") for line in SORTED.deal.lines],
            WrongPack,
            "a pack of 2 suits has 2",
        ),
    ],
)
def test_a_deal_that_cannot_be_is_told_why(lines, kind, detail):
    with pytest.raises(kind) as error:
        deal_from_lines(lines)
    assert detail in str(error.value)


def one_suit() -> list[str]:
    return [line.translate(str.maketrans("HDC", "SSS")) for line in SORTED.deal.lines]


def test_five_aces_of_spades_are_named():
    lines = one_suit()
    lines[9] = "AS"
    with pytest.raises(WrongPack, match=r"^the deal has 5 x AS, a pack of 1 suit has 4$"):
        deal_from_lines(lines)


def test_lines_are_of_as_many_suits_as_their_cards():
    assert deal_from_lines(one_suit()).suits == 1
    assert deal_from_lines([line.translate(str.maketrans("DC", "SH")) for line in SORTED.deal.lines]).suits == 2
    assert SORTED.deal.suits == 4


@pytest.mark.parametrize("text", ["", "SS1", "/////////", "AS/KS", "ASK/S", "SS1-S4-AAAAABD/"])
def test_a_text_that_is_no_deal_is_a_named_error(text):
    with pytest.raises(SimpleSimonError):
        deal_from_text(text)
