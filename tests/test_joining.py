"""Modules and style sheets joined, so that a browser asks once: by small sources, and by the page's own."""

import re

import pytest

from simplesimon.edition import SCRIPT, STYLE, Edition
from simplesimon.joining import imported, joined_modules, joined_styles, pointed_to
from simplesimon.pages import client_dir

SOURCES = {
    "main.js": 'import { shout } from "./words.js";\nimport {\n  two,\n} from "./sums.js";\nshout(two());\n',
    "words.js": 'import { two } from "./sums.js";\n\n/** Loud. */\nexport function shout(n) {}\nconst own = 1;\n',
    "sums.js": (
        "// Small.\nexport const two = () => own * 2; // stays\n/** @type {1} */ const own = 1;\n"
        "/** Waits.\n */\nexport async function wait() {}\n"
    ),
    "again.js": 'export { two } from "./sums.js";\nexport class Again {}\n',
    "later.js": 'import { shout } from "./words.js";\nimport { x } from "./x.js";\nimport("./main.js");\n',
}


def read(name):
    return SOURCES[name]


def test_a_module_comes_after_those_that_it_imports():
    assert imported("main.js", read) == ["sums.js", "words.js", "main.js"]
    assert imported("again.js", read) == ["sums.js", "again.js"]


def test_joined_modules_keep_what_is_their_own_and_give_what_they_exported():
    assert joined_modules(["sums.js", "again.js"], read) == (
        "const { two, wait } = (() => {\n"
        "const two = () => own * 2; // stays\n/** @type {1} */ const own = 1;\nasync function wait() {}\n"
        "return { two, wait };\n})();\n"
        "const { Again } = (() => {\nclass Again {}\nreturn { Again };\n})();\n"
        "export { two, wait, Again };\n"
    )


def test_a_circle_is_told():
    circle = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"a\.js imports b\.js imports a\.js"):
        imported("a.js", circle.__getitem__)


def test_a_name_that_two_export_is_told():
    with pytest.raises(ValueError, match=r"two is exported by sums\.js and by sums\.js"):
        joined_modules(["sums.js", "sums.js"], read)


@pytest.mark.parametrize(
    "line",
    [
        'import * as words from "./words.js";',
        'import words from "./words.js";',
        'import { two } from "../sums.js";',
        "export default 1;",
        "export let count = 1;",
        "export { own };",
    ],
)
def test_what_cannot_be_joined_is_told(line):
    with pytest.raises(ValueError, match=re.escape(f"x.js cannot be joined: {line}")):
        joined_modules(["x.js"], lambda _: line + "\n")


def test_whoever_comes_later_asks_for_what_was_joined_where_it_is():
    assert pointed_to("main.js", ["words.js", "main.js"], read("later.js")) == (
        'import { shout } from "./main.js";\nimport { x } from "./x.js";\nimport("./main.js");\n'
    )


def test_a_style_sheet_has_in_it_what_it_imports():
    styles = {"page.css": '@import "a.css";\n/* and */\nb { }\n', "a.css": "/* two\nlines */\na { /* in it */ }\n"}
    assert joined_styles("page.css", styles.__getitem__) == "a { /* in it */ }\nb { }\n"


def test_the_page_is_joined():
    edition = Edition(client_dir())
    assert b"@import" not in edition.file(STYLE)
    assert re.search(rb"^import\b(?! *\()", edition.file(SCRIPT), re.MULTILINE) is None
    for name in ("render.js", "style.css", "index.html"):
        with pytest.raises(KeyError):
            edition.file(name)


def test_another_file_makes_another_edition(tmp_path):
    def edition():
        for name in ("index.html", "main.js", "page.css"):
            (tmp_path / name).touch()
        return Edition(tmp_path).name

    first = edition()
    assert edition() == first
    (tmp_path / "main.js").write_text("0;\n")
    changed = edition()
    (tmp_path / "main.js").rename(tmp_path / "other.js")
    assert len({first, changed, edition()}) == 3
