"""What one socket follows: a game, every version once, in order, without a gap; or the lobby.

A follower joins the hub first, so that what is told queues up; then the store is read; then the queue drains, without
what the reading had. Whoever cannot keep up, or whose game was set back, starts anew from one fresh reading.
"""

from simplesimon.diffs import Frame, text_for
from simplesimon.hub import Hub
from simplesimon.messages import Listed, Row, StateMessage, Synced, encode
from simplesimon.outbox import Outbox, Owner


class Following:
    """Takes the frames of a game for a player (None: without a session) and puts into the outbox what is to be sent."""

    __slots__ = (
        "_held",
        "_hub",
        "_outbox",
        "game_id",
        "is_behind",
        "is_set_back",
        "is_spectator",
        "player_id",
        "version",
    )

    def __init__(self, game_id: str, player_id: str | None, outbox: Outbox, hub: Hub) -> None:
        self.game_id = game_id
        self.player_id = player_id
        self.version = 0
        self.is_behind = False
        self.is_set_back = False
        self.is_spectator = False
        self._held: list[Frame | str] | None = []
        self._outbox = outbox
        self._hub = hub

    def offer(self, frame: Frame) -> None:
        """The next frame: sent, or held until the game has been read."""
        if self._held is not None:
            self._held.append(frame)
        elif not self.is_behind and frame.v > self.version:
            if frame.v == self.version + 1:
                self._put(frame, self)
            else:
                self.reseed()

    def say(self, text: str) -> None:
        """A message that is no diff, after all diffs that came before it."""
        if self._held is not None:
            self._held.append(text)
        else:
            self._outbox.put(text)

    def reseed(self, *, set_back: bool = False) -> None:
        """Diffs do not lead on from what was sent: nothing more is, until `hold` and `start`."""
        self.is_behind = True
        self.is_set_back |= set_back
        self._outbox.nudge()

    def hold(self) -> None:
        """The game is about to be read anew: frames wait."""
        self.is_behind = False
        self._held = self._held or []

    def start(self, read: StateMessage | list[Frame], since: int = 0, *, is_asked: bool = True) -> None:
        """The game was read: sends that (and `synced`, when it was asked for), then what was held and came after it."""
        held, self._held = self._held or [], None
        self.is_set_back = False
        if isinstance(read, StateMessage):
            self.version = read.v
            self._outbox.put(encode(read).decode())
        else:
            self.version = since
            for frame in read:
                self._put(frame, None)
        if is_asked:
            self._outbox.put(encode(Synced(self.game_id, self.version)).decode())
        for item in held:
            if isinstance(item, Frame):
                self.offer(item)
            else:
                self.say(item)

    def _put(self, frame: Frame, owner: Owner | None) -> None:
        self.version = frame.v
        self._outbox.put(text_for(frame, self.player_id, self._hub.watching(self.game_id)), owner)


class LobbyFollowing:
    """Takes the changes of the list of public games."""

    def __init__(self, outbox: Outbox) -> None:
        self.is_behind = False
        self._held: list[str] | None = []
        self._outbox = outbox

    def tell(self, text: str) -> None:
        """A game of the list is new, has changed, or is gone."""
        if self._held is not None:
            self._held.append(text)
        elif not self.is_behind:
            self._outbox.put(text, self)

    def reseed(self) -> None:
        """Changes were lost: nothing more is sent, until `hold` and `start`."""
        self.is_behind = True
        self._outbox.nudge()

    def hold(self) -> None:
        """The list is about to be read anew: changes wait."""
        self.is_behind = False
        self._held = self._held or []

    def start(self, rows: list[Row]) -> None:
        """The list was read: sends it, then the changes that were held."""
        held, self._held = self._held or [], None
        self._outbox.put(encode(Listed(rows)).decode())
        for text in held:
            self.tell(text)
