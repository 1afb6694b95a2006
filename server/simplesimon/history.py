"""A game with its times and its chain: what makes two logs the same. Pure.

Every event has a line of ASCII, `V AT KIND ARGS`; the chain value of a version is SHA-256 of the chain value before and
its line. The log keeps the same events in a shorter form: `stored` and `parse_stored`.
"""

import hashlib
from functools import lru_cache

from msgspec import Struct

from simplesimon.errors import Damaged, SimpleSimonError
from simplesimon.game import Dealt, Event, Game, Moved, Redone, Restarted, Undone, evolve, start
from simplesimon.rules.deal import Deal, deal_from_text
from simplesimon.rules.position import Move

FORMAT = 1
"""Of the stored log: stands in the first event of each. Every later version opens every earlier format."""

_DIGITS = 15  # enough for a time in ms, and exact in every JSON reader
_MOVES = 2048  # more than there can be: ten columns, at most thirteen cards, ten columns
CHAIN_LENGTH = 32
"""Bytes of a chain value."""

_WORDS: dict[type[Event], str] = {Undone: "undo", Redone: "redo", Restarted: "restart"}
_EVENTS: dict[str, Event] = {"undo": Undone(), "redo": Redone(), "restart": Restarted()}


class History(Struct, frozen=True, gc=False):
    """A game at one version, `at` its last event in ms since 1970, and the 32 bytes of its `chain` value."""

    game: Game
    at: int
    chain: bytes

    @property
    def version(self) -> int:
        return self.game.version

    @property
    def c(self) -> str:
        """The chain value as it goes over the wire: its first 8 hex digits."""
        return self.chain[:4].hex()

    def then(self, event: Event, at: int) -> "History":
        """The history one event later."""
        return History(evolve(self.game, event), at, link(self.chain, line(self.version + 1, at, event)))


def begin(event: Dealt, at: int) -> History:
    """The history of a game that was just dealt."""
    return History(start(event), at, link(b"", line(1, at, event)))


def link(chain: bytes, event_line: str) -> bytes:
    """The next chain value."""
    return hashlib.sha256(chain + event_line.encode("ascii")).digest()


def line(version: int, at: int, event: Event) -> str:
    """The line of an event: `2 1796000001500 move 3 2 5`."""
    return f"{version} {at} {_text(event)}"


def parse_line(text: str) -> tuple[int, int, Event]:
    """The version, time and event that `line` made this of. Raises Damaged."""
    match text.split(" "):
        case [v, at, "deal", deal]:
            event: Event = Dealt(_deal(deal))
        case [v, at, "move", *triple] if len(triple) == 3:
            event = Moved(Move(*map(_number, triple)))
        case [v, at, word] if word in _EVENTS:
            event = _EVENTS[word]
        case _:
            raise Damaged("this is no line of an event, like `2 1796000001500 move 3 2 5`")
    version, time = _number(v), _number(at)
    if line(version, time, event) != text:
        raise Damaged(f"the line of this event is {line(version, time, event)!r}")
    return version, time, event


@lru_cache(_MOVES)
def stored(event: Event) -> str:
    """The event as an entry of the log keeps it.

    A move is one number, 3025 for `move 3 2 5`: Redis packs numbers tightly.
    """
    match event:
        case Moved(move):
            return str(move.source * 1000 + move.count * 10 + move.target)
        case Dealt():
            return f"{FORMAT} {_text(event)}"
        case _:
            return _text(event)


def parse_stored(text: str) -> Event:
    """The event that `stored` made, of this or an earlier format. Raises Damaged."""
    if text in _EVENTS:
        return _EVENTS[text]
    if text.isascii() and text.isdigit() and len(text) <= 4:
        number = int(text)
        return Moved(Move(number // 1000, number // 10 % 100, number % 10))
    match text.split(" "):
        case [version, "deal", deal] if version == str(FORMAT):
            return Dealt(_deal(deal))
        case [version, "deal", _]:
            raise Damaged(f"the log has format {version[:20]}, which this version does not know (it knows {FORMAT})")
    raise Damaged(f"{text[:40]!r} is no stored event")


def _deal(text: str) -> Deal:
    try:
        return deal_from_text(text)
    except SimpleSimonError as error:
        raise Damaged(f"the log begins with a deal that cannot be: {error}") from error


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise Damaged(f"{text[:20]!r} is no number of an event's line")
    return int(text)


@lru_cache(_MOVES)
def _text(event: Event) -> str:
    match event:
        case Moved(Move(source, count, target)):
            return f"move {source} {count} {target}"
        case Dealt(deal):
            return f"deal {deal.text}"
        case _:
            return _WORDS[type(event)]
