"""Histories: lines, the chain, and the events as the log stores them, for ever."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stories import EXAMPLE, deals, game, logs, told

from simplesimon.errors import Damaged
from simplesimon.game import Dealt, Moved, Redone, Restarted, Undone
from simplesimon.history import FORMAT, begin, line, parse_stored, stored
from simplesimon.rules.deal import deal_from_code
from simplesimon.rules.position import Move

CODED = Dealt(deal_from_code("SS1-S1-AAAAABD"))
FIRST_MOVE = Moved(Move(3, 2, 5))

moves = st.builds(Move, st.integers(0, 9), st.integers(1, 13), st.integers(0, 9)).map(Moved)
events = st.one_of(
    deals().map(Dealt), moves, st.sampled_from([Undone(), Redone(), Restarted()]), st.just(EXAMPLE)
)  # fmt: skip


def chain_of(lines: list[str]) -> str:
    """The chain as `history` words it, from lines alone."""
    value = b""
    for text in lines:
        value = hashlib.sha256(value + text.encode("ascii")).digest()
    return value.hex()


# Lines and the chain


@pytest.mark.parametrize(
    ("version", "at", "event", "text"),
    [
        (1, 1796000000000, CODED, "1 1796000000000 deal SS1-S1-AAAAABD"),
        (2, 1796000001500, FIRST_MOVE, "2 1796000001500 move 3 2 5"),
        (17, 1796000001501, Moved(Move(0, 13, 9)), "17 1796000001501 move 0 13 9"),
        (20000, 1, Undone(), "20000 1 undo"),
        (3, 0, Redone(), "3 0 redo"),
        (4, 12, Restarted(), "4 12 restart"),
    ],
)
def test_the_line_of_each_event_is_that_of_the_contract(version, at, event, text):
    assert line(version, at, event) == text


def test_the_line_of_a_given_deal_has_its_ten_columns():
    assert line(1, 1796000000000, EXAMPLE) == (
        "1 1796000000000 deal ASKHAC4DKD6CTH4C/3D2D4S9CAD7C8D9H/JH6S8H5H2S3C6HKS/JS7D2CTS9DTD5S/"
        "2H9SKC8CQSAH/QC7HTCJCQH/JD3H5C6D/8S4HQD/3S7S/5D"
    )


def test_the_chain_is_sha256_over_the_chain_before_and_the_line():
    lines = [
        "1 1796000000000 deal SS1-S4-AAAAABD",
        "2 1796000001500 restart",
        "3 1796000001500 undo",
        "4 1796000009000 redo",
    ]
    history = begin(Dealt(deal_from_code("SS1-S4-AAAAABD")), 1796000000000)
    assert history.chain.hex() == chain_of(lines[:1])
    later = history.then(Restarted(), 1796000001500).then(Undone(), 1796000001500).then(Redone(), 1796000009000)
    assert later.chain.hex() == chain_of(lines)
    assert later.c == chain_of(lines)[:8]
    assert (later.version, later.at) == (4, 1796000009000)


def test_the_chain_has_a_known_answer():
    history = begin(CODED, 1796000000000)
    assert history.chain.hex() == "7de8625fc27595ee419a82aec39cc875f554d7d8b4e683b51fd9e06e9243d747"
    assert history.c == "7de8625f"


def test_the_chain_tells_apart_what_happened_at_another_time():
    begun = begin(CODED, 1796000000000)
    assert begun.chain != begin(CODED, 1796000000001).chain
    assert begun.then(Restarted(), 1796000000002).chain != begun.then(Restarted(), 1796000000003).chain


@given(logs())
def test_a_history_is_its_game_and_the_chain_of_its_lines(happened):
    history = told(happened)
    lines = [line(v, 1796000000000 + 500 * (v - 1), event) for v, event in enumerate(happened, 1)]
    assert history.chain.hex() == chain_of(lines)
    assert history.game == game(happened)
    assert history.version == len(happened)
    assert all(re.fullmatch(r"\d+ \d+ (deal \S+|move \d \d+ \d|undo|redo|restart)", text) for text in lines)


# Stored events


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (CODED, "1 deal SS1-S1-AAAAABD"),
        (FIRST_MOVE, "3025"),
        (Moved(Move(0, 1, 2)), "12"),
        (Moved(Move(9, 13, 0)), "9130"),
        (Undone(), "undo"),
        (Redone(), "redo"),
        (Restarted(), "restart"),
    ],
)
def test_each_event_is_stored_as_format_1_has_it(event, text):
    assert stored(event) == text
    assert parse_stored(text) == event


def test_a_stored_given_deal_has_its_columns():
    assert stored(EXAMPLE) == "1 deal " + EXAMPLE.deal.text
    assert parse_stored(stored(EXAMPLE)) == EXAMPLE


@given(events)
def test_every_event_comes_back_from_what_is_stored(event):
    assert parse_stored(stored(event)) == event


@given(st.integers(0, 9), st.integers(1, 13), st.integers(0, 9))
def test_a_move_is_stored_as_a_number_that_redis_packs_tightly(source, count, target):
    text = stored(Moved(Move(source, count, target)))
    assert str(int(text)) == text
    assert int(text) < 2**15


@given(logs())
def test_a_stored_log_is_the_same_history(happened):
    assert told([parse_stored(stored(event)) for event in happened]) == told(happened)


# Damage


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "'' is no stored event"),
        ("undone", "'undone' is no stored event"),
        ("Undo", "'Undo' is no stored event"),
        ("30250", "'30250' is no stored event"),
        ("-12", "'-12' is no stored event"),
        ("\u0663\u0660\u0662\u0665", "is no stored event"),
        ("1 2 3 4", "is no stored event"),
        ("1 dealt SS1-S1-AAAAABD", "is no stored event"),
        ("deal SS1-S1-AAAAABD", "is no stored event"),
        ("2 deal SS1-S1-AAAAABD", f"format 2, which this version does not know (it knows {FORMAT})"),
        ("1 deal SS1-S3-AAAAABD", "a deal that cannot be: 'SS1-S3-AAAAABD' is no deal code"),
        ("1 deal AS/KS", "a deal that cannot be: the columns have 1, 1 cards"),
        ("1 deal XX/KS", "a deal that cannot be: 'XX' is no card"),
        ("1 deal " + EXAMPLE.deal.text.replace("KS", "QS"), "a deal that cannot be: the deal has 2 x QS"),
    ],
)
def test_what_was_never_stored_is_damage_and_nothing_is_guessed(text, detail):
    with pytest.raises(Damaged) as error:
        parse_stored(text)
    assert detail in str(error.value)


@given(st.text(max_size=30))
def test_any_text_is_an_event_or_damage(text):
    try:
        parse_stored(text)
    except Damaged as error:
        assert str(error)  # noqa: PT017
