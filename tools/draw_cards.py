"""Draws client/cards.svg from the hand-made shapes in client/art: `python3 tools/draw_cards.py`.

The art names its inks in words (fill="cloth", fill="crust" …); here each word becomes the custom
property of theme.css that prints it, so that themes and the four-colour pack need no second sprite.
"""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent / "client"
RANKS, SUITS = "A23456789TJQK", "SHDC"
SVG = "{http://www.w3.org/2000/svg}"

# The strip that stays visible in a long column is about 42 of the 140 units high: the index fills it.
INDEX_X, INDEX_Y, RANK_HEIGHT, SUIT_HEIGHT, INDEX_GAP = 7, 5, 34, 31, 4
PANEL_X, PANEL_Y, PANEL_SIZE = 6, 46, 88
LETTER_GAP = 7
MISREGISTER = 1.8  # how far the second ink is off, in units

Point = tuple[float, float]
ROWS = (62.0, 91.0, 120.0)
SIX: list[Point] = [(x, y) for x in (24, 76) for y in ROWS]
PIPS: dict[str, tuple[float, list[Point]]] = {
    "2": (40, [(50, 69), (50, 114)]),
    "3": (38, [(50, 68), (26, 112), (74, 112)]),
    "4": (35, [(28, 69), (28, 113), (72, 69), (72, 113)]),
    "5": (31, [(24, 64), (24, 118), (76, 64), (76, 118), (50, 91)]),
    "6": (27, SIX),
    "7": (24, [*SIX, (50, 76.5)]),
    "8": (24, [*SIX, (50, 76.5), (50, 105.5)]),
    "9": (24, [(x, y) for x in (22, 50, 78) for y in ROWS]),
    "T": (20, [*((x, y) for x in (24.0, 76.0) for y in (57.0, 80.0, 103.0, 126.0)), (50, 68.5), (50, 114.5)]),
}
COURTS = {"J": "jack", "Q": "queen", "K": "king"}
LOOKS_LEFT = {"J": "HC", "Q": "SD", "K": "HC"}  # drawn once, printed the other way round
HIDEABLE = ' visibility="var(--card-picture)"'
HEAD = """<svg xmlns="http://www.w3.org/2000/svg">
<!-- Drawn by tools/draw_cards.py from client/art; change those, not this.
Inks are custom properties in presentation attributes: they inherit into <use> from another file, and a
Content-Security-Policy without inline styles lets them be (a style element or attribute here would be dropped).
suit-*, rank-* and the wordmark (931 by 100) print in currentColor.
Nothing here refers to an id, so each symbol works alone.
Where the property card-picture is hidden, a card shows its index alone: the strip of a covered card has no slivers.
A picture without its index: <svg viewBox="6 46 88 88"><use href="…#card-KH" width="100" height="140"/></svg>. -->
"""


def read_art(name: str) -> dict[str, ET.Element]:
    """The elements of an art file that have an id, by id."""
    tree = ET.parse(CLIENT / "art" / name)  # noqa: S314 our own files, read when cards are drawn
    return {e.attrib["id"]: e for e in tree.iter() if "id" in e.attrib}


def placed(path: str, scale: float, x: float, y: float) -> str:
    """An absolute path scaled and moved, its steps made relative: equal pips are then equal text, which gzip loves."""
    at, start, steps = (0.0, 0.0), (0.0, 0.0), []
    for command, text in re.findall(r"([MLHVCAZ])([^MLHVCAZ]*)", path):
        values = [float(v) for v in re.findall(r"-?[\d.]+", text)]
        if command == "Z":
            at = start
            steps.append("z")
        elif command == "M":
            at = start = (values[0], values[1])
            steps.append(f"M{short(at[0] * scale + x)} {short(at[1] * scale + y)}")
        else:
            numbers, at = step(command, values, at, scale)
            steps.append(command.lower() + " ".join(numbers))
    return "".join(steps).replace(" -", "-")


def step(command: str, values: list[float], at: Point, scale: float) -> tuple[list[str], Point]:
    """The relative numbers of one command, and the point where it ends."""
    if command == "H":
        return [short((values[0] - at[0]) * scale)], (values[0], at[1])
    if command == "V":
        return [short((values[0] - at[1]) * scale)], (at[0], values[0])
    radii = [short(v * scale) for v in values[:2]] + [f"{v:g}" for v in values[2:5]] if command == "A" else []
    points = values[5:] if command == "A" else values
    return radii + [short((v - at[i % 2]) * scale) for i, v in enumerate(points)], (points[-2], points[-1])


def short(value: float) -> str:
    return re.sub(r"^(-?)0\.", r"\1.", f"{round(value, 2) + 0:g}")


def ink(word: str, suit: str) -> str:
    match word:
        case "none":
            return word
        case "paper":
            return "var(--card-paper)"
        case "cloth" | "ground" | "suit":
            return f"var(--{word}-{suit})"
    return f"var(--court-{word})"


def path(d: str, ink: str) -> str:
    return f'<path fill="{ink}" d="{d}"/>'


