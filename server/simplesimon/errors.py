"""Every error that a caller can meet, in one tree. It imports nothing of ours.

Each class has the stable `code` that goes over the wire and the HTTP `status` that goes with it; the text of
the exception is the `detail`, made for people: it names the card, the column or the value that is wrong.
"""

import contextlib
from collections.abc import Iterator
from typing import ClassVar, Literal

Rule = Literal[
    "no_such_column",
    "same_column",
    "no_such_cards",
    "not_in_sequence",
    "mixed_suits",
    "onto_ace",
    "king_needs_empty_column",
    "wrong_rank",
    "nothing_to_undo",
    "nothing_to_redo",
    "game_over",
]
"""Why the rules refuse a command, by stable names, which the published contract lists."""


class SimpleSimonError(Exception):
    """The root: what is not one of these is a fault of ours."""

    code: ClassVar[str]
    status: ClassVar[int]


class Refused(SimpleSimonError):
    """The rules of the game forbid it; `rule` names the one that does."""

    code = "refused"
    status = 409

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule)
        self.rule = rule


class BadMessage(SimpleSimonError):
    """A frame or a request body that is not of the contract."""

    code = "bad_message"
    status = 400


class BadDealCode(SimpleSimonError):
    """Not a deal code: the detail says which part."""

    code = "bad_deal_code"
    status = 400


class NoSuchCard(SimpleSimonError):
    """A text that names no card."""

    code = "no_such_card"
    status = 400


class WrongColumnSizes(SimpleSimonError):
    """A given deal whose columns are not of 8, 8, 8, 7, 6, 5, 4, 3, 2 and 1 cards."""

    code = "wrong_column_sizes"
    status = 400


class WrongPack(SimpleSimonError):
    """A given deal whose cards are no pack of 1, 2 or 4 suits."""

    code = "wrong_pack"
    status = 400


class BadFile(SimpleSimonError):
    """A file that is no game: the detail names the event that cannot be."""

    code = "bad_file"
    status = 400


class BadName(SimpleSimonError):
    """A player's name that is empty, too long, or has characters nobody can see."""

    code = "bad_name"
    status = 400


class BadSettings(SimpleSimonError):
    """A setting that does not exist, or a value that it cannot have."""

    code = "bad_settings"
    status = 400


class UnfinishedGame(SimpleSimonError):
    """The caller has a game of this deal under way: how others won it would be a hint."""

    code = "unfinished_game"
    status = 403


class NoSuchGame(SimpleSimonError):
    """No game of that id, or one that is none of the caller's business: both look the same."""

    code = "no_such_game"
    status = 404


class NoSuchVersion(SimpleSimonError):
    """A version that the game does not have, or not yet."""

    code = "no_such_version"
    status = 404


class NotYourGame(SimpleSimonError):
    """A command to a game that somebody else plays."""

    code = "not_your_game"
    status = 403


class StaleVersion(SimpleSimonError):
    """A command decided on a version that the game is not at; all that came after has been told."""

    code = "stale"
    status = 409

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class Damaged(SimpleSimonError):
    """What is stored of this game (or player) cannot be what was written: nothing is guessed from it."""

    code = "damaged"
    status = 500


@contextlib.contextmanager
def taking_apart(what: str) -> Iterator[None]:
    """In the block something that was read is taken apart. Raises Damaged where it cannot be what was written."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Damaged(f"{what} cannot be what was written") from error


class NoSuchCode(SimpleSimonError):
    """A link code that is wrong, used or expired."""

    code = "no_such_code"
    status = 404


class NoSuchSession(SimpleSimonError):
    """No signed-in device of that id."""

    code = "no_such_session"
    status = 404


class BadOrigin(SimpleSimonError):
    """A request that another site's page made."""

    code = "bad_origin"
    status = 403


class TooFast(SimpleSimonError):
    """More than the limits allow."""

    code = "too_fast"
    status = 429


class Unavailable(SimpleSimonError):
    """The store does not answer, or does not take writes: nothing was acknowledged."""

    code = "unavailable"
    status = 503


class Internal(SimpleSimonError):
    """A fault of ours; it has been written down."""

    code = "internal"
    status = 500

    def __init__(self) -> None:
        super().__init__("something went wrong on our side; it has been written down")


class CannotStart(SimpleSimonError):
    """The server cannot start as it was told to; the detail is one line for the terminal."""

    code = "cannot_start"
    status = 500
