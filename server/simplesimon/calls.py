"""One request over HTTP: who makes it, its body, its answer as JSON, the session cookie."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from simplesimon.backend import Backend
from simplesimon.doors import check_origin
from simplesimon.errors import BadMessage, Unavailable
from simplesimon.limits import LONG_GAME
from simplesimon.messages import encode
from simplesimon.players import SESSION_EXPIRES_S, Session

COOKIE = "sid"
BODY_LIMIT = 16 * 1024

T = TypeVar("T")


class Call:
    """One request: its backend, who makes it, and the token to hand back when that became a new session."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.backend: Backend = request.app.state.backend
        self.new_token: str | None = None

    @property
    def address(self) -> str:
        """Where the call comes from."""
        return self.request.client.host if self.request.client else ""

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

    async def body(self, kind: type[T], limit: int = BODY_LIMIT) -> T:
        """The body as a message. Raises BadMessage, which says what is wrong with it."""
        content = bytearray()
        async for chunk in self.request.stream():
            content += chunk
            if len(content) > limit:
                raise BadMessage(f"the body is larger than {limit} bytes")
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

    def check_pace(self, events: int) -> None:
        """So many events of a game are to be read. Raises TooFast for one long game too many."""
        if events > LONG_GAME:
            self.backend.paces.long_games.check(self.address)


Handler = Callable[[Call], Awaitable[Any]]


def answers(handler: Handler, status: int = 200) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint that encodes what `handler` gives, and sets the cookie of a new session."""

    async def endpoint(request: Request) -> Response:
        call = Call(request)
        if request.method not in ("GET", "HEAD"):
            check_origin(request, call.backend.public_url)
        value = await handler(call)
        if isinstance(value, Response):
            response = value
        elif value is None:
            response = Response(status_code=204)
        else:
            response = Response(encode(value), status, media_type="application/json")
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
