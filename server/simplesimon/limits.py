"""How much one caller may ask for; docs/SECURITY.md says against what. All of it is off with `--no-limits`.

Each worker counts for itself: a count that all share would cost every handshake a trip to the store, and what is to be
kept from running out (memory, descriptors, the turn of the event loop) is the worker's.
"""

import contextlib
import ipaddress
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from simplesimon.errors import TooFast

MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 10, 40
MESSAGES_LATE = 8
"""So many more wait for their turn:

who sends one message after each answer is slowed down, and never told `too_fast`.
"""
STRIKES, STRIKES_WITHIN_S = 3, 60.0
SOCKETS_A_PLAYER, SOCKETS_AN_ADDRESS = 20, 50
HANDSHAKES_A_SECOND, HANDSHAKES_AT_ONCE = 5, SOCKETS_AN_ADDRESS
"""All that an address may hold can come at once: a network that comes back, a page with many tabs."""
PICTURES_A_SECOND, PICTURES_AT_ONCE = 1, 10
"""That have to be drawn; what is kept costs nothing."""
LONG_GAME = 1000
"""Events."""
LONG_GAMES_A_SECOND, LONG_GAMES_AT_ONCE = 0.5, 10

_IPV6_OF_ONE = 64  # bits of an address: the rest is the customer's own to choose (RFC 6177)
_REMEMBERED = 4096


class Pace:
    """The messages of one socket: 10 a second, 40 at once. Three refused within a minute is flooding."""

    __slots__ = ("_busy_until", "_is_limited", "_strikes")

    def __init__(self, is_limited: bool) -> None:
        self._is_limited = is_limited
        self._busy_until = 0.0  # when all messages so far would have come, had they come evenly
        self._strikes: tuple[float, ...] = ()

    def delay(self) -> float | None:
        """Seconds until one more message may be handled; None when it is too much.

        (The algorithm is GCRA, ITU-T I.371.)
        """
        if not self._is_limited:
            return 0
        now = time.monotonic()
        busy_until = max(self._busy_until, now) + 1 / MESSAGES_A_SECOND
        wait = busy_until - now - MESSAGES_AT_ONCE / MESSAGES_A_SECOND
        if wait > MESSAGES_LATE / MESSAGES_A_SECOND:
            self._strikes = (*self._strikes, now)[-STRIKES:]
            return None
        self._busy_until = busy_until
        return max(0.0, wait)

    @property
    def is_flooding(self) -> bool:
        """Whether the last three strikes came within a minute."""
        return len(self._strikes) == STRIKES and self._strikes[-1] - self._strikes[0] < STRIKES_WITHIN_S


class Place(NamedTuple):
    """Who holds a socket: an address, and a player where one is signed in."""

    address: str
    player_id: str | None

    @property
    def holders(self) -> list[tuple[str, int]]:
        """Whose sockets this is one of, and how many each may have."""
        by_address = (f"the address {self.address}", SOCKETS_AN_ADDRESS)
        return [by_address, (f"player {self.player_id}", SOCKETS_A_PLAYER)] if self.player_id else [by_address]


class Turnstile:
    """How fast each address may ask for something: so many a second, and so many at once."""

    def __init__(self, is_limited: bool, a_second: float, at_once: int, what: str) -> None:
        self._is_limited = is_limited
        self._a_second, self._at_once, self._what = a_second, at_once, what
        self._busy_until: dict[str, float] = {}  # by address, as in Pace

    def check(self, address: str) -> None:
        """One more from an address, before anything is done for it. Raises TooFast."""
        if not self._is_limited:
            return
        network, now = _network(address), time.monotonic()
        busy_until = max(self._busy_until.get(network, 0), now)
        if round((busy_until - now) * self._a_second) >= self._at_once:
            raise TooFast(f"more than {self._a_second:g} {self._what} a second; please wait a little")
        self._busy_until[network] = busy_until + 1 / self._a_second
        if len(self._busy_until) > _REMEMBERED:
            self._busy_until = {each: until for each, until in self._busy_until.items() if until > now}


class Paces:
    """How fast an address may ask for what takes a while: pictures to be drawn, long games to read or check."""

    def __init__(self, is_limited: bool) -> None:
        self.pictures = Turnstile(is_limited, PICTURES_A_SECOND, PICTURES_AT_ONCE, "pictures")
        self.long_games = Turnstile(is_limited, LONG_GAMES_A_SECOND, LONG_GAMES_AT_ONCE, "long games")


class Gate:
    """The sockets of one worker: 20 a player, 50 an address, and how fast an address may ask for them."""

    def __init__(self, is_limited: bool) -> None:
        self._is_limited = is_limited
        self._held: Counter[str] = Counter()
        handshakes = Turnstile(is_limited, HANDSHAKES_A_SECOND, HANDSHAKES_AT_ONCE, "new sockets")
        self.check_pace = handshakes.check

    @contextlib.contextmanager
    def entering(self, address: str, player_id: str | None) -> Iterator[Place]:
        """A place for a socket, given back when the block fails, and otherwise by `leave`. Raises TooFast."""
        place = Place(sys.intern(_network(address)), player_id)  # one text for all sockets of an address
        for holder, most in place.holders:
            if self._is_limited and self._held[holder] >= most:
                raise TooFast(f"{holder} has {most} sockets open, and there cannot be more")
        for holder, _ in place.holders:
            self._held[holder] += 1
        try:
            yield place
        except BaseException:
            self.leave(place)
            raise

    def leave(self, place: Place) -> None:
        """The socket is gone."""
        for holder, _ in place.holders:
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]


def _network(address: str) -> str:
    """What one customer of a network has: an IPv4 address, or the network of an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address  # a Unix socket, or what a proxy made up
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, _IPV6_OF_ONE), strict=False).network_address)
