"""One game: commands, events, `decide` and `evolve`; undo, redo, restart, score. Pure, as the rules are.

A game is a chain of states: a move, and a restart, adds a state whose parent is the one before; undo goes to
the parent, redo back down. That one mechanism makes undo of a restart, replay and "play on from here" the same.

All values are Structs, which are made in C; `gc=False` spares the collector what can be part of no cycle.
"""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from simplesimon.errors import Refused
from simplesimon.rules.deal import Deal
from simplesimon.rules.position import Move, Position

UNDO_LIMIT = 100
START_SCORE, MOVE_COST, SEQUENCE_BONUS = 500, 1, 100
SEQUENCES_TO_WIN = 4


class Play(Struct, frozen=True, gc=False):
    move: Move


class Undo(Struct, frozen=True, gc=False):
    pass


class Redo(Struct, frozen=True, gc=False):
    pass


class Restart(Struct, frozen=True, gc=False):
    pass


Command = Play | Undo | Redo | Restart


class Dealt(Struct, frozen=True, gc=False):
    deal: Deal


class Moved(Struct, frozen=True, gc=False):
    move: Move


class Undone(Struct, frozen=True, gc=False):
    pass


class Redone(Struct, frozen=True, gc=False):
    pass


class Restarted(Struct, frozen=True, gc=False):
    pass


Event = Dealt | Moved | Undone | Redone | Restarted


class State(Struct, frozen=True, gc=False):
    """A link of the chain: where the cards are, what has left, how many moves, and the `move` that led here.

    `move` is None for the deal and for a restart. `off` holds the suits of the removed sequences, in order.
    """

    position: Position
    off: str = ""
    moves: int = 0
    move: Move | None = None

    @property
    def score(self) -> int:
        """Points; there is no floor."""
        return START_SCORE - MOVE_COST * self.moves + SEQUENCE_BONUS * len(self.off)

    @property
    def is_won(self) -> bool:
        return len(self.off) == SEQUENCES_TO_WIN

    def after(self, move: Move) -> "State":
        """The state that a legal move leads to."""
        position, removed = self.position.after(move)
        return State(position, self.off + (removed or ""), self.moves + 1, move)


class Game(Struct, frozen=True, gc=False):
    """A game at one version. `past` are the parents that undo can reach, the oldest first; `future` what redo
    can reach, the next one first. `version` counts the events, the deal included."""

    deal: Deal
    version: int
    past: tuple[State, ...]
    state: State
    future: tuple[State, ...]


def start(event: Dealt) -> Game:
    """The game that its first event makes."""
    return Game(event.deal, 1, (), State(Position(event.deal.columns)), ())


def decide(game: Game, command: Command) -> Event:
    """The event that a command leads to. Raises Refused with the name of the rule that forbids it."""
    if game.state.is_won:
        raise Refused("game_over")
    match command:
        case Play(move):
            game.state.position.check(move)
            return Moved(move)
        case Undo():
            if not game.past:
                raise Refused("nothing_to_undo")
            return Undone()
        case Redo():
            if not game.future:
                raise Refused("nothing_to_redo")
            return Redone()
        case Restart():
            return Restarted()
        case _:
            assert_never(command)


def evolve(game: Game, event: Event) -> Game:
    """The game after an event that `decide` allowed."""
    match event:
        case Moved(move):
            if game.future and game.future[0].move == move:
                return _down(game)
            return _add(game, game.state.after(move))
        case Restarted():
            if game.future and game.future[0].move is None:
                return _down(game)
            return _add(game, State(Position(game.deal.columns)))
        case Redone():
            return _down(game)
        case Undone():
            *past, parent = game.past
            future = (game.state, *game.future)
            return replace(game, version=game.version + 1, past=tuple(past), state=parent, future=future)
        case Dealt():
            raise ValueError("a game is dealt once, by its first event")
        case _:
            assert_never(event)


def _add(game: Game, state: State) -> Game:
    past = game.past[1 - UNDO_LIMIT :] + (game.state,)  # noqa: RUF005 - joining a hundred is half the price
    return Game(game.deal, game.version + 1, past, state, ())


def _down(game: Game) -> Game:
    """To the next state of the future: redo, or the very action that was undone, done again by hand."""
    state, *future = game.future
    return Game(game.deal, game.version + 1, (*game.past, game.state), state, tuple(future))