class Sprite:
    """Collects symbols; knows the shapes that every card shares."""

    def __init__(self) -> None:
        self.shapes = read_art("shapes.svg")
        self.pictures = {rank: read_art(f"{name}.svg") for rank, name in {"A": "ace", **COURTS}.items()}
        self.symbols: list[str] = []

    def add(self, name: str, box: str, drawing: str) -> None:
        self.symbols.append(f'<symbol id="{name}" viewBox="{box}">{drawing}</symbol>\n')

    def shape(self, name: str) -> str:
        return self.shapes[name].attrib["d"]

    def pips(self, suit: str, size: float, centres: list[Point], off: float = 0) -> str:
        corner = off - size / 2
        return "".join(placed(self.shape(f"suit-{suit}"), size / 100, x + corner, y + corner) for x, y in centres)

    def index(self, rank: str, suit: str) -> str:
        scale = RANK_HEIGHT / 100
        suit_x = INDEX_X + float(self.shapes[f"rank-{rank}"].attrib["data-width"]) * scale + INDEX_GAP
        centre = (suit_x + SUIT_HEIGHT / 2, INDEX_Y + RANK_HEIGHT / 2)
        letter = placed(self.shape(f"rank-{rank}"), scale, INDEX_X, INDEX_Y)
        return path(letter + self.pips(suit, SUIT_HEIGHT, [centre]), f"var(--suit-{suit})")

    def wordmark(self) -> tuple[float, str]:
        """The name in our own letters with a pip for its space: its width, and its path."""
        x = 0.0
        letters: list[str] = []
        for word in ("SIMPLE", "SIMON"):
            if letters:
                letters.append(self.pips("D", 40, [(x + 20, 50)]))
                x += 40 + LETTER_GAP
            for letter in word:
                letters.append(placed(self.shape(f"letter-{letter}"), 1, x, 0))
                x += float(self.shapes[f"letter-{letter}"].attrib["data-width"]) + LETTER_GAP
        return x - LETTER_GAP, path("".join(letters), "currentColor")

    def number(self, rank: str, suit: str) -> str:
        size, centres = PIPS[rank]
        under = self.pips(suit, size, centres, MISREGISTER)
        pips = path(under, f"var(--ground-{suit})") + path(self.pips(suit, size, centres), f"var(--suit-{suit})")
        return f"<g{HIDEABLE}>{pips}</g>"

    def printed(self, element: ET.Element, suit: str) -> str:
        """A drawing of client/art as sprite text, for one suit: data-pip="x y size" stands for its pip."""
        attributes = {k: v for k, v in element.attrib.items() if k != "id"}
        if "data-pip" in attributes:
            x, y, size = map(float, attributes.pop("data-pip").split())
            attributes["d"] = self.pips(suit, size, [(x, y)])
        text = "".join(f' {k}="{ink(v, suit) if k in ("fill", "stroke") else v}"' for k, v in attributes.items())
        tag = element.tag.removeprefix(SVG)
        inner = "".join(self.printed(child, suit) for child in element)
        return f"<{tag}{text}>{inner}</{tag}>" if inner else f"<{tag}{text}/>"

    def layers(self, rank: str, suit: str) -> str:
        """The layers of a picture in the order of its file: for all suits, or (id ending in -S …) for this one."""
        layers = (e for name, e in self.pictures[rank].items() if name[-2:-1] != "-" or name[-1] == suit)
        return "".join(self.printed(layer, suit) for layer in layers)

    def picture(self, rank: str, suit: str) -> str:
        if rank in PIPS:
            return self.number(rank, suit)
        drawing = self.layers(rank, suit)
        if rank in COURTS:
            turned = f' transform="matrix(-1 0 0 1 {PANEL_SIZE} 0)"' if suit in LOOKS_LEFT[rank] else ""
            ground = f'<rect width="{PANEL_SIZE}" height="{PANEL_SIZE}" rx="5" fill="{ink("ground", suit)}"/>'
            drawing = f"{ground}<g{turned}>{drawing}</g>"
        return f'<g{HIDEABLE} transform="translate({PANEL_X} {PANEL_Y})">{drawing}</g>'


def blank() -> str:
    return (
        '<rect x="1" y="1" width="98" height="138" rx="8" fill="var(--card-paper)"'
        ' stroke="var(--card-border)" stroke-width="1.25" vector-effect="non-scaling-stroke"/>'
    )


def main() -> None:
    sprite = Sprite()
    for suit in SUITS:
        sprite.add(f"suit-{suit}", "0 0 100 100", path(sprite.shape(f"suit-{suit}"), "currentColor"))
    for rank in RANKS:
        box = f"0 0 {sprite.shapes[f'rank-{rank}'].attrib['data-width']} 103"
        sprite.add(f"rank-{rank}", box, path(sprite.shape(f"rank-{rank}"), "currentColor"))
    width, name = sprite.wordmark()
    sprite.add("wordmark", f"0 0 {width:g} 100", name)
    sprite.add("card-blank", "0 0 100 140", blank())
    # the four of a rank beside each other: they have most in common, and gzip looks back 32 KiB only
    for rank in RANKS:
        for suit in SUITS:
            drawing = blank() + sprite.index(rank, suit) + sprite.picture(rank, suit)
            sprite.add(f"card-{rank}{suit}", "0 0 100 140", drawing)
    (CLIENT / "cards.svg").write_text(HEAD + "".join(sprite.symbols) + "</svg>\n", "utf-8")


if __name__ == "__main__":
    main()
