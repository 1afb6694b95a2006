"""A position: ten columns of cards; which moves it allows, what a move makes of it, why a move is refused."""

from itertools import pairwise

from msgspec import Struct

from simplesimon.errors import Refused
from simplesimon.rules.cards import ACE, KING, Column

COLUMNS = 10
SEQUENCE = 13


class Move(Struct, frozen=True, gc=False):
    """`count` cards from the end of column `source` to column `target`; columns count from 0."""

    source: int
    count: int
    target: int


class Position(Struct, frozen=True, gc=False):
    """Ten columns; the last card of each is the one on top, free to move."""

    columns: tuple[Column, ...]

    def check(self, move: Move) -> None:
        """Raises Refused with the first rule that forbids the move: the columns, the cards, the run, the target."""
        if not (0 <= move.source < COLUMNS and 0 <= move.target < COLUMNS):
            raise Refused("no_such_column")
        if move.source == move.target:
            raise Refused("same_column")
        self._check_run(move.source, move.count)
        column, target = self.columns[move.source], self.columns[move.target]
        if target:
            _check_onto(target[-1].rank, column[-move.count].rank)

    def after(self, move: Move) -> tuple["Position", str | None]:
        """The position that a legal move makes, and the suit of the sequence that it completed and removed, or None."""
        columns = list(self.columns)
        source = columns[move.source]
        columns[move.source] = source[: -move.count]
        target = columns[move.target] + source[-move.count :]
        removed = target[-1].suit if run_length(target) >= SEQUENCE else None
        columns[move.target] = target[:-SEQUENCE] if removed else target
        return Position(tuple(columns)), removed

    def best_column(self, source: int, count: int) -> int | None:
        """Where a double-click sends the last `count` cards of a column; None: nowhere.

        Onto the same suit, else into an empty column, else onto another suit; of a kind, where the longest run comes
        about, then the leftmost. A whole column goes to no empty one.

        Raises Refused when these cards are no run.
        """
        if not 0 <= source < COLUMNS:
            raise Refused("no_such_column")
        self._check_run(source, count)
        card = self.columns[source][-count]
        is_whole = count == len(self.columns[source])
        ranked = []
        for index, column in enumerate(self.columns):
            if index == source or (is_whole and not column):
                continue
            if not column:
                ranked.append((1, 0, index))
            elif column[-1].rank == card.rank + 1:
                is_same = column[-1].suit == card.suit
                ranked.append((0 if is_same else 2, -run_length(column) if is_same else 0, index))
        return min(ranked)[2] if ranked else None

    def _check_run(self, source: int, count: int) -> None:
        column = self.columns[source]
        if not 1 <= count <= len(column):
            raise Refused("no_such_cards")
        if count > run_length(column):
            cards = column[-count:]
            is_sequence = all(upper.rank == lower.rank + 1 for upper, lower in pairwise(cards))
            raise Refused("mixed_suits" if is_sequence else "not_in_sequence")


def run_length(column: Column) -> int:
    """How many cards at the end of a column go down by one in one suit: 0 for an empty column."""
    length, lower = 0, None
    for card in reversed(column):
        if lower and (card.suit != lower.suit or card.rank != lower.rank + 1):
            break
        length, lower = length + 1, card
    return length


def _check_onto(target_rank: int, rank: int) -> None:
    if target_rank == ACE:
        raise Refused("onto_ace")
    if rank == KING:
        raise Refused("king_needs_empty_column")
    if target_rank != rank + 1:
        raise Refused("wrong_rank")
