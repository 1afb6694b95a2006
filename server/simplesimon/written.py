"""A game written out for people to read: its deal, what happened when, how it ended. Pure."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from simplesimon.game import Event, Moved, Redone, Restarted, State, Undone
from simplesimon.history import History
from simplesimon.rules.cards import Column, cards_text
from simplesimon.rules.position import SEQUENCE, Move
from simplesimon.wording import Text

_WORDS: dict[type[Event], str] = {Undone: "undo", Redone: "redo", Restarted: "restart"}


def written(steps: Iterator[tuple[Event, History]], text: Text) -> str:
    """A game from its deal to its end; columns are counted from 1, as people do."""
    _, first = next(steps)
    happened, last = [], first
    for event, after in steps:
        head = f"{after.version:6}  {_clock(after.at - first.at):>8}  {after.game.state.score:5}  "
        happened.append(head + _what(last, event, after, text))
        last = after
    lines = [*_head(first, last, text), "", text("deal"), *_table(first.game.deal.columns)]
    lines += ["", text("happened"), *happened] if happened else []
    state = last.game.state
    lines += [] if state.is_won else ["", text("end"), *_table(state.position.columns)]
    return "\n".join([*lines, "", f"SHA-256  {last.chain.hex()}", ""])


def _head(first: History, last: History, text: Text) -> list[str]:
    deal, state = first.game.deal, last.game.state
    began = datetime.fromtimestamp(first.at / 1000, UTC)
    ended = text("won" if state.is_won else "on")
    return [
        f"Simple Simon, {deal.code or text('suits', n=deal.suits)}",
        f"{text('numbers', n=state.moves, score=state.score)}, {ended}",
        f"{began:%Y-%m-%d %H:%M:%S} UTC + {_clock(last.at - first.at)}",
    ]


def _table(columns: Sequence[Column]) -> list[str]:
    return [f"{number:6}  {cards_text(column)}".rstrip() for number, column in enumerate(columns, 1)]


def _what(before: History, event: Event, after: History, text: Text) -> str:
    if not isinstance(event, Moved):
        return text(_WORDS[type(event)])
    move, old = event.move, before.game.state
    cards = old.position.columns[move.source][-move.count :]
    return f"{move.source + 1:2} → {move.target + 1:<2}  {cards_text(cards)}{_gone(old, move, after.game.state, text)}"


def _gone(old: State, move: Move, now: State, text: Text) -> str:
    """What the move completed."""
    if len(now.off) == len(old.off):
        return ""
    moved = old.position.columns[move.source][-move.count :]
    sequence = (old.position.columns[move.target] + moved)[-SEQUENCE:]
    return "; " + text("leaves", cards=f"{sequence[0].text} … {sequence[-1].text}")


def _clock(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
