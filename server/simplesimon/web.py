"""The edge: routes, pages, the static client, the WebSocket."""

import contextlib
import logging
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from simplesimon import api, reference
from simplesimon.backend import Backend
from simplesimon.calls import caller_of
from simplesimon.config import Config
from simplesimon.docs import SUBPROTOCOL
from simplesimon.doors import SafeHeaders, check_origin, problem
from simplesimon.drain import Drain, end_with_parent, silent_if_orphaned
from simplesimon.errors import BadMessage, Internal, NoSuchGame, SimpleSimonError, Unavailable
from simplesimon.players import Session
from simplesimon.session import RESTARTING, Conversation
from simplesimon.slow import SlowConnection
from simplesimon.tasks import Tasks
from simplesimon.transport import EXTENSION

PAGES = ("/", "/games", "/watch", "/link", "/rules")

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
    return application(Config.from_environment(os.environ))


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """Not what any client can make the server say, as often as it likes: that would fill the log and hide the rest."""
    return record.msg not in _OF_A_CLIENT


def application(config: Config) -> Starlette:
    """The application, for any ASGI server."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            with silent_if_orphaned():
                backend = await stack.enter_async_context(Backend(config).running())
            app.state.backend = backend
            Drain(lambda: backend.drain(RESTARTING)).install()
            orphan_watch = Tasks()
            orphan_watch.spawn(end_with_parent())
            yield
            orphan_watch.cancel()

    routes: list[BaseRoute] = [
        *api.routes,
        *reference.routes,
        *[Route(path, _page) for path in PAGES],
        Route("/games/{id}", _game_page),
        WebSocketRoute("/ws", _socket),
        Mount("/client", StaticFiles(directory=client_dir())),
    ]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(SafeHeaders), Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers=_HANDLERS,
    )


def client_dir() -> Path:
    """Where the page is: in the package when installed, beside the server in a checkout."""
    package = Path(__file__).parent
    return next(path for path in (package / "client", package.parents[1] / "client") if path.is_dir())


async def _page(_: Request) -> Response:
    return FileResponse(client_dir() / "index.html", headers={"Cache-Control": "no-cache"})


async def _game_page(request: Request) -> Response:
    """The same page; with 404 for a game that is not there, or none of the caller's business."""
    page = FileResponse(client_dir() / "index.html", headers={"Cache-Control": "no-cache"})
    try:
        await api.state_of(request)
    except NoSuchGame:
        page.status_code = 404
    except SimpleSimonError as error:
        log.warning("a page is shown without its game: %s", error)
    return page


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
        with contextlib.suppress(WebSocketDisconnect):
            await socket.send_denial_response(problem(error.status, error.code, str(error)))
        return
    except WebSocketDisconnect:
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
    check_origin(socket)
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
    return problem(Internal.status, Internal.code, str(Internal()))


_HANDLERS: Mapping[Any, Any] = {SimpleSimonError: _on_error, HTTPException: _on_http_error, Exception: _on_fault}
