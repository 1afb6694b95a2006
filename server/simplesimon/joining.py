"""Joins what a browser would otherwise fetch file by file: a module, or a style sheet, with all that it imports.

Knows JavaScript only as the page's files are written: imports and exports stand at the beginning of a line, by name,
never renamed, and no two modules export the same name. What is written otherwise is told when the server starts.
"""

import re
from collections.abc import Callable

Read = Callable[[str], str]
"""The text of a file, by its name."""

_IMPORT = re.compile(r'^(?:import|export) \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)
_OTHERWISE = re.compile(r"^(?:import|export)\b(?!\().*$", re.MULTILINE)
_ADDRESS = re.compile(r'((?: from |\bimport\()"\./)([\w-]+\.js)(?=")')
_STYLE = re.compile(r'^@import "([\w-]+\.css)";\n', re.MULTILINE)
# Only what has its lines to itself: a text may hold anything
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)\n", re.MULTILINE | re.DOTALL)


def without_comments(text: str) -> str:
    """Comments are for those who read the sources, and a third of what would travel."""
    return _COMMENT.sub("", text)


def imported(entry: str, read: Read) -> list[str]:
    """The module and all that it imports, each after those that it imports itself. Raises ValueError for a circle."""
    order: list[str] = []

    def visit(name: str, importing: list[str]) -> None:
        if name in importing:
            raise ValueError(f"{' imports '.join([*importing, name])}: a circle cannot be joined")
        for other in _IMPORT.findall(read(name)):
            if other not in order:
                visit(other, [*importing, name])
        order.append(name)

    visit(entry, [])
    return order


def joined_modules(names: list[str], read: Read) -> str:
    """One module that does what these do in this order, and exports what they export.

    Each becomes a function of its own, so that what it does not export stays its own. Raises ValueError where one is
    written in a way that cannot be joined.
    """
    exporters: dict[str, str] = {}
    parts = []
    for name in names:
        text, exports = _opened(name, read(name))
        for export in exports:
            if export in exporters:
                raise ValueError(f"{export} is exported by {exporters[export]} and by {name}")
            exporters[export] = name
        given = f"{{ {', '.join(exports)} }}"
        parts.append(f"const {given} = (() => {{\n{text}return {given};\n}})();\n")
    return "".join(parts) + f"export {{ {', '.join(exporters)} }};\n"


def _opened(name: str, text: str) -> tuple[str, list[str]]:
    """A module's text without imports, exports and comments, and what it exported."""
    bare = without_comments(_IMPORT.sub("", text))
    exports = [export for _, export in _EXPORT.findall(bare)]
    bare = _EXPORT.sub(r"\1 \2", bare)
    if otherwise := _OTHERWISE.search(bare):
        raise ValueError(f"{name} cannot be joined: {otherwise[0]}")
    return bare, exports


def pointed_to(joined: str, names: list[str], text: str) -> str:
    """A module's text that asks the joined module for what was joined: nothing may be there twice."""
    return _ADDRESS.sub(lambda it: it[1] + (joined if it[2] in names else it[2]), text)


def joined_styles(name: str, read: Read) -> str:
    """A style sheet with those that it imports in their places."""
    return without_comments(_STYLE.sub(lambda it: joined_styles(it[1], read), read(name)))
