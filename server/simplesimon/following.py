"""What one socket follows: a game, every version once, in order, without a gap; or the lobby.

A follower joins the hub first, so that what is told queues up; then the store is read; then the queue drains, without
what the reading had. From then on it is level with the others, and the hub writes to its socket. While the socket is
full nothing more is written: whoever missed something by that, or whose game was set back, starts anew from one fresh
reading.
"""

from collections.abc import Callable

from simplesimon.diffs import Frame, wire_for
from simplesimon.hub import Hub
from simplesimon.listing import listed
from simplesimon.messages import Listed, Lobby, Row, Stale, StateMessage, Synced, encode
from simplesimon.wire import framed

Write = Callable[[bytes], None]


class Following:
    """A game on the socket that `write` writes to, for a player (None: without a session).

    `on_behind` is called when only a fresh reading helps, unless the socket is full: then `resume` says so.
    """

    __slots__ = (
        *("_c", "_held", "_hub", "_is_paused", "_on_behind", "_owed", "_version"),
        *("game_id", "is_behind", "is_set_back", "is_spectator", "player_id", "write"),
    )

    def __init__(
        self, game_id: str, player_id: str | None, write: Write, hub: Hub, on_behind: "Callable[[Following], None]"
    ) -> None:
        self.game_id = game_id
        self.player_id = player_id
        self.write = write
        self.is_behind = False
        self.is_set_back = False
        self.is_spectator = False
        self._hub = hub
        self._on_behind = on_behind
        self._held: list[Frame | bytes] | None = []
        self._is_paused = False
        self._owed: tuple[Frame | bytes, ...] = ()  # answers that come after the next reading
        self._version, self._c = 0, ""  # of the last frame, while it is not level with the others

    def offer(self, frame: Frame) -> bool:
        """The next frame, while it is not level: written, held until the game has been read, or missed.

        Whether it is level with the others now.
        """
        if self._held is not None:
            self._held.append(frame)
        elif self._is_paused:
            self.is_behind = True
        elif not self.is_behind and frame.v > self._version:
            if frame.v == self._version + 1 and frame.before == self._c:
                self._write(frame)
                return not self._is_paused
            self.reseed(set_back=frame.v == self._version + 1)
        return False

    def write_state(self, frame: Frame) -> None:
        """A state, to this player."""
        self.write(wire_for(frame, self.player_id, self._hub.watching(self.game_id)))

    def say(self, payload: bytes) -> None:
        """A message that is no diff, after all diffs that came before it."""
        if self._held is not None:
            self._held.append(payload)
        elif self.is_behind:
            self._owed = (*self._owed, payload)
        else:
            self._hub.flush(self.game_id)
            self.write(framed(payload))

    def acknowledge(self, done: Frame) -> None:
        """The player's own command is done, and answered by its diff; or, while none is written, by the next state.

        A state that does not have it, because the log was set back in the meantime, is followed by `stale`.
        """
        if self._held is not None or self.is_behind:
            self._owed = (*self._owed, done)

    def finish(self) -> None:
        """The socket wants no more of the game: what it is owed is written."""
        self._hub.fall_behind(self.game_id, self)
        answers = [item for item in self._held or [] if isinstance(item, bytes)]
        for item in (*answers, *self._owed):
            self.write(framed(item) if isinstance(item, bytes) else wire_for(item, self.player_id, 0))

    def reseed(self, *, set_back: bool = False) -> None:
        """Diffs do not lead on from what was written: no more are, until `hold` and `start`."""
        self._hub.fall_behind(self.game_id, self)
        self.is_behind = True
        self.is_set_back |= set_back
        self._mend()

    def pause(self) -> None:
        """The socket is full."""
        self._is_paused = True
        self._version, self._c = self._hub.fall_behind(self.game_id, self) or (self._version, self._c)

    def resume(self) -> None:
        """The socket has taken all."""
        self._is_paused = False
        self._mend()

    def hold(self) -> None:
        """The game is about to be read anew: frames wait. Those that waited may be of a history that is gone."""
        self.is_behind = False
        self._held = [item for item in self._held or [] if isinstance(item, bytes)]

    def start(self, read: StateMessage | list[Frame], *, is_asked: bool = True) -> None:
        """The game was read: writes that (and `synced`, when that was asked for), then what was held and came after.

        Of frames the first is what the follower has.
        """
        held, self._held = self._held or [], None
        self.is_set_back &= self.is_behind  # again, where this reading may be of before
        if isinstance(read, StateMessage):
            self._version, self._c = read.v, read.c
            self._hub.read_watching(self.game_id, read.watching)
            wires = [framed(encode(read))]
        else:
            self._version, self._c = read[-1].v, read[-1].c
            watching = self._hub.watching(self.game_id)
            wires = [wire_for(frame, self.player_id, watching) for frame in read[1:]]
        if is_asked:
            wires.append(framed(encode(Synced(self.game_id, self._version))))
        if wires:
            self.write(b"".join(wires))
        for item in held:
            if isinstance(item, Frame):
                self.offer(item)
            else:
                self.say(item)
        self._settle()
        self._mend()

    def _settle(self) -> None:
        if not self.is_behind and self._held is None:
            owed, self._owed = self._owed, ()
            for item in owed:
                if isinstance(item, bytes):
                    self.write(framed(item))
                elif item.v > self._version:
                    self.write(framed(encode(Stale(self.game_id, self._version))))

    def _mend(self) -> None:
        """Does what brings it level with the others, if it can be done now."""
        if self._held is None and not self._is_paused:
            if self.is_behind:
                self._on_behind(self)
            elif self._hub.level(self.game_id, self, self._version, self._c):
                self._c = ""  # from now on the hub knows it, for all

    def _write(self, frame: Frame) -> None:
        self._version, self._c = frame.v, frame.c
        self.write(wire_for(frame, self.player_id, self._hub.watching(self.game_id)))


class LobbyFollowing:
    """The changes of the list of public games, those of them that are wished for."""

    __slots__ = ("_held", "_is_paused", "_write", "is_behind", "wish")

    def __init__(self, wish: Lobby, write: Write) -> None:
        self.wish = wish
        self.is_behind = False
        self._held: list[bytes] | None = []
        self._is_paused = False
        self._write = write

    def tell(self, told: bytes) -> None:
        """Games of the list are new, have changed, or are gone."""
        if self._held is not None:
            self._held.append(told)
        elif self._is_paused:
            self.is_behind = True
        else:
            self._write(told)

    def pause(self) -> None:
        """The socket is full."""
        self._is_paused = True

    def resume(self) -> None:
        """The socket has taken all; `is_behind` when changes were missed: then the list is to be read anew."""
        self._is_paused = False

    def hold(self) -> None:
        """The list is about to be read anew: changes wait."""
        self.is_behind = False
        self._held = self._held or []

    def start(self, rows: list[Row]) -> None:
        """The list was read: writes it, then the changes that were held."""
        held, self._held = self._held or [], None
        self._write(framed(encode(Listed(listed(rows, self.wish)))))
        for told in held:
            self.tell(told)
