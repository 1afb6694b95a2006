"""The HTTP half of the contract (PROTOCOL.md): JSON in and out, errors as problems, the session cookie."""

import io
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
import segno
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from simplesimon import metrics
from simplesimon.backend import Backend
from simplesimon.bodies import (
    Devices,
    GamePatch,
    Games,
    Link,
    LinkCode,
    Linked,
    Me,
    MePatch,
    NewGame,
    OwnGames,
    OwnRow,
)
from simplesimon.copies import Beginning
from simplesimon.doors import check_origin
from simplesimon.errors import BadMessage, Unavailable
from simplesimon.lobby import PAGE_LIMIT
from simplesimon.messages import StateMessage, encode
from simplesimon.players import LINK_EXPIRES_S, SESSION_EXPIRES_S, Session
from simplesimon.rules.deal import Deal
from simplesimon.service import given_deal

COOKIE = "sid"
BODY_LIMIT = 16 * 1024
PAGE_DEFAULT = 50

T = TypeVar("T")


class Call:
    """One request: its backend, who makes it, and the token to hand back when that became a new session."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.backend: Backend = request.app.state.backend
        self.new_token: str | None = None

    async def session(self) -> Session | None:
        """The caller's session, or None."""
        return await caller_of(self.request)

    async def player_id(self) -> str | None:
        """Who calls, or None for somebody without a session."""
        session = await self.session()
        return session.player_id if session else None

    async def player(self) -> Session:
        """The caller's session; a caller without one gets a new player."""
        return await self.session() or await self.sign_in(await self.backend.players.new())

    async def sign_in(self, player_id: str) -> Session:
        """Makes the caller's device one of the player's."""
        self.new_token = await self.backend.players.sign_in(player_id, self.request.headers.get("user-agent", ""))
        session = await self.backend.players.session(self.new_token)
        if session is None:
            raise Unavailable("the store lost the new session; please try again")
        return session

    async def body(self, kind: type[T]) -> T:
        """The body as a message. Raises BadMessage, which says what is wrong with it."""
        content = bytearray()
        async for chunk in self.request.stream():
            content += chunk
            if len(content) > BODY_LIMIT:
                raise BadMessage(f"the body is larger than {BODY_LIMIT} bytes")
        try:
            return msgspec.json.decode(bytes(content) or b"{}", type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadMessage(f"the body is not what it should be: {error}") from None

    def number(self, name: str, default: int, most: int) -> int:
        """A number of the query, from 0 to `most`. Raises BadMessage."""
        text = self.request.query_params.get(name, str(default))
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise BadMessage(f"{name} is {text[:20]!r}, not a number")
        return min(int(text), most)


Handler = Callable[[Call], Awaitable[Any]]


def _answers(handler: Handler, status: int = 200) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint that encodes what `handler` gives, and sets the cookie of a new session."""

    async def endpoint(request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            check_origin(request)
        call = Call(request)
        value = await handler(call)
        response = (
            Response(encode(value), status, media_type="application/json")
            if value is not None
            else Response(status_code=204)
        )
        response.headers["Cache-Control"] = "no-store"
        if call.new_token:
            is_secure = request.url.scheme == "https"
            response.set_cookie(
                COOKIE, call.new_token, SESSION_EXPIRES_S, path="/", secure=is_secure, httponly=True, samesite="lax"
            )
        return response

    return endpoint


async def caller_of(connection: HTTPConnection) -> Session | None:
    """The session that the cookie names, or None."""
    token = connection.cookies.get(COOKIE)
    backend: Backend = connection.app.state.backend
    return await backend.players.session(token) if token else None


async def state_of(request: Request) -> StateMessage:
    """The game of the path, for the caller. Raises NoSuchGame."""
    return await _state(Call(request))


async def _state(call: Call) -> StateMessage:
    return await call.backend.service.state(call.request.path_params["id"], await call.player_id())


async def _new_game(call: Call) -> StateMessage:
    wanted = await call.body(NewGame)
    given = await _given(call, wanted)  # what is wrong with it is told before a caller becomes a player
    player = await call.player()
    state = await call.backend.service.create(player.player_id, wanted, given)
    await call.backend.lobby.add(state, call.backend.clock.now())
    return state


async def _given(call: Call, wanted: NewGame) -> Deal | Beginning | None:
    deal = given_deal(wanted)
    if wanted.origin is None:
        return deal
    return await call.backend.service.beginning(wanted.origin, await call.player_id())


async def _change_game(call: Call) -> StateMessage:
    patch = await call.body(GamePatch)
    return await call.backend.show(call.request.path_params["id"], patch.visibility, await call.player_id())


async def _log(call: Call) -> Any:
    since = call.number("since", 0, most=10**9)
    return await call.backend.service.log(call.request.path_params["id"], await call.player_id(), since)


async def _games(call: Call) -> Games:
    limit = call.number("limit", PAGE_DEFAULT, most=PAGE_LIMIT)
    return Games(await call.backend.lobby.public(limit, call.request.query_params.get("before")))


async def _own_games(call: Call) -> OwnGames:
    player = await call.player()
    limit = call.number("limit", PAGE_LIMIT, most=PAGE_LIMIT)
    before = call.request.query_params.get("before")
    rows = await call.backend.lobby.own(player.player_id, limit, before)
    return OwnGames([OwnRow(**msgspec.structs.asdict(row), visibility=facts.visibility) for facts, row in rows])


async def _me(call: Call) -> Me:
    return await call.backend.players.me((await call.player()).player_id)


async def _change_me(call: Call) -> Me:
    patch = await call.body(MePatch)
    return await call.backend.players.change((await call.player()).player_id, patch)


async def _new_link(call: Call) -> Link:
    code = await call.backend.players.link((await call.player()).player_id)
    base = call.request.base_url
    url = f"{base.scheme}://{base.netloc}/link#{code}"
    qr = io.BytesIO()
    segno.make(url, error="m").save(qr, kind="svg", border=2, omitsize=True, xmldecl=False)
    return Link(code, url, qr.getvalue().decode(), LINK_EXPIRES_S)


async def _use_link(call: Call) -> Linked:
    code = (await call.body(LinkCode)).code
    address = call.request.client.host if call.request.client else ""
    player_id = await call.backend.players.use_link(code, address if call.backend.has_limits else None)
    session = await call.sign_in(player_id)
    me = await call.backend.players.me(session.player_id)
    return Linked(me.player, me.current)


async def _sessions(call: Call) -> Devices:
    return Devices(await call.backend.players.devices(await call.player()))


async def _end_session(call: Call) -> None:
    player = await call.player()
    await call.backend.sign_out(player.player_id, call.request.path_params["id"])


async def _live(_: Call) -> dict[str, str]:
    return {"status": "live"}


async def _ready(call: Call) -> dict[str, str]:
    if call.backend.is_draining:
        raise Unavailable("the server is about to stop")
    return {"status": "ready", "durability": await call.backend.durability()}


async def _metrics(_: Request) -> Response:
    return Response(metrics.text(), media_type=metrics.MEDIA_TYPE)


routes = [
    Route("/api/games", _answers(_new_game, 201), methods=["POST"]),
    Route("/api/games", _answers(_games)),
    Route("/api/games/{id}", _answers(_state)),
    Route("/api/games/{id}", _answers(_change_game), methods=["PATCH"]),
    Route("/api/games/{id}/log", _answers(_log)),
    Route("/api/me", _answers(_me)),
    Route("/api/me", _answers(_change_me), methods=["PATCH"]),
    Route("/api/me/games", _answers(_own_games)),
    Route("/api/me/links", _answers(_new_link, 201), methods=["POST"]),
    Route("/api/links", _answers(_use_link), methods=["POST"]),
    Route("/api/me/sessions", _answers(_sessions)),
    Route("/api/me/sessions/{id}", _answers(_end_session), methods=["DELETE"]),
    Route("/health/live", _answers(_live)),
    Route("/health/ready", _answers(_ready)),
    Route("/metrics", _metrics),
]
