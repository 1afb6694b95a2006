"""What guards the edge: safe headers on every answer, the origin of what changes something, errors as problems."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simplesimon.bodies import Problem
from simplesimon.config import is_site
from simplesimon.errors import BadOrigin
from simplesimon.messages import encode

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class SafeHeaders:
    """Adds HEADERS to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_safely if scope["type"] == "http" else send)


def check_origin(connection: HTTPConnection, public_url: str) -> None:
    """Raises BadOrigin for a request that another site's page makes. What is no browser's sends no Origin.

    A page of `public_url` is our own also behind a proxy that does not pass the host on.
    """
    origin = connection.headers.get("origin")
    host = connection.headers.get("host")
    own = [f"http://{host}", f"https://{host}"] + [public_url.lower()] * bool(public_url)
    if origin is not None and origin not in own:
        raise BadOrigin(f"a page of {origin[:80]} may not do this")


def site_of(connection: HTTPConnection, public_url: str) -> str:
    """Where others reach this server: as configured, or as the request has it; empty where that is no address."""
    site = public_url or f"{connection.url.scheme}://{connection.headers.get('host', '')}"
    return site if is_site(site) else ""


def problem(status: int, code: str, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """An error as RFC 9457 has it."""
    body = encode(Problem("about:blank", HTTPStatus(status).phrase, status, detail, code))
    return Response(body, status, headers, media_type="application/problem+json")
