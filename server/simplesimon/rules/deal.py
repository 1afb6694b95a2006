"""Deals: by deal code (the dealing of version SS1, which never changes) or given as ten lines of cards."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from simplesimon.errors import BadDealCode, WrongColumnSizes, WrongPack
from simplesimon.rules.cards import Card, Column, cards_text, pack, parse_cards

COLUMN_SIZES = (8, 8, 8, 7, 6, 5, 4, 3, 2, 1)
SUIT_COUNTS = (1, 2, 4)
SEED_BITS = 35

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # base32, RFC 4648 section 6
_LETTERS = SEED_BITS // 5
_READ_AS = str.maketrans("018", "OIB")
_IGNORED = re.compile(r"[\s\-\u2010-\u2015\u2212]")  # spaces, and the dashes that phones put in place of a hyphen


class Deal(Struct, frozen=True, gc=False):
    """How a game begins: ten columns, the last card of each on top. `code` is None for a deal given as lines."""

    code: str | None
    suits: int
    columns: tuple[Column, ...]

    @property
    def text(self) -> str:
        """The deal as the log has it: its code, or the ten columns joined by `/`, cards without spaces."""
        return self.code or "/".join("".join(card.text for card in column) for column in self.columns)

    @property
    def lines(self) -> list[str]:
        """Ten lines of cards."""
        return [cards_text(column) for column in self.columns]


def deal_code(suits: int, seed: int) -> str:
    """The deal code of a seed of 35 bits: `deal_code(1, 35)` is `SS1-S1-AAAAABD`."""
    letters = "".join(_ALPHABET[seed >> 5 * place & 31] for place in reversed(range(_LETTERS)))
    return f"SS1-S{suits}-{letters}"


def parse_code(text: str) -> str:
    """The canonical form of a typed deal code. Raises BadDealCode.

    Case, spaces and dashes do not matter; 0, 1, 8 are O, I, B.
    """
    shown = repr(text[:40])
    code = _IGNORED.sub("", text)
    if not code.isascii():
        raise BadDealCode(f"{shown} is no deal code: A to Z and digits can be in one, nothing else")
    if code[:3].upper() != "SS1":
        raise BadDealCode(f"{shown} is no deal code: those begin with SS1, like SS1-S4-AAAAABD")
    suits = code[3:5].upper()
    if suits not in ("S1", "S2", "S4"):
        raise BadDealCode(f"{shown} is no deal code: after SS1 comes S1, S2 or S4, the number of suits")
    letters = code[5:].upper().translate(_READ_AS)
    if len(letters) != _LETTERS:
        raise BadDealCode(f"{shown} is no deal code: it has {len(letters)} letters after {suits}, not {_LETTERS}")
    for letter in letters:
        if letter not in _ALPHABET:
            raise BadDealCode(f"{shown} is no deal code: {letter!r} cannot be in one; A to Z and 2 to 7 can")
    return f"SS1-{suits}-{letters}"


def deal_from_code(text: str) -> Deal:
    """The deal of a typed code, the same for ever. Raises BadDealCode."""
    code = parse_code(text)
    suits = int(code[5])
    cards, draws = pack(suits), _draws(code)
    for i in range(51, 0, -1):
        j = _below(i + 1, draws)
        cards[i], cards[j] = cards[j], cards[i]
    rest = iter(cards)
    return Deal(code, suits, tuple(tuple(next(rest) for _ in range(size)) for size in COLUMN_SIZES))


def deal_from_lines(lines: Sequence[str]) -> Deal:
    """The deal given as ten lines of cards, checked. Raises NoSuchCard, WrongColumnSizes or WrongPack.

    The boards of PySolFC and fc-solve are such lines; the `:` that theirs may begin with is passed over.
    """
    columns = tuple(parse_cards(line.strip().removeprefix(":")) for line in lines)
    sizes = tuple(len(column) for column in columns)
    if sizes != COLUMN_SIZES:
        raise WrongColumnSizes(
            f"the columns have {_listed(sizes)} cards ({sum(sizes)}), not {_listed(COLUMN_SIZES)} (52)"
        )
    return Deal(None, _suits_of([card for column in columns for card in column]), columns)


def deal_from_text(text: str) -> Deal:
    """The deal that `Deal.text` made. Raises what the two above raise."""
    if "/" not in text:
        return deal_from_code(text)
    return deal_from_lines([" ".join(re.findall("..?", column)) for column in text.split("/")])


def _suits_of(cards: list[Card]) -> int:
    present = {card.suit for card in cards}
    suits = next(n for n in SUIT_COUNTS if present <= set("SHDC"[:n]))
    wanted, given = Counter(pack(suits)), Counter(cards)
    for card in sorted(wanted | given):
        if given[card] != wanted[card]:
            plural = "s" if suits > 1 else ""
            raise WrongPack(
                f"the deal has {given[card]} x {card.text}, a pack of {suits} suit{plural} has {wanted[card]}"
            )
    return suits


def _draws(code: str) -> Iterator[int]:
    """Unsigned 32-bit words, big-endian, of SHA-256(CODE/0), SHA-256(CODE/1), …"""
    counter = 0
    while True:
        digest = hashlib.sha256(f"{code}/{counter}".encode("ascii")).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
        counter += 1


def _below(n: int, draws: Iterator[int]) -> int:
    """A draw below n: those above the largest multiple of n are passed over, or small results would come too often."""
    limit = 2**32 - 2**32 % n
    return next(draw for draw in draws if draw < limit) % n


def _listed(sizes: Sequence[int]) -> str:
    return ", ".join(map(str, sizes))
