"""What the tests of the pure rooms are told in: deals, what has happened since, a command, what comes of it.

Also the strategies by which hypothesis makes up deals and whole games.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import cycle, islice
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from simplesimon.errors import Refused
from simplesimon.game import (
    Command,
    Dealt,
    Event,
    Game,
    Moved,
    Play,
    Redo,
    Redone,
    Restart,
    Restarted,
    Undo,
    Undone,
    decide,
    evolve,
    start,
)
from simplesimon.history import History, begin
from simplesimon.rules.cards import parse_cards
from simplesimon.rules.deal import SUIT_COUNTS, Deal, deal_code, deal_from_code, deal_from_lines
from simplesimon.rules.position import COLUMNS, Move, Position, run_length

# No test is timed, neither here nor on a slower machine
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


Story = Sequence[Any]
"""Events, the deal first. Any, because to mypy a list of several types is one of objects."""


def dealt(lines: str) -> Dealt:
    return Dealt(deal_from_lines(lines.split("\n")))


def moved(text: str) -> list[Moved]:
    """`9 1 6, 2 1 9`: one card from column 9 to column 6, then one from 2 to 9."""
    return [Moved(Move(*map(int, move.split()))) for move in text.split(",")]


def position(*lines: str) -> Position:
    """The first columns as lines of cards; the others are empty."""
    return Position(tuple(parse_cards(line) for line in islice((*lines, *[""] * COLUMNS), COLUMNS)))


EXAMPLE = dealt(
    "AS KH AC 4D KD 6C TH 4C\n3D 2D 4S 9C AD 7C 8D 9H\nJH 6S 8H 5H 2S 3C 6H KS\nJS 7D 2C TS 9D TD 5S\n"
    "2H 9S KC 8C QS AH\nQC 7H TC JC QH\nJD 3H 5C 6D\n8S 4H QD\n3S 7S\n5D"
)
EXAMPLE_WIN = moved(
    "9 1 6, 2 1 9, 5 1 9, 5 1 9, 5 1 9, 1 1 9, 2 1 5, 2 1 0, 8 1 1, 2 1 8, 2 1 5, 2 1 9, 2 1 1, 4 1 8, 2 1 4, 3 1 1, "
    "1 3 9, 3 1 2, 3 1 2, 1 1 2, 3 1 4, 3 1 0, 3 1 2, 4 1 3, 6 2 2, 0 3 6, 0 1 4, 0 1 1, 7 1 0, 7 1 5, 6 4 1, 9 3 7, "
    "9 2 4, 6 1 5, 2 6 6, 0 2 2, 0 1 6, 5 5 4, 0 1 1, 9 2 5, 9 1 0, 4 9 0, 4 1 9, 1 7 4, 6 8 2, 1 1 6, 4 8 1, 1 9 5, "
    "5 12 4, 4 1 3, 1 1 7, 7 5 3, 4 1 0, 6 1 1, 8 1 0, 0 1 8, 8 3 3, 1 3 2, 3 11 9"
)

# Four columns that each want the rest of their sequence: spades, clubs, hearts and diamonds leave in six moves
SORTED = dealt(
    "KS QS JS TS 9S 8S 7S 6S\nKH QH JH TH 9H 8H 7H 6H\nKD QD JD TD 9D 8D 7D 6D\nKC QC JC TC 9C 8C 7C\n"
    "6C 5C 4C 3C 2C AC\n5S 4S 3S 2S AS\n4H 3H 2H AH\n3D 2D AD\n5D 4D\n5H"
)
SORTED_WIN = moved("5 5 0, 4 6 3, 9 1 1, 6 4 1, 8 2 2, 7 3 2")
SPADES_LEAVE = SORTED_WIN[0]

# A deal that has a code, and two ways to win it: in 44 moves and in 46
CODE = "SS1-S1-AAAAABE"
CODED_WIN, LONGER_WIN = (
    [Moved(Move(int(word[0]), int(word[1], 16), int(word[2]))) for word in words.split()]
    for words in (
        "318 518 216 210 113 415 029 013 012 225 836 331 219 013 337 683 399 413 327 764 017 310 470 092 721 164 475 "
        "110 2a1 210 812 225 511 415 411 711 521 142 110 112 115 042 012 522",
        "513 216 419 324 436 684 219 015 317 117 013 019 331 143 499 215 017 744 817 215 355 314 014 310 470 092 110 "
        "725 2a1 210 812 221 711 122 110 114 044 014 582 539 115 524 495 5a9 512 412",
    )
)


def to_and_fro(count: int) -> list[Moved]:
    """Moves of the five of hearts in SORTED, between the six of spades and the six of diamonds."""
    onto_spades, there, back = moved("9 1 0, 0 1 2, 2 1 0")
    return list(islice([onto_spades, *islice(cycle([there, back]), count)], count))


def game(given: Story) -> Game:
    """The game that these events make. A story that cannot happen is a mistake of the test."""
    begun, *rest = given
    assert isinstance(begun, Dealt)
    return reduce(happen, rest, start(begun))


def happen(before: Game, event: Event) -> Game:
    assert decide(before, command_for(event)) == event
    return evolve(before, event)


def command_for(event: Event) -> Command:
    match event:
        case Moved(move):
            return Play(move)
        case Undone():
            return Undo()
        case Redone():
            return Redo()
        case Restarted():
            return Restart()
    raise ValueError("nobody commands a deal")


def when(given: Story, command: Command) -> Event:
    return decide(game(given), command)


def refusal(given: Story, command: Command) -> str:
    """The name of the rule that forbids the command."""
    with pytest.raises(Refused) as refused:
        when(given, command)
    return refused.value.rule


def possible_moves(at: Position) -> list[Move]:
    runs = [(source, count) for source, column in enumerate(at.columns) for count in range(1, run_length(column) + 1)]
    return [
        Move(source, count, target)
        for source, count in runs
        for target, column in enumerate(at.columns)
        if source != target and (not column or column[-1].rank == at.columns[source][-count].rank + 1)
    ]


def next_event(now: Game, choice: int) -> Event | None:
    """One of the things that can happen to the game; None when it is won. Each fourth is no fresh move."""
    if now.state.is_won:
        return None
    others: list[Event] = [Restarted()]
    others += [Undone(), Undone(), Undone()] if now.past else []
    if now.future:
        repeated = now.future[0].move
        others += [Redone(), Moved(repeated) if repeated else Restarted()]
    moves: list[Event] = [Moved(move) for move in possible_moves(now.state.position)]
    able = others if choice % 4 == 0 or not moves else moves
    return able[choice // 4 % len(able)]


def deals() -> st.SearchStrategy[Deal]:
    return st.builds(
        lambda suits, seed: deal_from_code(deal_code(suits, seed)),
        st.sampled_from(SUIT_COUNTS),
        st.integers(0, 2**35 - 1),
    )


BEGINNINGS: st.SearchStrategy[list[Event]] = st.one_of(
    deals().map(lambda deal: [Dealt(deal)]),
    st.integers(0, len(EXAMPLE_WIN)).map(lambda count: [EXAMPLE, *EXAMPLE_WIN[:count]]),
    st.integers(0, len(SORTED_WIN) - 1).map(lambda count: [SORTED, *SORTED_WIN[:count]]),
    st.integers(90, 130).map(lambda count: [SORTED, *to_and_fro(count)]),
)


@st.composite
def logs(draw: st.DrawFn, most: int = 30) -> list[Event]:
    """The events of a whole game: a deal, perhaps much of a win, then whatever its player may do."""
    events = draw(BEGINNINGS)
    now = game(events)
    for choice in draw(st.lists(st.integers(0, 4000), max_size=most)):
        event = next_event(now, choice)
        if event is None:
            break
        events.append(event)
        now = evolve(now, event)
    return events


def told(events: Story) -> History:
    """The history of these events, half a second apart."""
    begun, *rest = events
    assert isinstance(begun, Dealt)
    history = begin(begun, 1796000000000)
    for event in rest:
        history = history.then(event, history.at + 500)
    return history
