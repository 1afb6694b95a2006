"""Players without signing up: names, settings, sessions (signed-in devices), device links.

A session is a token of 256 random bits in a cookie; the store has only its hash. A device link is a code of 40 random
bits that works once, within five minutes, for one more device.
"""

import hashlib
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from simplesimon.bodies import Device, Me, MePatch, Settings
from simplesimon.errors import BadName, BadSettings, NoSuchCode, NoSuchSession, TooFast, taking_apart
from simplesimon.messages import Who
from simplesimon.names import kind_name
from simplesimon.replicas import Replicas, write
from simplesimon.store import Redis, ask
from simplesimon.trips import trip

LINK_EXPIRES_S = 300
SESSION_EXPIRES_S = 400 * 24 * 3600  # the longest that browsers keep a cookie
NAME_LENGTH = 24
GUESSES, GUESSES_WITHIN_S = 10, 60

_SEEN_EVERY_MS = 60_000
_LINK_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 letters that nobody mistakes: no I, O, 0, 1
_ID_LENGTH = 12
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # to Unicode letters and a symbol, to people nothing
_NO_MARK = {0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
"""Marks that nobody can see, so that two names would look like one."""
_AS_EMOJI = "\ufe0f"  # the one of them that keyboards write by themselves, behind a heart


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in device: its public id, its player's, and the hash of its token."""

    id: str
    player_id: str
    digest: str


class Players:
    """All players in one store; `now` gives its time in ms since 1970. So many `replicas` must have what a player is
    told to be so.
    """

    def __init__(self, client: Redis, now: Callable[[], int], replicas: int = 0) -> None:
        self._client = client
        self._now = now
        self._write = partial(write, client, Replicas(client, replicas) if replicas else None)

    async def new(self) -> str:
        """The id of a new player with a kind name."""
        player_id = secrets.token_hex(_ID_LENGTH // 2)
        await self._write(("HSET", _player(player_id), "name", kind_name(), "created", self._now()))
        return player_id

    async def who(self, player_ids: list[str]) -> dict[str, Who]:
        """Names of players, in one trip."""
        names = await trip(
            self._client,
            lambda pipe: [pipe.hget(_player(player_id), "name") for player_id in player_ids],
            is_lenient=True,
        )
        return {
            player_id: Who(player_id, name.decode(errors="replace") if name else "?")
            for player_id, name in zip(player_ids, names, strict=True)
        }

    async def me(self, player_id: str) -> Me:
        """What a player may know of themselves."""
        name, settings, current = await ask(
            lambda: self._client.hmget(_player(player_id), "name", "settings", "current")
        )
        with taking_apart(f"player {player_id}"):
            return Me(
                Who(player_id, name.decode()),
                msgspec.json.decode(settings or b"{}", type=Settings),
                current.decode() if current else None,
            )

    async def change(self, player_id: str, patch: MePatch) -> Me:
        """Changes name and settings, all or nothing. Raises BadName or BadSettings, which name what is wrong."""
        changes: list[str | bytes] = []
        if patch.name is not msgspec.UNSET:
            changes += ["name", checked_name(patch.name)]
        if patch.settings is not msgspec.UNSET:
            settings = msgspec.to_builtins((await self.me(player_id)).settings) | patch.settings
            try:
                changes += ["settings", msgspec.json.encode(msgspec.convert(settings, Settings))]
            except msgspec.ValidationError as error:
                raise BadSettings(str(error)) from None
        if changes:
            await self._write(("HSET", _player(player_id), *changes))
        return await self.me(player_id)

    async def suits_for_next(self, player_id: str) -> int:
        """What the player last chose; 1 before their first game."""
        suits = await ask(lambda: self._client.hget(_player(player_id), "suits"))
        return int(suits) if suits in (b"1", b"2", b"4") else 1

    async def remember(self, player_id: str, current: str, suits: int | None = None) -> None:
        """Keeps which game the player played last, and how many suits they chose."""
        last: dict[Any, Any] = {"current": current} | ({"suits": suits} if suits else {})
        await ask(lambda: self._client.hset(_player(player_id), mapping=last))

    async def sign_in(self, player_id: str, agent: str) -> str:
        """The token of a new session for a device that calls itself `agent`."""
        token = secrets.token_urlsafe(32)
        digest = _digest(token)
        now = self._now()
        facts = ("player", player_id, "agent", _visible(agent)[:200], "created", now, "seen", now)
        await self._write(
            ("HSET", _session(digest), *facts),
            ("EXPIRE", _session(digest), SESSION_EXPIRES_S),
            ("SADD", _sessions(player_id), digest),
        )
        return token

    async def session(self, token: str) -> Session | None:
        """The session of a token, or None."""
        digest = _digest(token)
        player, seen = await ask(lambda: self._client.hmget(_session(digest), "player", "seen"))
        if player is None:
            return None
        with taking_apart("a session"):
            session, seen_at = Session(digest[:_ID_LENGTH], player.decode(), digest), int(seen)
        if self._now() - seen_at > _SEEN_EVERY_MS:

            def touch(pipe: Any) -> None:
                pipe.hset(_session(digest), "seen", self._now())
                pipe.expire(_session(digest), SESSION_EXPIRES_S)

            await trip(self._client, touch)
        return session

    async def devices(self, session: Session) -> list[Device]:
        """The player's signed-in devices, the last seen first."""
        digests = await self._digests(session.player_id)
        rows = await trip(self._client, lambda pipe: [pipe.hgetall(_session(digest)) for digest in digests])
        with taking_apart(f"a session of player {session.player_id}"):
            devices = [
                Device(
                    digest[:_ID_LENGTH],
                    row[b"agent"].decode(),
                    int(row[b"created"]),
                    int(row[b"seen"]),
                    digest[:_ID_LENGTH] == session.id,
                )
                for digest, row in zip(digests, rows, strict=True)
                if row
            ]
        return sorted(devices, key=lambda device: -device.seen)

    async def sign_out(self, player_id: str, session_id: str) -> None:
        """Ends a session. Raises NoSuchSession."""
        digest = next((digest for digest in await self._digests(player_id) if digest[:_ID_LENGTH] == session_id), None)
        if digest is None:
            raise NoSuchSession(f"there is no signed-in device {session_id[:40]!r}")
        await self._write(("DEL", _session(digest)), ("SREM", _sessions(player_id), digest))

    async def over(self, sessions: Sequence[Session]) -> list[Session]:
        """Those that are there no more, in one trip."""
        found = await trip(self._client, lambda pipe: [pipe.exists(_session(known.digest)) for known in sessions])
        return [known for known, is_there in zip(sessions, found, strict=True) if not is_there]

    async def link(self, player_id: str) -> str:
        """A one-time code that signs another device in: `K7QM-2XHT`."""
        letters = "".join(secrets.choice(_LINK_ALPHABET) for _ in range(8))
        await self._write(("SET", _link(letters), player_id, "EX", LINK_EXPIRES_S))
        return f"{letters[:4]}-{letters[4:]}"

    async def use_link(self, code: str, address: str | None) -> str:
        """The id of the player whose code it is; the code is used up. Raises NoSuchCode.

        Raises TooFast for the eleventh guess within a minute from one address (None: not limited).
        """
        if address is not None:
            await self._count_guess(address)
        letters = "".join(code.split()).replace("-", "").upper()
        player_id = await ask(lambda: self._client.getdel(_link(letters)))
        if player_id is None:
            raise NoSuchCode("this code is wrong, used or expired; ask the other device for a new one")
        return str(player_id.decode(errors="replace"))

    async def _count_guess(self, address: str) -> None:
        key = f"guesses:{_digest(address)}"
        guesses, _ = await trip(
            self._client, lambda pipe: (pipe.incr(key), pipe.expire(key, GUESSES_WITHIN_S, nx=True))
        )
        if guesses > GUESSES:
            raise TooFast(f"{GUESSES} codes were tried within a minute; please wait a little")

    async def _digests(self, player_id: str) -> list[str]:
        return [
            digest.decode(errors="replace") for digest in await ask(lambda: self._client.smembers(_sessions(player_id)))
        ]


def checked_name(name: str) -> str:
    """The name, composed and without spaces around it. Raises BadName when it is not 1 to 24 visible characters."""
    name = unicodedata.normalize("NFC", name.replace(_AS_EMOJI, "")).strip()
    for character in name:
        kind = unicodedata.category(character)
        is_blank = (kind[0] == "Z" and character != " ") or character in _BLANK
        if kind[0] == "C" or is_blank or ord(character) in _NO_MARK:
            raise BadName(f"a name cannot have the character U+{ord(character):04X}, which nobody can see")
    if unicodedata.category(name[:1] or " ")[0] == "M":
        raise BadName(f"a name cannot begin with U+{ord(name[0]):04X}, which only marks another character")
    if not 1 <= len(name) <= NAME_LENGTH:
        raise BadName(f"a name has 1 to {NAME_LENGTH} characters, this one {len(name)}")
    return name


def _visible(text: str) -> str:
    """A text of a stranger's without what nobody can see, or what turns the direction of the rest."""
    return "".join(character for character in text if character.isprintable())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _player(player_id: str) -> str:
    return f"player:{player_id}"


def _sessions(player_id: str) -> str:
    return f"player:{player_id}:sessions"


def _session(digest: str) -> str:
    return f"session:{digest}"


def _link(letters: str) -> str:
    return f"link:{_digest(letters)}"
