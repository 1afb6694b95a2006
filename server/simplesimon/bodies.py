"""The bodies of requests and answers over HTTP, one type each; the rest is in `messages`."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from simplesimon.messages import MoveTriple, Origin, Row, StateMessage, Visibility, Who

Suits = Literal[1, 2, 4]
EventKind = Literal["deal", "move", "undo", "redo", "restart"]


class GameFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as a file: the format (1), the deal, the line of each event, the whole chain value of the last in hex."""

    simplesimon: int
    code: str | None
    columns: list[str]
    events: list[str]
    chain: str


class NewGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/games`: at most one of `suits`, `code`, `columns`, `from` and `file`.

    Without a `visibility` the game is public, or as the one that it is `from`.
    """

    suits: Suits | None = None
    code: str | None = None
    columns: Annotated[list[str], msgspec.Meta(max_length=20)] | None = None
    origin: Origin | None = msgspec.field(default=None, name="from")
    file: GameFile | None = None
    visibility: Visibility | UnsetType = UNSET


class GamePatch(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `PATCH /api/games/{id}`."""

    visibility: Visibility


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player can switch; the same on every device."""

    double_click: bool = True
    automatic_placement: bool = False
    placement_help: bool = True
    interactive_rules: bool = True
    four_colours: bool = False
    card_size: Literal["small", "medium", "large"] = "medium"
    left_handed: bool = False
    theme: Literal["system", "light", "dark"] = "system"
    language: Literal["system", "en", "el"] = "system"


class MePatch(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `PATCH /api/me`; `settings` names only those that change."""

    name: str | UnsetType = UNSET
    settings: dict[str, bool | str] | UnsetType = UNSET


class LinkCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/links`."""

    code: str


class Me(Struct, frozen=True):
    """Answer of `/api/me`: `current` is the id of the game last played."""

    player: Who
    settings: Settings
    current: str | None


class Known(Struct, frozen=True, omit_defaults=True):
    """What a page brings along: who its reader is, and the game that it opens."""

    me: Me | None = None
    game: StateMessage | None = None


class Link(Struct, frozen=True):
    """Answer of `POST /api/me/links`; `qr` is SVG text, `expires_in` seconds."""

    code: str
    url: str
    qr: str
    expires_in: int


class Linked(Struct, frozen=True):
    """Answer of `POST /api/links`."""

    player: Who
    current: str | None


class Device(Struct, frozen=True):
    """A signed-in device; times in ms since 1970."""

    id: str
    agent: str
    created: int
    seen: int
    current: bool


class Devices(Struct, frozen=True):
    """Answer of `GET /api/me/sessions`."""

    sessions: list[Device]


class Games(Struct, frozen=True):
    """Answer of `GET /api/games`, the most recently moved first."""

    games: list[Row]


class DealRow(Row, frozen=True, kw_only=True):
    """A won game of a deal; `time` is how long it was played, in ms, of each pause a minute at most."""

    time: int


class Best(Struct, frozen=True):
    """The best won game: of won games the one with the best score has the fewest moves."""

    score: int
    moves: int


class DealGames(Struct, frozen=True):
    """Answer of `GET /api/deals/{code}`: the deal, and the public games that were dealt by its code and won, the best
    score and fewest moves first."""

    code: str
    suits: int
    columns: list[str]
    best: Best | None
    games: list[DealRow]


class OwnRow(Row, frozen=True, kw_only=True):
    """One's own game, with who may see it."""

    visibility: Visibility


class OwnGames(Struct, frozen=True):
    """Answer of `GET /api/me/games`, newest first."""

    games: list[OwnRow]


class LoggedEvent(Struct, frozen=True, omit_defaults=True):
    """An event of the log; `line` is its line of the chain, `at` ms since 1970."""

    v: int
    at: int
    t: EventKind
    line: str
    m: MoveTriple | None = None


class Log(Struct, frozen=True):
    """Answer of `GET /api/games/{id}/log`; `chain` is the whole chain value of the last version, in hex."""

    g: str
    code: str | None
    columns: list[str]
    events: list[LoggedEvent]
    chain: str


class Problem(Struct, frozen=True):
    """An error over HTTP (RFC 9457); `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str
