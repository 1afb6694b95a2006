"""What holds in every game that can be played, tried on games that hypothesis makes up."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from stories import game, logs, next_event, told

from simplesimon.game import UNDO_LIMIT, Redo, Redone, Undo, Undone, decide, evolve, start
from simplesimon.rules.cards import SUITS, Card


@given(logs())
def test_there_are_always_52_cards(events):
    state = game(events).state
    left = [Card(rank, suit) for suit in state.off for rank in range(1, 14)]
    held = [card for column in state.position.columns for card in column]
    assert sorted(held + left) == sorted(card for column in events[0].deal.columns for card in column)
    assert 13 * len(state.off) + len(held) == 52
    assert set(state.off) <= set(SUITS)


@given(logs())
def test_the_score_is_500_less_the_moves_and_100_for_each_sequence(events):
    state = game(events).state
    assert state.score == 500 - state.moves + 100 * len(state.off)
    assert state.is_won == (state.position.columns == ((),) * 10)


@given(logs(), st.integers(0, 4000))
def test_undo_after_any_action_is_identity_and_redo_repeats_it(events, choice):
    before = game(events)
    event = next_event(before, choice)
    if event is None or isinstance(event, Undone):
        return
    after = evolve(before, event)
    if after.state.is_won:
        return
    undone = evolve(after, decide(after, Undo()))
    assert undone.state == before.state
    assert undone.past == before.past[-(UNDO_LIMIT - 1) :]
    redone = evolve(undone, decide(undone, Redo()))
    assert (redone.state, redone.past, redone.future) == (after.state, after.past, after.future)


@given(logs())
def test_undo_then_redo_is_identity(events):
    now = game(events)
    if now.past and not now.state.is_won:
        again = evolve(evolve(now, Undone()), Redone())
        assert (again.state, again.past, again.future) == (now.state, now.past, now.future)


@given(logs())
def test_the_past_the_present_and_the_future_are_one_chain_of_moves_and_restarts(events):
    now = game(events)
    chain = [*now.past, now.state, *now.future]
    assert len(now.past) + len(now.future) <= UNDO_LIMIT
    for parent, state in pairwise(chain):
        restarted = start(events[0]).state
        assert state == (parent.after(state.move) if state.move else restarted)


@given(logs())
def test_replaying_the_log_is_the_live_game(events):
    assert told(events).game == game(events)
    assert game(events).version == len(events)
