"""The edge: the application of a worker, its routes, the WebSocket."""

import contextlib
import gc
import logging
import os
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from simplesimon import api, pages, reference
from simplesimon.backend import Backend
from simplesimon.calls import caller_of
from simplesimon.config import Config
from simplesimon.docs import SUBPROTOCOL
from simplesimon.doors import HEADERS, SafeHeaders, check_origin, problem
from simplesimon.drain import Drain, end_with_parent, is_orphan, silent_if_orphaned
from simplesimon.errors import BadMessage, Internal, SimpleSimonError, Unavailable
from simplesimon.players import Session
from simplesimon.session import RESTARTING, Conversation
from simplesimon.slow import SlowConnection
from simplesimon.tasks import Tasks
from simplesimon.transport import EXTENSION

HANDS_FREE_WITHIN_S = 3.0
ORPHAN_HANDS_FREE_WITHIN_S = 0.3
"""The next server waits for the port of a worker whose parent was killed, and so do all who played here. What the store
does not answer in this time it may not answer at all: our own store ends with the parent."""

_OF_A_CLIENT = (
    "ASGI callable returned without completing handshake.",  # it was completed, by a refusal
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
)

log = logging.getLogger(__name__)


def create() -> Starlette:
    """The application of one worker, as the environment configures it."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s:     %(message)s")
    logging.getLogger("uvicorn.error").addFilter(is_worth_a_line)
    # what is loaded by now stays: looking at that, and as often as Python does, would cost a sixth of each move
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    return application(Config.from_environment(os.environ))


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """Not what any client can make the server say, as often as it likes: that would fill the log and hide the rest."""
    return record.msg not in _OF_A_CLIENT


def application(config: Config) -> Starlette:
    """The application, for any ASGI server."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as living:
            with silent_if_orphaned():
                backend = await living.enter_async_context(Backend(config).running())
            app.state.backend = backend
            Drain(lambda: backend.drain(RESTARTING, _hands_free_within_s())).install()
            orphan_watch = Tasks()
            orphan_watch.spawn(end_with_parent())
            yield
            orphan_watch.cancel()

    routes: list[BaseRoute] = [
        WebSocketRoute("/ws", _socket),  # first, because each route before it is tried
        *api.routes,
        *reference.routes,
        *pages.routes(),
    ]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(SafeHeaders), Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers=_HANDLERS,
    )


def _hands_free_within_s() -> float:
    return ORPHAN_HANDS_FREE_WITHIN_S if is_orphan() else HANDS_FREE_WITHIN_S


async def _socket(socket: WebSocket) -> None:
    backend: Backend = socket.app.state.backend
    address = socket.client.host if socket.client else ""
    try:
        backend.gate.check_pace(address)
        caller, subprotocol = await _greeted(socket, backend)
        player = (await backend.players.me(caller.player_id)).player if caller else None
        with backend.gate.entering(address, caller.player_id if caller else None) as place:
            await socket.accept(subprotocol=subprotocol)
    except SimpleSimonError as error:
        with contextlib.suppress(OSError):
            await socket.send_denial_response(problem(error.status, error.code, str(error)))
        return
    except OSError:  # so says the ASGI specification
        return  # it did not wait for our answer
    extension = socket.scope.get("extensions", {}).get(EXTENSION)
    if extension:
        connection = extension["take_over"](backend.beat)
        conversation = Conversation(backend, caller, connection)
        backend.expect(conversation, place)
        conversation.start(player)
        connection.start(conversation)
    else:
        slow = SlowConnection(socket)
        conversation = Conversation(backend, caller, slow)
        backend.expect(conversation, place)
        await slow.talk(conversation, player)


async def _greeted(socket: WebSocket, backend: Backend) -> tuple[Session | None, str | None]:
    """Who wants a socket, and the subprotocol to speak. Raises for whom there is none."""
    if backend.is_draining:
        raise Unavailable("the server is about to restart; please come back")
    check_origin(socket, backend.public_url)
    offered = socket.scope["subprotocols"]
    if offered and SUBPROTOCOL not in offered:
        raise BadMessage(f"this socket speaks {SUBPROTOCOL}, not {', '.join(offered)[:80]}")
    return await caller_of(socket), SUBPROTOCOL if offered else None


async def _on_error(_: Request, error: SimpleSimonError) -> Response:
    return problem(error.status, error.code, str(error))


async def _on_http_error(_: Request, error: HTTPException) -> Response:
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "bad_request")
    return problem(error.status_code, code, error.detail, error.headers)


async def _on_fault(_: Request, __: Exception) -> Response:
    return problem(Internal.status, Internal.code, str(Internal()), HEADERS)  # sent outside of SafeHeaders


_HANDLERS: Mapping[Any, Any] = {SimpleSimonError: _on_error, HTTPException: _on_http_error, Exception: _on_fault}
