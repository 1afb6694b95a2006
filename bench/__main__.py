"""`make bench`: our server beside others, in one run on this machine; prints one table and how far to trust it.

Rounds visit the servers in an order of their own, so that a busy minute does not strike one alone.
"""

import argparse
import json
import os
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bench.build import CannotMeasure
from bench.cases import CASES, QUICK, Figures, Pace
from bench.inside import inside
from bench.load import Faulty
from bench.ours import OUR_CASES
from bench.processes import CPUS, machine_cpu_s, prepare
from bench.servers import EPOLL, OURS, SERVERS, UVLOOP
from bench.table import Record, by_round, lines, number

ALONE: dict[str, Callable[[Pace], Figures]] = OUR_CASES | {"inside": inside}
QUICK_SERVERS = (OURS, "ws, XADD", "Starlette", UVLOOP, EPOLL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 1 when a server was found to lose, double or reorder a version, 2 when nothing can be measured."""
    asked = _parser().parse_args(arguments)
    if sys.platform != "linux" or len(CPUS) < 2:
        print("bench: this needs Linux, which tells what a process costs, and two processors", file=sys.stderr)
        return 2
    prepare()
    figures = asked.figures
    records = [json.loads(line) for line in figures.read_text().splitlines()] if figures and figures.exists() else []
    before = len(records)
    try:
        _measure(asked, records)
    except CannotMeasure as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print("\n".join([*lines(records), "", *_footer(records)]))
    return int(any("fault" in record for record in records[before:]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round beside fewer servers, in two minutes")
    parser.add_argument("--rounds", type=int, default=3)
    cases = [*CASES, *ALONE]
    parser.add_argument("--only", nargs="+", choices=cases, default=cases, metavar="CASE", help=", ".join(cases))
    parser.add_argument("--servers", nargs="+", choices=SERVERS, default=list(SERVERS), metavar="SERVER")
    parser.add_argument("--figures", type=Path, help="a file of JSON lines: its figures count too, new ones are added")
    return parser


def _measure(asked: argparse.Namespace, records: list[Record]) -> None:
    pace = QUICK if asked.quick else Pace()
    servers = [name for name in asked.servers if not asked.quick or name in QUICK_SERVERS]
    first = 1 + max((int(str(record["round"])) for record in records), default=0)
    for turn in range(first, first + (1 if asked.quick else asked.rounds)):
        runs = [(name, case, partial(CASES[case], SERVERS[name])) for name in servers for case in CASES]
        runs += [(OURS, case, partial(run)) for case, run in ALONE.items()]
        random.Random(turn).shuffle(runs)
        for name, case, run in runs:
            if case in asked.only:
                records.append({"round": turn, "server": name} | _run(name, case, partial(run, pace)))
                _keep(asked.figures, records[-1])


def _keep(file: Path | None, record: Record) -> None:
    if file:
        with file.open("a") as kept:
            kept.write(json.dumps(record) + "\n")


def _run(name: str, case: str, run: Callable[[], Figures]) -> Record:
    print(f"{datetime.now(UTC):%H:%M:%S}  {case} at {name}", file=sys.stderr, flush=True)
    started, machine, own = time.perf_counter(), machine_cpu_s(), _own_cpu_s()
    try:
        record: Record = {"figures": run()}
    except Faulty as fault:
        print(f"bench: {name} failed in {case}: {fault}", file=sys.stderr)
        record = {"figures": {}, "fault": str(fault)}
    busy = machine_cpu_s() - machine - (_own_cpu_s() - own)
    return record | {"others": max(0, busy / (time.perf_counter() - started) / (os.cpu_count() or 1))}


def _own_cpu_s() -> float:
    """Of this process and all that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _footer(records: Sequence[Record]) -> list[str]:
    """Where it was measured, and why the load generator was not what limited it."""
    model = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), "?: ?")
    others = [float(str(record["others"])) for record in records]
    told = [
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} × {model.split(': ')[1]}, Linux {os.uname().release}; "
        f"something else had {statistics.median(others):.0%} of it ({min(others):.0%} to {max(others):.0%})."
    ]
    taken = by_round(records, EPOLL, "generator") or by_round(records, OURS, "generator")
    if taken:
        shares = by_round(records, OURS, "generator's share").values()
        told.append(
            f"The generator reads and checks {number(statistics.median(taken.values()))} diffs a second of its own "
            f"processor; with 8 moves under way it was busy for {statistics.median(shares):.0f} % of the time."
        )
    faults = [record for record in records if "fault" in record]
    told.append(
        f"In {len(records) - len(faults)} of {len(records)} runs every spectator had every version, in order, once."
    )
    return [*told, *(f"- {record['server']}: {record['fault']}" for record in faults)]


if __name__ == "__main__":
    sys.exit(main())
