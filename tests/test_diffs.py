"""Diffs need no rules: whoever has a state and puts cards where the diffs say has the next state."""

from functools import reduce

import msgspec
from hypothesis import given
from stories import EXAMPLE, EXAMPLE_WIN, SORTED, SORTED_WIN, SPADES_LEAVE, logs, told

from simplesimon.diffs import Facts, diff, frame, logged, parse_frame, published, row, state, wire_for
from simplesimon.game import Redone, Restarted, Undone
from simplesimon.messages import Diff, StateMessage, UndoDiff, Who, encode
from simplesimon.wire import payloads

FACTS = Facts("AAAAAAAAAAAA", Who("aaaaaaaaaaaa", "Merry Thistle"), "public")


def frames(events):
    """What a follower is sent: a state, then diffs."""
    before = told(events[:1])
    sent: list[Diff] = [state(FACTS, before)]
    for event in events[1:]:
        after = before.then(event, before.at + 500)
        sent.append(diff(FACTS, before, event, after))
        before = after
    return sent


def payload(wire):
    """What a frame says."""
    [content] = payloads(wire)
    return msgspec.json.decode(content)


def apply(shown, told):
    """The next state, by the words of the contract alone."""
    if isinstance(told, StateMessage):
        return told
    columns, off = [line.split() for line in shown.columns], list(shown.off)
    source, count, target = told.m
    if isinstance(told, UndoDiff):
        if told.off:
            off.remove(told.off)
            columns[target] += [rank + told.off for rank in "KQJT98765432A"]
        columns[source] += columns[target][-count:]
        del columns[target][-count:]
    else:
        columns[target] += columns[source][-count:]
        del columns[source][-count:]
        if told.off:
            off.append(told.off)
            del columns[target][-13:]
    return msgspec.structs.replace(
        shown, v=told.v, columns=[" ".join(column) for column in columns], off=off, score=told.score, moves=told.moves,
        c=told.c,
    )  # fmt: skip


def followed(events):
    first, *rest = frames(events)
    return reduce(apply, rest, first)


def figures(message):
    return message.v, message.columns, message.off, message.score, message.moves, message.c


@given(logs())
def test_a_state_and_its_diffs_make_what_the_log_makes(events):
    assert figures(followed(events)) == figures(state(FACTS, told(events)))


def test_a_whole_win_can_be_followed():
    shown = followed([EXAMPLE, *EXAMPLE_WIN])
    assert (shown.score, shown.moves, len(shown.off), shown.columns) == (841, 59, 4, [""] * 10)


def test_a_removed_sequence_goes_and_comes_with_its_move():
    [_, gone, back, again] = frames([SORTED, SPADES_LEAVE, Undone(), Redone()])
    assert [(told.off, told.m) for told in (gone, back, again)] == [("S", (5, 5, 0))] * 3


def test_a_restart_and_what_undoes_or_repeats_it_are_states():
    sent = frames([SORTED, SORTED_WIN[0], Restarted(), Undone(), Redone(), Undone(), Restarted()])
    assert [isinstance(told, StateMessage) for told in sent[2:]] == [True] * 5
    assert [told.v for told in sent[2:]] == [3, 4, 5, 6, 7]


@given(logs())
def test_a_frame_comes_back_from_what_was_published(events):
    for message in frames(events):
        told = frame(message, encode(message), "9f3a01bc")
        assert parse_frame(published(encode(message), told.before)) == told


def test_only_a_state_is_another_one_for_its_player():
    begun, moved = (frame(message, encode(message), "") for message in frames([SORTED, SPADES_LEAVE]))
    mine = payload(wire_for(begun, "aaaaaaaaaaaa", 3))
    assert (mine["mine"], mine["watching"]) == (True, 3)
    theirs = payload(wire_for(begun, None, 3))
    assert (theirs["mine"], theirs["watching"]) == (False, 3)
    assert wire_for(moved, "aaaaaaaaaaaa", 3) is wire_for(moved, None, 0) is moved.wire


def test_who_may_see_a_game():
    private = Facts(FACTS.game_id, FACTS.by, "private")
    assert [private.is_visible_to(who) for who in ("aaaaaaaaaaaa", "b", None)] == [True, False, False]
    for visibility in ("public", "unlisted"):
        assert Facts(FACTS.game_id, FACTS.by, visibility).is_visible_to(None)


def test_a_row_has_the_figures_of_the_state():
    history = told([SORTED, SPADES_LEAVE])
    shown, listed = state(FACTS, history), row(FACTS, history, 3)
    assert listed.watching == 3
    for name in ("g", "v", "code", "suits", "by", "score", "moves", "off", "won", "at", "columns"):
        assert getattr(listed, name) == getattr(shown, name)


def test_an_event_of_the_log_is_told_with_its_line():
    entry = logged(2, 1796000000500, SPADES_LEAVE)
    assert encode(entry) == b'{"v":2,"at":1796000000500,"t":"move","line":"2 1796000000500 move 5 5 0","m":[5,5,0]}'
    assert encode(logged(3, 7, Undone())) == b'{"v":3,"at":7,"t":"undo","line":"3 7 undo"}'
