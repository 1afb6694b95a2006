"""A change of the list of public games, as workers tell one another of it, and which followers it is for."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec
from msgspec import Raw, Struct

from simplesimon.messages import GameRow, Lobby, Row, Unlisted, encode
from simplesimon.wire import framed


class LobbyFollower(Protocol):
    """The list of public games on one socket."""

    @property
    def wish(self) -> Lobby:
        """Which changes it wants to be told of."""

    def tell(self, told: bytes) -> None:
        """Takes changes of the list, as frames."""


class Change(Struct, frozen=True, array_like=True):
    """`message` is what followers are told, about a game of the player `by`; `is_news` when it is more than a move."""

    by: str
    is_news: bool
    message: Raw


def change(message: GameRow | Unlisted, by: str, *, is_news: bool) -> Change:
    """The change that `message` tells of."""
    return Change(by, is_news, Raw(encode(message)))


def listed(rows: Iterable[Row], wish: Lobby) -> list[Row]:
    """The rows that a follower with this wish is told of first."""
    return [row for row in rows if wish.by in (None, row.by.id)]


def frames(changes: Iterable[Change], wish: Lobby) -> bytes:
    """What a follower with this wish is told of the changes: frames, or nothing."""
    return b"".join(
        framed(bytes(told.message)) for told in changes if wish.by in (None, told.by) and (wish.moves or told.is_news)
    )


def parse_changes(content: bytes) -> Sequence[Change]:
    """The changes that another worker told of. Raises msgspec.MsgspecError."""
    return _changes.decode(content)


_changes = msgspec.json.Decoder(list[Change])
