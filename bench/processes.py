"""What processes cost, as the kernel counts it, and where they run. Linux alone tells all of this."""

import contextlib
import os
import resource
from collections.abc import Iterable, Iterator
from pathlib import Path

CPUS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
SERVER, STORE, GENERATOR = CPUS[:1], CPUS[1:-1] or CPUS[-1:], CPUS[-1:]
"""Who runs where: the server has a processor of its own; where there are only two, the others share one."""
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def on(cpus: Iterable[int]) -> Iterator[None]:
    """What is started in the block runs on these processors, and so does what it starts."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def move_to(pid: int, cpus: Iterable[int]) -> None:
    """All threads of a process that runs already."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), cpus)


def family(pid: int) -> list[int]:
    """A process, its children, and theirs."""
    found = [pid]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            found += map(int, children.read_text().split())
    return found


def name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def cpu_s(pids: Iterable[int]) -> float:
    """Seconds on a processor so far, of all threads; to the nanosecond."""
    times = 0
    for pid in pids:
        for schedule in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            times += int(schedule.read_text().split()[0])
    return times / 1e9


def memory_kib(pids: Iterable[int]) -> int:
    """What they have in memory (RSS). The kernel's own buffers for sockets are not in it."""
    lines = (line for pid in pids for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def kernel_kib() -> int:
    """What the kernel keeps in small pieces, sockets among them, for the whole machine."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Slab:"))


def own_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def machine_cpu_s() -> float:
    """Seconds that the processors have been busy since the start, with whatever; to the tick."""
    _, user, nice, system, _, _, irq, softirq, *_ = Path("/proc/stat").read_text().split(maxsplit=9)
    return sum(map(int, (user, nice, system, irq, softirq))) / TICKS_A_SECOND


def prepare() -> int:
    """This process goes where the generator belongs, and may open as many files as the hard limit allows: so many.

    What is started later may, too.
    """
    os.sched_setaffinity(0, GENERATOR)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard
