"""The page's files as they are served: joined, compressed, and under an address that changes with them.

An edition is named by a hash over all of them, so that a browser may keep them for ever.
"""

import gzip
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from simplesimon.joining import imported, joined_modules, joined_styles, pointed_to, without_comments

SCRIPT, STYLE = "main.js", "page.css"
"""Each is served with all that it imports."""


class Edition:
    """All files of a folder, in memory."""

    def __init__(self, folder: Path) -> None:
        """Raises ValueError where the files cannot be joined."""
        files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.*"))}
        self.name = sha256(repr(files).encode()).hexdigest()[:12]
        self.page = files.pop("index.html").replace(b'"/client/', b'"%s' % self.address("").encode())
        self._files = _served(files)
        self.compressed = lru_cache(None)(self._compressed)

    def address(self, name: str) -> str:
        """Where a file is."""
        return f"/edition/{self.name}/{name}"

    def file(self, name: str) -> bytes:
        """A file as it is served. Raises KeyError."""
        return self._files[name]

    def _compressed(self, name: str) -> bytes:
        return gzip.compress(self._files[name], mtime=0)


def _served(files: dict[str, bytes]) -> dict[str, bytes]:
    def read(name: str) -> str:
        return files[name].decode()

    joined = imported(SCRIPT, read)
    later = {name for name in files if name.endswith(".js")} - set(joined)
    scripts = {name: pointed_to(SCRIPT, joined, without_comments(read(name))) for name in later}
    scripts[SCRIPT] = pointed_to(SCRIPT, joined, joined_modules(joined, read))
    texts = scripts | {STYLE: joined_styles(STYLE, read)}
    others = {name: content for name, content in files.items() if not name.endswith((".js", ".css"))}
    return others | {name: text.encode() for name, text in texts.items()}
