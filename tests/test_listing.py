"""A change of the list as workers tell one another of it: who it is for, and what they are told."""

import msgspec
import pytest
from clients import COLUMNS

from simplesimon.hub import Hub
from simplesimon.listing import change, frames, listed, parse_changes
from simplesimon.messages import GameRow, Lobby, Row, Unlisted, Who, encode
from simplesimon.wire import framed


def row(g, by, kind=Row):
    return kind(g, 2, None, 4, Who(by, by.title()), 499, 1, [], False, 0, 1796000000000, COLUMNS)


MOVED = change(row("first", "ann", GameRow), "ann", is_news=False)
DEALT = change(row("second", "bob", GameRow), "bob", is_news=True)
GONE = change(Unlisted("third"), "ann", is_news=True)
CHANGES = [MOVED, DEALT, GONE]


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (Lobby(on=True), CHANGES),
        (Lobby(on=True, moves=False), [DEALT, GONE]),
        (Lobby(on=True, by="ann"), [MOVED, GONE]),
        (Lobby(on=True, by="ann", moves=False), [GONE]),
        (Lobby(on=True, by="nobody"), []),
    ],
)
def test_everybody_is_told_what_they_wish_to_hear(wish, told):
    assert frames(CHANGES, wish) == b"".join(framed(bytes(one.message)) for one in told)


def test_the_list_begins_with_what_is_wished_for():
    rows = [row("first", "ann"), row("second", "bob")]
    assert listed(rows, Lobby(on=True)) == rows
    assert listed(rows, Lobby(on=True, by="bob")) == rows[1:]


class Reader:
    """Writes down what its socket was given, one item a write."""

    def __init__(self, wish):
        self.wish, self.written = wish, []

    def tell(self, told):
        self.written.append(told)


def test_all_that_changed_comes_in_one_write_and_nothing_in_none():
    hub = Hub()
    everything, one_player, nobody = (Reader(Lobby(on=True, by=by)) for by in (None, "ann", "nobody"))
    for reader in (everything, one_player, nobody):
        hub.lobby[reader] = None
    hub.tell_lobby(CHANGES)
    assert everything.written == [frames(CHANGES, everything.wish)]
    assert one_player.written == [frames([MOVED, GONE], one_player.wish)]
    assert nobody.written == []


def test_what_a_worker_tells_is_what_the_others_hear():
    assert parse_changes(encode(CHANGES)) == CHANGES


def test_what_is_no_change_is_told_as_such():
    with pytest.raises(msgspec.MsgspecError):
        parse_changes(b'{"t":"unlisted","g":"first"}')
