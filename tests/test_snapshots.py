"""Snapshots: the history comes back without its log, and goes on as if it had never been away."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stories import EXAMPLE, EXAMPLE_WIN, SORTED, SORTED_WIN, SPADES_LEAVE, logs, next_event, to_and_fro, told

from simplesimon.errors import Damaged
from simplesimon.game import Redone, Restarted, Undone
from simplesimon.snapshots import restore, sealed, snapshot, version_of

A_GAME = told([SORTED, SPADES_LEAVE, Restarted(), *to_and_fro(3), Undone()])


@pytest.mark.parametrize(
    "happened",
    [
        [SORTED],
        [EXAMPLE, *EXAMPLE_WIN],
        [SORTED, *SORTED_WIN[:3], Undone(), Undone()],
        [SORTED, SPADES_LEAVE, Restarted(), Undone()],
        [SORTED, SPADES_LEAVE, Restarted(), Undone(), Undone()],
        [SORTED, SPADES_LEAVE, Restarted(), Undone(), Restarted()],
        [SORTED, *to_and_fro(40), Restarted(), *to_and_fro(80)],
    ],
    ids=["deal", "won", "undone", "restart undone", "all undone", "restarted", "long"],
)
def test_a_history_comes_back_from_its_snapshot(happened):
    assert restore(snapshot(told(happened))) == told(happened)


def test_a_snapshot_knows_what_left_before_the_oldest_state_it_holds():
    happened = [SORTED, SORTED_WIN[1], *to_and_fro(150)]
    history = restore(snapshot(told(happened)))
    assert (history.game.past[0].off, history.game.past[0].moves) == ("C", 51)
    assert history == told(happened)


def test_a_snapshot_stays_small_however_long_the_game():
    assert len(snapshot(told([SORTED, *to_and_fro(150)]))) < 2048


@given(logs())
def test_every_history_comes_back(happened):
    history = told(happened)
    assert restore(snapshot(history)) == history


@given(logs(), st.lists(st.integers(0, 4000), max_size=20))
def test_what_comes_back_goes_on_like_what_never_left(happened, choices):
    live = told(happened)
    restored = restore(snapshot(live))
    for choice in choices:
        event = next_event(live.game, choice)
        assert next_event(restored.game, choice) == event
        if event is None:
            break
        live, restored = live.then(event, live.at + 7), restored.then(event, restored.at + 7)
    assert restored == live


@given(logs(), st.integers(0, 30))
def test_a_snapshot_and_the_events_after_it_are_the_whole_log(happened, after):
    at_snapshot, rest = happened[: max(1, len(happened) - after)], happened[max(1, len(happened) - after) :]
    history = restore(snapshot(told(at_snapshot)))
    for event in rest:
        history = history.then(event, history.at + 500)
    assert history == told(happened)


# Damage: whoever asked goes to the log instead, so each must be told as Damaged


def changed(place: int, value: object) -> bytes:
    """The snapshot of A_GAME with another value in one of its places."""
    kept = json.loads(snapshot(A_GAME)[: -len(sealed(b""))])
    kept[place] = value
    return sealed(json.dumps(kept).encode())


DEAL, VERSION, AT, CHAIN, COLUMNS, OFF, MOVES, ACTIONS, UNDONE = range(9)


def test_the_places_of_a_snapshot_are_those_that_the_damage_below_is_done_to():
    assert restore(changed(AT, A_GAME.at)) == A_GAME


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"null", b"\xff", snapshot(A_GAME)[:-1]])
def test_what_is_no_snapshot_is_damaged(content):
    with pytest.raises(Damaged, match="a snapshot cannot be read"):
        restore(content)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (DEAL, "SS1-S3-AAAAABD"),
        (DEAL, None),
        (VERSION, "many"),
        (CHAIN, "no hex"),
        (COLUMNS, ["XX"]),
        (COLUMNS, 10),
        (ACTIONS, []),
        (ACTIONS, [[0, 1]]),
        (ACTIONS, [None, [10, 1, 0]]),
        (ACTIONS, [None, [9, 1, 10]]),
        (UNDONE, 5000),
        (UNDONE, -1),
    ],
)
def test_a_snapshot_that_cannot_be_is_damaged(place, value):
    with pytest.raises(Damaged):
        restore(changed(place, value))


@given(st.integers(0, len(snapshot(A_GAME)) - 1), st.integers(1, 255))
def test_a_snapshot_with_one_byte_changed_is_damaged(place, difference):
    content = bytearray(snapshot(A_GAME))
    content[place] ^= difference
    with pytest.raises(Damaged):
        restore(bytes(content))


def test_redo_of_a_restored_restart_deals_the_same_cards():
    history = restore(snapshot(told([EXAMPLE, *EXAMPLE_WIN[:5], Restarted(), Undone()])))
    again = history.then(Redone(), history.at + 1)
    assert [
        " ".join(card.text for card in column) for column in again.game.state.position.columns
    ] == EXAMPLE.deal.lines


def test_its_version_can_be_told_without_bringing_it_back():
    history = told([SORTED, *SORTED_WIN[:3]])
    assert version_of(snapshot(history)) == 4
    assert version_of(b"[]") == 0
