"""A snapshot: a history at one version, as bytes from which it comes back without its log. Pure.

It holds the oldest state that undo can reach and the actions from there on, done and undone alike. Snapshots only save
time: every one can be deleted, and the log makes it again.
"""

import contextlib
import zlib
from collections.abc import Iterable

import msgspec

from simplesimon.errors import Damaged, SimpleSimonError
from simplesimon.game import Game, State
from simplesimon.history import History
from simplesimon.rules.cards import cards_text, parse_cards
from simplesimon.rules.deal import deal_from_text
from simplesimon.rules.position import Move, Position


class _Snapshot(msgspec.Struct, array_like=True):
    deal: str
    version: int
    at: int
    chain: str
    columns: list[str]
    off: str
    moves: int
    actions: list[tuple[int, int, int] | None]
    undone: int


def snapshot(history: History) -> bytes:
    """The history as bytes, about 1 KiB."""
    game = history.game
    states = (*game.past, game.state, *game.future)
    oldest = states[0]
    kept = _Snapshot(
        deal=game.deal.text,
        version=game.version,
        at=history.at,
        chain=history.chain.hex(),
        columns=[cards_text(column) for column in oldest.position.columns],
        off=oldest.off,
        moves=oldest.moves,
        actions=[(move.source, move.count, move.target) if (move := state.move) else None for state in states],
        undone=len(game.future),
    )
    return sealed(msgspec.json.encode(kept))


def sealed(kept: bytes) -> bytes:
    """With its sum (CRC-32) behind it: the chain value is that of the log, and says nothing of what stands here."""
    return b"%s %08x" % (kept, zlib.crc32(kept))


def version_of(content: bytes) -> int:
    """The version that a snapshot is of, without bringing it back; 0 for one that cannot be read."""
    try:
        return _opened(content).version
    except (msgspec.MsgspecError, ValueError):
        return 0


def restore(content: bytes) -> History:
    """The history that `snapshot` made the bytes of. Raises Damaged."""
    try:
        return _history(_opened(content))
    except (msgspec.MsgspecError, SimpleSimonError, ValueError, IndexError) as error:
        raise Damaged(f"a snapshot cannot be read: {error}") from error


def newest(kept: Iterable[bytes], since: int | None) -> History | None:
    """The newest one that is not after version `since`; one that cannot be read is as good as none."""
    for version, content in sorted(((version_of(content), content) for content in kept), reverse=True):
        if since is None or version <= since:
            with contextlib.suppress(Damaged):
                return restore(content)
    return None


def _opened(content: bytes) -> _Snapshot:
    kept = content[: -len(sealed(b""))]
    if sealed(kept) != content:
        raise ValueError("its sum is another one")
    return msgspec.json.decode(kept, type=_Snapshot)


def _history(kept: _Snapshot) -> History:
    deal = deal_from_text(kept.deal)
    oldest, *actions = (action and Move(*action) for action in kept.actions)
    states = [State(Position(tuple(map(parse_cards, kept.columns))), kept.off, kept.moves, oldest)]
    for move in actions:
        states.append(states[-1].after(move) if move else State(Position(deal.columns)))
    if not 0 <= kept.undone < len(states):
        raise ValueError(f"of {len(states) - 1} actions {kept.undone} are undone")
    now = len(states) - 1 - kept.undone
    game = Game(deal, kept.version, tuple(states[:now]), states[now], tuple(states[now + 1 :]))
    return History(game, kept.at, bytes.fromhex(kept.chain))
