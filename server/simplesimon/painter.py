"""A process of its own that turns one picture from SVG to PNG: `python -m simplesimon.painter`, from standard input to
standard output. What it takes is bounded here, and what it may do wrong ends with it: the library holds the interpreter
while it draws, which no event loop could bear.
"""

import contextlib
import resource
import sys

MEMORY_BYTES = 1024**3
CPU_S = 10


def main() -> None:
    """Draws what standard input says."""
    for bound, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CPU, CPU_S)):
        with contextlib.suppress(ValueError):  # a system that knows no such bound, or has a closer one
            resource.setrlimit(bound, (most, most))
    import resvg_py  # only here, within the bounds

    svg = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


if __name__ == "__main__":
    main()
