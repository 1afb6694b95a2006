"""What the server itself says to people, in the languages of `texts/*.json`: on pages that are passed on, and in a game
written out. What the page says is in `client/locales`.
"""

import json
from collections.abc import Callable
from importlib import resources

Text = Callable[..., str]
"""Gives the text of a key, with the values for its blanks; `n` chooses the plural form."""

DEFAULT = "en"
LOCALES = {DEFAULT: "en_GB", "el": "el_GR"}
LANGUAGES = tuple(LOCALES)


def wording(language: str) -> Text:
    """The texts of one of LANGUAGES."""
    texts = TEXTS[language]

    def text(key: str, **values: object) -> str:
        found = texts[key]
        form = found if isinstance(found, str) else found["one" if values["n"] == 1 else "other"]
        return form.format(**values)

    return text


def language_for(accepted: str) -> str:
    """The language that a header Accept-Language wants most, of those there are (RFC 9110, 12.5.4)."""
    wanted: list[tuple[float, int, str]] = []
    for part in accepted[:200].split(","):
        tag, _, weight = part.partition(";")
        language = tag.strip().lower().split("-")[0]
        if language in LANGUAGES:
            wanted.append((-_weight(weight), len(wanted), language))
    first = min(wanted, default=None)
    return first[2] if first and first[0] < 0 else DEFAULT


def _weight(text: str) -> float:
    try:
        return float(text.strip().removeprefix("q=") or 1)
    except ValueError:
        return 0


TEXTS = {
    language: json.loads(resources.files("simplesimon").joinpath("texts", f"{language}.json").read_text("utf-8"))
    for language in LANGUAGES
}
