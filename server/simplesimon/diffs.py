"""What an event looks like to those who follow the game: diffs, states, rows. Pure.

A diff says which cards go where, so it can be shown without rules; a restart, which changes everything, is a state.
"""

from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec import Struct

from simplesimon.bodies import EventKind, LoggedEvent
from simplesimon.game import Dealt, Event, Moved, Redone, Restarted, State, Undone
from simplesimon.history import History, line
from simplesimon.messages import (
    Diff,
    MoveDiff,
    Origin,
    RedoDiff,
    Row,
    StateMessage,
    UndoDiff,
    Visibility,
    Who,
    encode,
)
from simplesimon.rules.cards import cards_text
from simplesimon.wire import framed


class Facts(Struct, frozen=True, gc=False):
    """What is known of a game beside its log: whose it is, who may see it, which game it was played on from,
    and whether it began with events of another or of a file."""

    game_id: str
    by: Who
    visibility: Visibility
    origin: Origin | None = None
    is_copy: bool = False

    def is_visible_to(self, player_id: str | None) -> bool:
        """Everybody sees public and unlisted games, only their player the private ones."""
        return self.visibility != "private" or self.by.id == player_id


def diff(facts: Facts, before: History, event: Event, after: History) -> Diff:
    """The message that tells `event`. A state is as a spectator gets it: `mine` false, `watching` 0."""
    is_undo = isinstance(event, Undone)
    child, parent = (before, after) if is_undo else (after, before)
    move = child.game.state.move
    if move is None:
        return state(facts, after)
    off, before_off = child.game.state.off, parent.game.state.off
    kind = UndoDiff if is_undo else RedoDiff if isinstance(event, Redone) else MoveDiff
    now = after.game.state
    return kind(
        g=facts.game_id,
        v=after.version,
        m=(move.source, move.count, move.target),
        score=now.score,
        moves=now.moves,
        c=after.c,
        off=off[-1] if len(off) > len(before_off) else None,
    )


def state(
    facts: Facts, history: History, *, player_id: str | None = None, watching: int = 0, set_back: bool = False
) -> StateMessage:
    """The whole game as `player_id` gets it."""
    game = history.game
    now = game.state
    return StateMessage(
        g=facts.game_id,
        v=history.version,
        code=game.deal.code,
        suits=game.deal.suits,
        columns=columns(now),
        off=list(now.off),
        score=now.score,
        moves=now.moves,
        undo=len(game.past),
        redo=len(game.future),
        won=now.is_won,
        by=facts.by,
        mine=facts.by.id == player_id,
        watching=watching,
        visibility=facts.visibility,
        at=history.at,
        c=history.c,
        set_back=set_back,
        origin=facts.origin,
    )


def personal(message: StateMessage, player_id: str | None, watching: int) -> StateMessage:
    """The same state as another player gets it."""
    return msgspec.structs.replace(message, mine=message.by.id == player_id, watching=watching)


def row(facts: Facts, history: History, watching: int) -> Row:
    """The game as the lists have it."""
    now = history.game.state
    return Row(
        g=facts.game_id,
        v=history.version,
        code=history.game.deal.code,
        suits=history.game.deal.suits,
        by=facts.by,
        score=now.score,
        moves=now.moves,
        off=list(now.off),
        won=now.is_won,
        watching=watching,
        at=history.at,
        columns=columns(now),
        origin=facts.origin,
    )


def logged(version: int, at: int, event: Event) -> LoggedEvent:
    """An event as the log is read over HTTP."""
    text = line(version, at, event)
    move = (event.move.source, event.move.count, event.move.target) if isinstance(event, Moved) else None
    return LoggedEvent(version, at, _KINDS[type(event)], text, move)


def columns(now: State) -> list[str]:
    """Ten lines of cards."""
    return [cards_text(column) for column in now.position.columns]


class Frame(Struct, frozen=True, gc=False):
    """A diff as it is written, framed once for all who follow; each gets a `personal` one of a `state`.

    It leads from the history that has `before` as its `c` to the one that has `c`.
    """

    game_id: str
    v: int
    c: str
    wire: bytes
    state: StateMessage | None = None
    before: str = ""


class Follower(Protocol):
    """One game on one socket, for a player (None: without a session). None of these may wait."""

    @property
    def player_id(self) -> str | None:
        """Who follows."""

    @property
    def write(self) -> Callable[[bytes], None]:
        """Writes frames to the socket."""

    def offer(self, frame: Frame) -> bool:
        """Takes the next frame, while it is not level; whether it is level with the others now."""

    def write_state(self, frame: Frame) -> None:
        """Writes a state, each follower their own."""

    def say(self, payload: bytes) -> None:
        """Takes a message that is no diff."""

    def reseed(self, *, set_back: bool = False) -> None:
        """Takes a fresh state: diffs do not lead on from what it had."""


def frame(message: Diff, payload: bytes, before: str) -> Frame:
    """The frame of a diff that was encoded as `payload` and leads on from `before`."""
    state = message if isinstance(message, StateMessage) else None
    return Frame(message.g, message.v, message.c, framed(payload), state, before)


def published(payload: bytes, before: str) -> bytes:
    """A diff as processes tell it one another: what it leads on from (8 hex digits), and what clients are told."""
    return before.encode() + payload


def parse_frame(content: bytes) -> Frame:
    """The frame that another process `published`. Raises msgspec.MsgspecError or UnicodeDecodeError."""
    payload = content[8:]
    return frame(_diffs.decode(payload), payload, content[:8].decode())


def as_now(told: Frame, facts: Facts) -> Frame:
    """A frame that is told later than it was made: a state says by whom, and who may see it, as that is now."""
    state = told.state and msgspec.structs.replace(told.state, by=facts.by, visibility=facts.visibility)
    return msgspec.structs.replace(told, state=state) if state else told


def wire_for(told: Frame, player_id: str | None, watching: int) -> bytes:
    """The frame as a player gets it: a state says whose it is."""
    return framed(encode(personal(told.state, player_id, watching))) if told.state else told.wire


_KINDS: dict[type[Event], EventKind] = {
    Dealt: "deal",
    Moved: "move",
    Undone: "undo",
    Redone: "redo",
    Restarted: "restart",
}
_diffs = msgspec.json.Decoder(Diff)
