"""What the clients of a run saw, against the logs: the faults in it. Pure, and it knows only the public contract.

`lost`: told to somebody, and not in the log. `invented`: in the log, and nobody asked for it. `doubled`: asked for
once, and there or told twice. `reordered`: told or stored out of order. `gap`: a version left out. `fork`: two
histories at one version. `broken`: a log whose chain is not that of its lines. `behind`: a follower that never came to
the end of the log as it is.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """A command that a client sent, perhaps often: on version `v`, as a line of the log has it (`move 3 2 5`)."""

    g: str
    v: int
    action: str


@dataclass(frozen=True, slots=True)
class Told:
    """What a client was told on one connection: a diff, or a `state`, or where it began with `since`."""

    g: str
    v: int
    c: str
    kind: str


Connection = tuple[str, int]
"""A client, and the number of its connection."""
Fault = tuple[str, str]
"""The kind, and what is wrong."""

SINCE, STATE = "since", "state"


def faults(
    asked: Sequence[Asked],
    told: Mapping[Connection, Sequence[Told]],
    logs: Mapping[str, Sequence[str]],
    chains: Mapping[str, str],
) -> list[Fault]:
    """Everything that is wrong. `logs` has the lines of each game (`V AT KIND ARGS`), `chains` the last chain value."""
    found: list[Fault] = []
    by_game: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for command in asked:
        by_game[command.g].add((command.v, command.action))
    for g, lines in logs.items():
        found += _in_log(g, lines, by_game[g])
        if chain(lines)[-1:] != [chains[g]]:
            found.append(("broken", f"game {g}: its chain value is not that of its lines"))
    values = {g: [value[:8] for value in chain(lines)] for g, lines in logs.items()}
    for (client, number), heard in told.items():
        found += _in_order(f"{client}, connection {number}", heard)
        found += _in_logs(f"{client}, connection {number}", heard, values)
    return found + list(_behind(told, values))


def chain(lines: Sequence[str]) -> list[str]:
    """The chain value after each line, in hex."""
    values, value = [], b""
    for line in lines:
        value = hashlib.sha256(value + line.encode()).digest()
        values.append(value.hex())
    return values


def _in_log(g: str, lines: Sequence[str], asked: set[tuple[int, str]]) -> Iterator[Fault]:
    actions = {action for _, action in asked}
    before = ""
    for number, line in enumerate(lines, 1):
        version, _, action = line.split(" ", 2)
        if int(version) != number:
            yield "gap", f"game {g}: the log has version {version} where {number} belongs"
            return
        if number > 1 and (number - 1, action) not in asked:
            kind = "doubled" if action == before else "reordered" if action in actions else "invented"
            yield kind, f"game {g}: nobody asked for {line!r} at that version"
        before = action


def _in_order(who: str, heard: Sequence[Told]) -> Iterator[Fault]:
    at: dict[str, int] = {}
    for each in heard:
        known = at.get(each.g)
        where = f"{who}: game {each.g}: version {each.v} after {known}"
        if each.kind == SINCE or known is None:
            if each.kind not in (SINCE, STATE):
                yield "gap", f"{where}: a diff before any state"
        elif each.v < known:
            yield "reordered", where
        elif each.v == known and each.kind != STATE:
            yield "doubled", where
        elif each.v > known + 1 and each.kind != STATE:
            yield "gap", where
        at[each.g] = each.v


def _in_logs(who: str, heard: Sequence[Told], values: Mapping[str, Sequence[str]]) -> Iterator[Fault]:
    for each in heard:
        log = values.get(each.g, ())
        if each.v > len(log):
            yield "lost", f"{who}: game {each.g}: was told version {each.v}, and the log ends at {len(log)}"
        elif each.c != log[each.v - 1]:
            yield "fork", f"{who}: game {each.g}: version {each.v} was {each.c}, the log has {log[each.v - 1]}"


def _behind(told: Mapping[Connection, Sequence[Told]], values: Mapping[str, Sequence[str]]) -> Iterator[Fault]:
    last: dict[tuple[str, str], tuple[int, str]] = {}
    for (client, _), heard in sorted(told.items(), key=lambda item: item[0]):
        last |= {(client, each.g): (each.v, each.c) for each in heard}
    for (client, g), (v, c) in last.items():
        log = values.get(g, ())
        if [(v, c)] != [(len(log), end) for end in log[-1:]]:
            yield "behind", f"{client}: game {g}: ended at version {v} ({c}) of {len(log)}"
