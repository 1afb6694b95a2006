"""Every message of the socket, one type each, parsed once, at the edge.

Frames are JSON objects told apart by `t`; the order of the fields here is their order on the wire. The published
contract is made from these types and those of `bodies` (see `docs`).
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Struct

from simplesimon.errors import BadMessage, Rule

Visibility = Literal["public", "unlisted", "private"]
MoveTriple = tuple[int, int, int]
"""[from, count, to]; columns count from 0."""

GAME_ID_LENGTH = 12


class Who(Struct, frozen=True):
    """A player as others see them."""

    id: str
    name: str


class Origin(Struct, frozen=True):
    """Where a game is from that was played on from another: it begins with the events of game `g` up to version `v`.

    A public game does not tell which unlisted or private one it is from.
    """

    g: str
    v: int


# from the client


class Watch(Struct, tag_field="t", tag="watch", frozen=True):
    """Follow a game; with `since`, only what came after that version of the history that has `c`; `quiet` ones, such
    as a small table among many, are not counted as spectators."""

    g: str
    since: Annotated[int, msgspec.Meta(ge=1)] | None = None
    c: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}$")] | None = None
    quiet: bool = False


class Leave(Struct, tag_field="t", tag="leave", frozen=True):
    """Stop following a game."""

    g: str


class MoveCommand(Struct, tag_field="t", tag="move", frozen=True):
    """Move cards; `v` is the version that the player decided on."""

    g: str
    v: int
    m: MoveTriple


class _Command(Struct, tag_field="t", frozen=True):
    g: str
    v: int


class UndoCommand(_Command, tag="undo", frozen=True):
    """Take the last action back."""


class RedoCommand(_Command, tag="redo", frozen=True):
    """Replay what was taken back."""


class RestartCommand(_Command, tag="restart", frozen=True):
    """Deal the same cards again in the same game."""


class Lobby(Struct, tag_field="t", tag="lobby", frozen=True):
    """Follow the list of public games, or stop to; with `by`, only the games of the player of that id; without
    `moves`, only what comes into the list or back into play, is won, or goes, and not each move."""

    on: bool
    by: str | None = None
    moves: bool = True


class Ping(Struct, tag_field="t", tag="ping", frozen=True):
    """Answered by a `pong` with the same number."""

    n: int


GameCommand = MoveCommand | UndoCommand | RedoCommand | RestartCommand
ClientMessage = Watch | Leave | GameCommand | Lobby | Ping


# from the server


class Hello(Struct, tag_field="t", tag="hello", frozen=True):
    """The first frame of every connection."""

    player: Who | None


class StateMessage(Struct, tag_field="t", tag="state", frozen=True, omit_defaults=True):
    """The whole game at version `v`."""

    g: str
    v: int
    code: str | None
    suits: int
    columns: list[str]
    off: list[str]
    score: int
    moves: int
    undo: int
    redo: int
    won: bool
    by: Who
    mine: bool
    watching: int
    visibility: Visibility
    at: int
    c: str
    set_back: bool = False
    origin: Origin | None = msgspec.field(default=None, name="from")


class _ActionDiff(Struct, tag_field="t", frozen=True, omit_defaults=True):
    g: str
    v: int
    m: MoveTriple
    score: int
    moves: int
    c: str
    off: str | None = None


class MoveDiff(_ActionDiff, tag="move", frozen=True):
    """Applies to version `v` - 1 and needs no rules; `off` when the move completed a sequence."""


class UndoDiff(_ActionDiff, tag="undo", frozen=True):
    """The move `m` taken back: first the sequence of suit `off` returns to column m[2], then m[1] cards go back."""


class RedoDiff(_ActionDiff, tag="redo", frozen=True):
    """Like a move."""


class Synced(Struct, tag_field="t", tag="synced", frozen=True):
    """All that a `watch` asked for has been sent."""

    g: str
    v: int


class RefusedMessage(Struct, tag_field="t", tag="refused", frozen=True, omit_defaults=True):
    """The rules forbid it; nothing changed."""

    g: str
    v: int
    rule: Rule
    m: MoveTriple | None = None


class Stale(Struct, tag_field="t", tag="stale", frozen=True):
    """The game is not at the version named; what came after has been sent before this."""

    g: str
    v: int


class Watching(Struct, tag_field="t", tag="watching", frozen=True):
    """How many spectators there are now, without the player's own devices."""

    g: str
    n: int


class Row(Struct, frozen=True, omit_defaults=True):
    """A game as the lists have it."""

    g: str
    v: int
    code: str | None
    suits: int
    by: Who
    score: int
    moves: int
    off: list[str]
    won: bool
    watching: int
    at: int
    columns: list[str]
    origin: Origin | None = msgspec.field(default=None, name="from")


class Listed(Struct, tag_field="t", tag="listed", frozen=True):
    """The lobby as it is."""

    games: list[Row]


class GameRow(Row, tag_field="t", tag="game", frozen=True):
    """A game of the lobby that is new or has changed."""


class Unlisted(Struct, tag_field="t", tag="unlisted", frozen=True):
    """A game that the lobby no longer has."""

    g: str


class ErrorMessage(Struct, tag_field="t", tag="error", frozen=True, omit_defaults=True):
    """Something asked for was not done; the connection stays."""

    code: str
    detail: str
    g: str | None = None


class Pong(Struct, tag_field="t", tag="pong", frozen=True):
    """The answer to a `ping`."""

    n: int


Diff = MoveDiff | UndoDiff | RedoDiff | StateMessage
ServerMessage = (
    Hello | Diff | Synced | RefusedMessage | Stale | Watching | Listed | GameRow | Unlisted | ErrorMessage | Pong
)


encode = msgspec.json.encode
_client_messages = msgspec.json.Decoder(ClientMessage)


def parse(text: str) -> ClientMessage:
    """The message in a frame. Raises BadMessage, which says what is wrong with it."""
    try:
        return _client_messages.decode(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise BadMessage(f"not a message of simplesimon.v1: {error}") from None
