"""No text is missing: both languages have the same keys, with the same blanks, and the code asks for no other."""

import json
import re
from pathlib import Path
from typing import get_args

from simplesimon.errors import Rule

CLIENT = Path(__file__).parents[2] / "client"
ENGLISH, GREEK = (json.loads((CLIENT / "locales" / f"{name}.json").read_text()) for name in ("en", "el"))
ASKED = re.compile(r"""(?:\bt|\bsentence|\bsaid|\bpart)\(\s*["']([\w.-]+)["']|data-t(?:-label)?="([\w.-]+)\"""")


def forms(text: str | dict[str, str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def blanks(text: str | dict[str, str]) -> set[str]:
    return {name for form in forms(text) for name in re.findall(r"\{(\w+)\}", form)}


def test_both_languages_have_the_same_keys():
    assert ENGLISH.keys() == GREEK.keys()


def test_both_languages_fill_in_the_same_values():
    assert {key: blanks(text) for key, text in ENGLISH.items()} == {key: blanks(text) for key, text in GREEK.items()}


def test_plurals_have_the_forms_of_the_language():
    plurals = [text for texts in (ENGLISH, GREEK) for text in texts.values() if isinstance(text, dict)]
    assert {frozenset(text) for text in plurals} == {frozenset({"one", "other"})}


def test_the_code_asks_for_no_key_that_is_missing():
    sources = [*CLIENT.glob("*.js"), CLIENT / "index.html"]
    asked = {key for source in sources for pair in ASKED.findall(source.read_text()) for key in pair if key}
    assert len(asked) > 100
    assert asked - ENGLISH.keys() == set()


def test_every_refusal_has_its_sentence():
    assert {f"refused.{rule}" for rule in get_args(Rule)} <= ENGLISH.keys()
