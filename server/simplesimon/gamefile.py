"""A game as a file to take along, and back. Pure.

Law: a file is worth what its lines are worth. Each is checked with the rules, and together they give the deal and the
chain value that the file tells. It holds nothing of the game's id or player, so what is taken along and brought back is
the same, byte for byte.
"""

from collections.abc import Iterator

import msgspec

from simplesimon.bodies import GameFile, Log
from simplesimon.errors import BadFile, Damaged, Refused
from simplesimon.game import Command, Dealt, Event, Game, Moved, Play, Redo, Redone, Restart, Undo, Undone, decide
from simplesimon.history import History, begin, parse_line
from simplesimon.rules.cards import cards_text
from simplesimon.rules.position import COLUMNS

FILE_FORMAT = 1


def file_of(log: Log) -> GameFile:
    """The file of a game whose whole log this is."""
    return GameFile(FILE_FORMAT, log.code, log.columns, [event.line for event in log.events], log.chain)


def file_name(log: Log, ending: str) -> str:
    """What to call it: `simple-simon-SS1-S4-AAAAABD-v60.json`; plain ASCII."""
    return f"simple-simon-{log.code or 'deal'}-v{len(log.events)}.{ending}"


def file_bytes(file: GameFile) -> bytes:
    """The file, a line for each column and each event."""
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def parse_file(content: bytes) -> GameFile:
    """The file that these bytes are. Raises BadFile."""
    try:
        return msgspec.json.decode(content, type=GameFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(f"this is no file of a game: {error}") from None


def replay(file: GameFile, latest: int | None = None) -> Iterator[tuple[Event, History]]:
    """Each event with the history that it leads to, as far as they can be; no event may be after `latest`.

    Raises BadFile, which names the event.
    """
    if file.simplesimon != FILE_FORMAT:
        raise BadFile(f"the file has format {file.simplesimon}, which this version does not know (it knows 1)")
    history: History | None = None
    for number, text in enumerate(file.events, 1):
        try:
            event, history = _step(history, number, text, latest)
        except Damaged as error:
            raise BadFile(f"event {number} ({text[:40]!r}) cannot be: {error}") from None
        if number == 1:
            _check_deal(file, history)
        yield event, history
    if history is None:
        raise BadFile("the file has no events: the first is the deal")
    if history.chain.hex() != file.chain:
        raise BadFile(f"the events lead to the chain value {history.chain.hex()}, not {file.chain[:64]!r}")


def _step(before: History | None, number: int, text: str, latest: int | None) -> tuple[Event, History]:
    version, at, event = parse_line(text)
    if version != number:
        raise Damaged(f"it says that it is event {version}")
    if latest is not None and at > latest:
        raise Damaged("it is said to happen in the future")
    if before is None:
        if not isinstance(event, Dealt):
            raise Damaged("a game begins with its deal")
        return event, begin(event, at)
    if at < before.at:
        raise Damaged(f"it is said to happen before the one before, at {before.at}")
    _check(before.game, event)
    return event, before.then(event, at)


def _check(game: Game, event: Event) -> None:
    """Raises Damaged for what the rules forbid, with the rule and the cards."""
    try:
        decide(game, _command(event))
    except Refused as refused:
        raise Damaged(f"the rules forbid it, {refused.rule}{_cards(game, event)}") from None


def _command(event: Event) -> Command:
    """What leads to an event."""
    match event:
        case Moved(move):
            return Play(move)
        case Undone():
            return Undo()
        case Redone():
            return Redo()
        case Dealt():
            raise Damaged("a game is dealt once")
        case _:
            return Restart()


def _cards(game: Game, event: Event) -> str:
    """The cards that a move was about: `, 7H onto 9S`."""
    if not isinstance(event, Moved) or max(event.move.source, event.move.target) >= COLUMNS:
        return ""
    source, target = (game.state.position.columns[column] for column in (event.move.source, event.move.target))
    moved, top = cards_text(source[max(0, len(source) - event.move.count) :]), cards_text(target[-1:])
    return f", {moved or 'no card'} onto {top or 'an empty column'}"


def _check_deal(file: GameFile, history: History) -> None:
    deal = history.game.deal
    if file.code != deal.code or file.columns != deal.lines:
        raise BadFile("`code` and `columns` are not those of the deal of event 1")
