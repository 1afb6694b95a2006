"""What the contract promises of a game and to who follows it, for `test_contract`.

The pure rules know what happens; here stands what everybody must be told of it.
"""

import contextlib
from typing import Any

from clients import Message
from stories import possible_moves

from simplesimon.errors import Refused
from simplesimon.game import (
    Command,
    Dealt,
    Event,
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
from simplesimon.rules.cards import cards_text
from simplesimon.rules.deal import deal_from_lines
from simplesimon.rules.position import Move

WORDS: dict[type[Event], str] = {Moved: "move", Undone: "undo", Redone: "redo", Restarted: "restart"}
EVENTS: dict[str, Event] = {"undo": Undone(), "redo": Redone(), "restart": Restarted()}


class Played:
    """A game: every version that it had, and the chain values that were told of them."""

    def __init__(self, state: Message, owner: int) -> None:
        self.g, self.owner, self.visibility = state["g"], owner, state["visibility"]
        self.events: list[Event] = [Dealt(deal_from_lines(state["columns"]))]
        self.versions = [start(self.events[0])]  # type: ignore[arg-type]
        self._c: dict[int, str] = {}
        self.check(state)

    @property
    def v(self) -> int:
        return len(self.versions)

    def is_seen_by(self, player: int | None) -> bool:
        return self.visibility != "private" or player == self.owner

    def answer(self, command: Command, v: int, player: int | None) -> Message | None:
        """What must be told to who asked and to nobody else; None when it is done, and told to all."""
        if player != self.owner:
            code = "not_your_game" if self.is_seen_by(player) else "no_such_game"
            return {"t": "error", "code": code, "g": self.g}
        if v != self.v:
            return {"t": "stale", "g": self.g, "v": self.v}
        try:
            self.happen(decide(self.versions[-1], command))
        except Refused as refused:
            return {"t": "refused", "g": self.g, "v": v, "rule": refused.rule}
        return None

    def learn(self, logged: Message) -> None:
        """An event of the log that could have been another one: of a race."""
        self.happen(Moved(Move(*logged["m"])) if logged["t"] == "move" else EVENTS[logged["t"]])

    def happen(self, event: Event) -> None:
        self.events.append(event)
        self.versions.append(evolve(self.versions[-1], event))

    def command(self, choice: int) -> Command:
        """Something to do: mostly a move that can be made, sometimes one that cannot."""
        now, number = self.versions[-1], choice // 10
        moves = possible_moves(now.state.position)
        match choice % 10:
            case 6:
                return Undo()
            case 7:
                return Redo()
            case 8:
                return Restart()
            case 9:
                return Play(Move(number % 12, number % 7, number % 11))
        return Play(moves[number % len(moves)]) if moves else Restart()

    def legal(self, choice: int) -> Command | None:
        """Something that can be done; None when the game is over."""
        command = self.command(choice)
        for each in (command, Restart()):
            with contextlib.suppress(Refused):
                decide(self.versions[-1], each)
                return each
        return None

    def c(self, v: int) -> str:
        """The chain value that was told of a version."""
        return self._c[v]

    def kind(self, v: int) -> str:
        """As what version `v` is told."""
        event = self.events[v - 1]
        child = self.versions[v - 2] if isinstance(event, Undone) else self.versions[v - 1]
        return WORDS[type(event)] if child.state.move else "state"

    def columns(self, v: int) -> list[str]:
        return [cards_text(column) for column in self.versions[v - 1].state.position.columns]

    def check(self, told: Message) -> None:
        """A state, or a diff, must say what is true of its version, and the same chain value to everybody."""
        v = told["v"]
        assert 1 <= v <= self.v, f"version {v} of {self.v}"
        now = self.versions[v - 1]
        assert self._c.setdefault(v, told["c"]) == told["c"], f"two histories at version {v}"
        assert (told["score"], told["moves"]) == (now.state.score, now.state.moves)
        if told["t"] == "state":
            assert (told["columns"], "".join(told["off"])) == (self.columns(v), now.state.off)
            assert (told["undo"], told["redo"], told["won"]) == (len(now.past), len(now.future), now.state.is_won)
            assert told["visibility"] == self.visibility

    def check_log(self, log: Any, chain: list[str]) -> None:
        """The log as it is read over HTTP has all of it, once and in order, and its chain is what was told."""
        assert [event["v"] for event in log["events"]] == list(range(1, self.v + 1))
        assert [event["t"] for event in log["events"][1:]] == [WORDS[type(event)] for event in self.events[1:]]
        assert log["chain"] == chain[-1]
        assert {v: chain[v - 1][:8] for v in self._c} == self._c


class View:
    """A game as one socket has it: cards that are moved as the diffs say, without rules."""

    def __init__(self, game: Played, player: int | None, since: int = 0, *, is_lost: bool = False) -> None:
        """From version `since` on, or from a state; one that says `set_back` when what was asked for `is_lost`."""
        self.game = game
        self.v = since
        self.states_due = 0 if since else 1
        self._columns = [column.split() for column in game.columns(since)] if since else []
        self._is_lost = is_lost
        self._is_mine = player == game.owner

    @property
    def is_level(self) -> bool:
        return self.v == self.game.v and not self.states_due

    def take(self, told: Message) -> None:
        """The next thing that is told of the game."""
        if told["t"] == "state":
            self._take_state(told)
        else:
            assert told["v"] == self.v + 1, f"version {told['v']} after {self.v}"
            assert told["t"] == self.game.kind(told["v"])
            self._move(told)
        self.v = told["v"]
        self.game.check(told)
        assert [" ".join(column) for column in self._columns] == self.game.columns(self.v)

    def _take_state(self, told: Message) -> None:
        if self.v and told["v"] == self.v + 1:
            assert self.game.kind(told["v"]) == "state"
        else:
            assert self.states_due, f"a state of version {told['v']} that nobody asked for"
            self.states_due -= 1
        assert (told["mine"], told.get("set_back", False)) == (self._is_mine, self._is_lost)
        self._is_lost = False
        self._columns = [column.split() for column in told["columns"]]

    def _move(self, told: Message) -> None:
        source, count, target = told["m"]
        if told["t"] == "undo":
            if "off" in told:
                self._columns[target] += [rank + told["off"] for rank in "KQJT98765432A"]
            source, target = target, source
        cut = len(self._columns[source]) - count
        self._columns[target] += self._columns[source][cut:]
        del self._columns[source][cut:]
        if "off" in told and told["t"] != "undo":
            del self._columns[target][-13:]
