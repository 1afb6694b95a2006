"""The picture that goes with a link: a table as SVG text, of the page's own cards and inks. Pure.

It holds shapes only, no letters that would need a font, and so no language and no text of anybody's.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 1200, 630
"""What chat applications ask for (Open Graph)."""

_BAR, _EDGE, _GAP = 100, 24, 12
_CARD = (WIDTH - 2 * _EDGE - 9 * _GAP) / 10 / 100  # scale of a card, which is 100 wide and 140 high
_STRIP = 48
_PLEATS = 24
_PICTURE = '<g visibility="var(--card-picture)"'
_SYMBOL = re.compile(r'<symbol id="(\S+)" viewBox="0 0 (\S+) \S+">(.*?)</symbol>')
_INK = re.compile(r"--([\w-]+): light-dark\((#\w+),")


@dataclass(frozen=True, slots=True)
class Shape:
    """A symbol of the sprite: its width and what it is drawn of."""

    width: float
    drawing: str


class Art:
    """The pack and the inks by day, as the page has them."""

    def __init__(self, sprite: str, theme: str) -> None:
        """From the text of `cards.svg` and `theme.css`."""
        self.inks = dict(reversed(_INK.findall(theme)))  # the first of a name is that of the pack in two colours
        self._shapes = {name: Shape(float(width), drawing) for name, width, drawing in _SYMBOL.findall(sprite)}
        one, *nought = re.findall(r"M[^Z]*Z", self._shapes["rank-T"].drawing)
        self._shapes["rank-1"] = Shape(48, f'<path fill="currentColor" d="{one}"/>')
        self._shapes["rank-0"] = Shape(
            58, f'<path transform="translate(-54)" fill="currentColor" d="{"".join(nought)}"/>'
        )
        self._shapes["rank--"] = Shape(44, '<path fill="currentColor" d="M0 42h44v18H0z"/>')

    def table(self, columns: Sequence[str], off: Sequence[str], score: int) -> str:
        """A game under way."""
        return self._page(self._bar(off, self._number(str(score), 62)) + self._columns(columns))

    def deal(self, columns: Sequence[str], suits: int) -> str:
        """A deal, with the suits that it is of."""
        signs = "".join(self._sign(suit, 62, 70 * at) for at, suit in enumerate("SHDC"[:suits]))
        return self._page(self._bar(None, (signs, 70 * suits - 8)) + self._columns(columns))

    def won(self, off: Sequence[str], score: int) -> str:
        """A won game: a rosette with what it won, and the kings of its sequences."""
        fan = self._fan([f"K{suit}" for suit in off], (810, 365))
        return self._page(self._bar(off, ("", 0)) + fan + self._rosette(score))

    def general(self) -> str:
        """What has no game: the name and the court."""
        name = self._shapes["wordmark"]
        scale = 900 / name.width
        mark = self._placed(name, (WIDTH - 900) / 2, 70, scale, "accent")
        return self._page(mark + self._fan(["AS", "JH", "QC", "KD"], (WIDTH / 2, 410), 2.3))

    def _page(self, drawing: str) -> str:
        text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--table)"/>{drawing}</svg>'
        )
        return re.sub(r"var\(--([\w-]+)\)", lambda found: self.inks[found[1]], text)

    def _bar(self, off: Sequence[str] | None, figure: tuple[str, float]) -> str:
        """Over the table: the name, the removed sequences where there can be any, and what matters most."""
        drawing, width = figure
        right = WIDTH - _EDGE - 8 - width
        first = right - (230 if width else 182)
        slots = [] if off is None else [self._slot(first + 48 * at, suit) for at, suit in enumerate(_four(off))]
        return (
            f'<rect width="{WIDTH}" height="{_BAR}" fill="var(--surface)"/>'
            f'<rect y="{_BAR - 4}" width="{WIDTH}" height="4" fill="var(--ink)"/>'
            + self._placed(self._shapes["wordmark"], _EDGE + 8, 25, 0.47, "accent")
            + "".join(slots)
            + f'<g transform="translate({right:g} 17)">{drawing}</g>'
        )

    def _slot(self, x: float, suit: str) -> str:
        """Where a removed sequence is shown."""
        fill = "card-paper" if suit else "rule"
        sign = self._sign(suit, 28, 5, 14) if suit else ""
        return (
            f'<g transform="translate({x:g} 20)"><rect width="38" height="56" rx="4" fill="var(--{fill})"'
            f' stroke="var(--{"ink" if suit else "rule"})" stroke-width="2"/>{sign}</g>'
        )

    def _columns(self, columns: Sequence[str]) -> str:
        return "".join(self._column(line.split(), _EDGE + at * (100 * _CARD + _GAP)) for at, line in enumerate(columns))

    def _column(self, cards: Sequence[str], x: float) -> str:
        top = _BAR + _EDGE - 6
        if not cards:
            return (
                f'<rect x="{x + 2:g}" y="{top + 2}" width="{100 * _CARD - 4:g}" height="{140 * _CARD - 4:g}" rx="8"'
                ' fill="none" stroke="var(--slot)" stroke-width="3" stroke-dasharray="9 6"/>'
            )
        room = HEIGHT - 14 - top - 140 * _CARD
        strip = min(_STRIP, room / max(1, len(cards) - 1))
        last = len(cards) - 1
        return "".join(self._card(card, x, top + at * strip, _CARD, at < last) for at, card in enumerate(cards))

    def _card(self, card: str, x: float, y: float, scale: float, is_covered: bool = False) -> str:
        index, _, rest = self._shapes[f"card-{card}"].drawing.partition(_PICTURE)
        drawing = index if is_covered else f"{index}<g{rest}"
        return self._placed(Shape(100, drawing), x, y, scale, "ink")

    def _fan(self, cards: Sequence[str], centre: tuple[float, float], scale: float = 2.05) -> str:
        """Cards as a hand holds them."""
        x, y = centre
        middle = (len(cards) - 1) / 2
        drawn = (
            f'<g transform="rotate({13 * (at - middle):g} {x:g} {y + 420:g})">'
            + self._card(card, x - 50 * scale + 60 * (at - middle), y - 70 * scale, scale)
            + "</g>"
            for at, card in enumerate(cards)
        )
        return "".join(drawn)

    def _rosette(self, score: int) -> str:
        number, width = self._number(str(score), 46)
        pleats = "".join(
            f'<path d="M0 0-14-90Q0-100 14-90z" transform="rotate({360 / _PLEATS * at:g})"'
            f' fill="var(--{"ground-H" if at % 2 == 0 else "accent"})" stroke="var(--court-line)" stroke-width="1.5"/>'
            for at in range(_PLEATS)
        )
        ribbon = 'stroke="var(--court-line)" stroke-width="2"'
        return (
            '<g transform="translate(290 306) scale(1.72)">'
            f'<path d="M-40 60-62 178l32-18 22 22 16-120z" fill="var(--accent)" {ribbon}/>'
            f'<path d="M40 60 62 178l-32-18-22 22-16-120z" fill="var(--ground-H)" {ribbon}/>'
            f'{pleats}<circle r="64" fill="var(--court-line)"/><circle r="57" fill="var(--card-paper)"/>'
            f'<g transform="translate({-min(width, 96) / 2:g} -23) scale({min(1, 96 / width):.3f} 1)">{number}</g></g>'
        )

    def _number(self, text: str, height: float) -> tuple[str, float]:
        """Figures of this height, and how wide they are."""
        scale, x, drawn = height / 100, 0.0, []
        for figure in text:
            shape = self._shapes[f"rank-{figure}"]
            drawn.append(self._placed(shape, x, 0, scale, "card-ink"))
            x += (shape.width + 6) * scale
        return "".join(drawn), x - 6 * scale

    def _sign(self, suit: str, size: float, x: float, y: float = 0) -> str:
        return self._placed(self._shapes[f"suit-{suit}"], x, y, size / 100, f"suit-{suit}")

    def _placed(self, shape: Shape, x: float, y: float, scale: float, ink: str) -> str:
        return f'<g transform="translate({x:.2f} {y:.2f}) scale({scale:.4f})" color="var(--{ink})">{shape.drawing}</g>'


def _four(off: Iterable[str]) -> list[str]:
    return [*off, "", "", "", ""][:4]
