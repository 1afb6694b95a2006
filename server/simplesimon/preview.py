"""What a link unfolds to where it is passed on: title, line and picture, as the tags of Open Graph. Pure.

It tells what everybody may see. A private game's page says what the page of no game says.
"""

from dataclasses import dataclass
from html import escape

from simplesimon.messages import StateMessage
from simplesimon.picture import HEIGHT, WIDTH
from simplesimon.wording import Text


@dataclass(frozen=True, slots=True)
class Preview:
    """Title and line, and the paths of the page and its picture."""

    title: str
    line: str
    path: str
    picture: str


def of_game(state: StateMessage, text: Text) -> Preview:
    """Of a game that is not private; the picture's address changes with the version, which those who keep it notice."""
    numbers = text("numbers", n=state.moves, score=state.score)
    off = text("off", n=len(state.off))
    return Preview(
        text("game.won" if state.won else "game", name=state.by.name, suits=text("suits", n=state.suits)),
        f"{numbers}, {text('won') if state.won else off}",
        f"/games/{state.g}",
        f"/games/{state.g}/picture.png?v={state.v}",
    )


def of_deal(code: str, text: Text) -> Preview:
    """Of a deal: its cards, and nothing of how it went."""
    suits = text("suits", n=int(code[5]))
    return Preview(
        text("deal.title", code=code), text("deal.line", suits=suits), f"/deals/{code}", f"/deals/{code}/picture.png"
    )


def general(path: str, text: Text) -> Preview:
    """Of a page that has no game to show."""
    return Preview("Simple Simon", text("site.line"), path, "/picture.png")


def tags(preview: Preview, base: str, locale: str) -> str:
    """The preview as tags of a page's head; `base` is where the site is, as others reach it, or empty."""
    found = {"og:title": preview.title, "og:description": preview.line, "og:type": "website", "og:locale": locale}
    if base:  # half an address is none
        found |= {
            "og:url": base + preview.path,
            "og:image": base + preview.picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": preview.title,
        }
    lines = [f'<meta property="{name}" content="{escape(content)}">' for name, content in found.items()]
    return "\n  ".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])
