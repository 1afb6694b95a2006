"""Cards, suits, ranks, packs; their text form and back."""

from functools import lru_cache
from typing import NamedTuple

from simplesimon.errors import NoSuchCard

SUITS = "SHDC"
RANKS = "A23456789TJQK"
ACE, KING = 1, 13


class Card(NamedTuple):
    """One card: `rank` 1 (ace) to 13 (king), `suit` one of S, H, D, C. Copies in a 1- or 2-suit pack are equal."""

    rank: int
    suit: str

    @property
    def text(self) -> str:
        """Rank then suit: `TH` is the ten of hearts."""
        return RANKS[self.rank - 1] + self.suit


CARDS = {card.text: card for card in (Card(rank, suit) for suit in SUITS for rank in range(ACE, KING + 1))}

Column = tuple[Card, ...]


def parse_card(text: str) -> Card:
    """The card that a text names, in either case; `10` is read as `T`. Raises NoSuchCard."""
    card = CARDS.get(text.upper().replace("10", "T"))
    if card is None:
        raise NoSuchCard(f"{text[:20]!r} is no card: a rank of {RANKS} and a suit of {SUITS}, like TH")
    return card


def parse_cards(text: str) -> Column:
    """The cards of a line, parted by spaces. Raises NoSuchCard."""
    return tuple(parse_card(word) for word in text.split())


@lru_cache(4096)
def cards_text(cards: Column) -> str:
    """A line of cards as people and the wire have it: `3S 6S AS`."""
    return " ".join(card.text for card in cards)


def pack(suits: int) -> list[Card]:
    """The 52 cards of a pack with 1, 2 or 4 suits, in the order that the dealing of version SS1 starts from."""
    return [card for _ in range(4 // suits) for card in CARDS.values() if card.suit in SUITS[:suits]]
