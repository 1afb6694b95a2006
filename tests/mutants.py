"""Takes each protection of mutants.toml away, one at a time in a copy of the tree, and sees that its test fails.

`make mutants`, or `make mutants ARGS="feed hub"` for those with one of the words in them, or `ARGS=2/5` for a fifth of
all. A test that still passes protects nothing, and one that ends otherwise than it should (in a fixture, say, or before
it began) shows nothing: both are told, and the exit status is 1.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as Xml

ROOT = Path(__file__).parents[1]
GUARD_S = 15
"""A test that hangs without a protection is ended so soon."""
WITHIN_S = 180
"""So is one that hangs where no guard stands."""
HANGS = 99
ASSERTION, LATE = "AssertionError", "TimeoutError"
_SAYS_ASSERTION = r"assert |AssertionError|Failed: "


class Mutant(NamedTuple):
    """`old` stands once in `file`, and with `new` in its place `test` fails by an exception of the name `by`."""

    what: str
    file: str
    old: str
    new: str
    test: str
    by: str = ASSERTION

    def of(self, text: str) -> str:
        """The text of the file without the protection. Raises ValueError where it is not what it was."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} has {text.count(self.old)} times {self.old!r}")
        return text.replace(self.old, self.new)


def mutants() -> list[Mutant]:
    listed = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text())
    return [Mutant(file=file, **fields) for file, found in listed.items() for fields in found]


def copied(folder: Path) -> Path:
    """The tree as it is, what is not committed included."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.check_output(listing, cwd=ROOT, text=True).split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


@contextlib.contextmanager
def without(tree: Path, mutant: Mutant) -> Iterator[None]:
    file = tree / mutant.file
    text = file.read_text()
    file.write_text(mutant.of(text))
    try:
        yield
    finally:
        file.write_text(text)


def failures(tree: Path, tests: Iterable[str], within_s: float | None = None, **guard: str) -> list[str] | None:
    """How these tests failed, each by the message of its exception; None when they came to no end of their own."""
    told = tree / "told.xml"
    told.unlink(missing_ok=True)
    # bytecode is told from its source by size and second, which a mutant may share with what it was
    here = {"PYTHONPATH": str(tree / "server"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={told}"]
    command += [f"tests/{test}" for test in tests]
    with (tree / "said").open("w") as said:
        pytest = subprocess.Popen(
            command, cwd=tree, env=os.environ | here | guard, stdout=said, stderr=said, start_new_session=True
        )
    try:
        status = pytest.wait(within_s)
    except subprocess.TimeoutExpired:
        status = HANGS
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pytest.pid, signal.SIGKILL)  # what a test left that did not end as it should
    if status > 1 or not told.exists():
        return None
    cases = list(Xml.parse(told).iter("testcase"))
    found = [failed.get("message", "") for case in cases for failed in case.iter("failure")]
    return found or (None if status else [])


def is_by(message: str, name: str) -> bool:
    """Whether a failure is one of that name, or of one of those."""
    return bool(re.match(_SAYS_ASSERTION if name == ASSERTION else rf"[\w.]*\b({name})\b", message))


def verdict(tree: Path, mutant: Mutant) -> tuple[bool, str]:
    """Whether its test noticed, and what it said."""
    with without(tree, mutant):
        found = guarded(tree, mutant.test)
    if found is None:
        return False, "the test did not come to an end of its own"
    if not found:
        return False, "the test passes"
    says = " ".join(found[0].split())[:120]
    if not any(is_by(message, mutant.by) for message in found):
        return False, says
    if LATE in mutant.by and guarded(tree, mutant.test) != []:
        return False, "the test takes as long without the mutant: nothing is shown"
    return True, says


def guarded(tree: Path, test: str) -> list[str] | None:
    """How one test failed that is not given long."""
    return failures(tree, [test], WITHIN_S, GUARD_S=str(GUARD_S))


def chosen(words: Sequence[str]) -> list[Mutant]:
    if len(words) == 1 and (part := re.fullmatch(r"(\d+)/(\d+)", words[0])):
        return mutants()[int(part[1]) - 1 :: int(part[2])]
    return [each for each in mutants() if not words or any(word in " ".join(each) for word in words)]


def main(words: Sequence[str]) -> int:
    survived, tried = 0, chosen(words)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = copied(Path(folder).resolve())
        found = failures(tree, sorted({mutant.test for mutant in tried}))
        if found != []:
            print(f"the tests fail without any mutant: {found}")
            return 1
        for mutant in tried:
            began = time.monotonic()
            has_noticed, says = verdict(tree, mutant)
            survived += not has_noticed
            mark, took_s = "ok  " if has_noticed else "FAIL", time.monotonic() - began
            print(f"{mark} {took_s:4.1f} s  {mutant.what} ({mutant.file})\n          {says}", flush=True)
    print(f"{len(tried)} protections taken away, {len(tried) - survived} noticed")
    return min(survived, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
