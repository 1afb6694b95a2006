"""The contract, published:

OpenAPI 3.1 for HTTP and AsyncAPI 3 for the socket, made from the message types themselves.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus
from inspect import getdoc
from typing import Any, get_args

import msgspec

from simplesimon import __version__, bodies, messages
from simplesimon.errors import SimpleSimonError

SUBPROTOCOL = "simplesimon.v1"
_REF = "#/components/schemas/{name}"
_NAMES = {
    "id": "The id of the game or device.",
    "code": "The deal code, as people may type it.",
    "since": "Only events after this version.",
    "limit": "How many rows, at most 100.",
    "language": "`en` or `el`, where it is not the one that the request accepts.",
    "before": "The `at` or the id of the last row that one has: the next page.",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One request of the contract: what it takes, and what it gives."""

    method: str
    path: str
    summary: str
    status: int = 200
    answer: type | None = None
    body: type | None = None
    query: tuple[str, ...] = ()


OPERATIONS = (
    Operation("post", "/api/games", "Start a game", 201, messages.StateMessage, bodies.NewGame),
    Operation(
        "get",
        "/api/games",
        "Public games, the most recently moved first",
        200,
        bodies.Games,
        query=("limit", "before"),
    ),
    Operation("get", "/api/games/{id}", "A game", 200, messages.StateMessage),
    Operation(
        "patch", "/api/games/{id}", "Say who may see one's own game", 200, messages.StateMessage, bodies.GamePatch
    ),
    Operation("get", "/api/games/{id}/log", "The log of a game", 200, bodies.Log, query=("since",)),
    Operation("get", "/api/games/{id}/file", "A game as a file to take along", 200, bodies.GameFile),
    Operation("get", "/api/games/{id}/text", "A game written out for people", query=("language",)),
    Operation(
        "get",
        "/api/deals/{code}",
        "The public won games of a deal, for whoever has none of it under way",
        200,
        bodies.DealGames,
        query=("limit", "before"),
    ),
    Operation("get", "/api/me", "Oneself", 200, bodies.Me),
    Operation("patch", "/api/me", "Change name or settings", 200, bodies.Me, bodies.MePatch),
    Operation("get", "/api/me/games", "One's own games, newest first", 200, bodies.OwnGames, query=("limit", "before")),
    Operation("post", "/api/me/links", "A one-time code that signs another device in", 201, bodies.Link),
    Operation("post", "/api/links", "Sign this device in with such a code", 200, bodies.Linked, bodies.LinkCode),
    Operation("get", "/api/me/sessions", "One's signed-in devices", 200, bodies.Devices),
    Operation("delete", "/api/me/sessions/{id}", "Sign a device out", 204),
    Operation("get", "/health/live", "Whether the process runs", 200, dict),
    Operation("get", "/health/ready", "Whether the store answers and no drain is under way", 200, dict),
    Operation("get", "/metrics", "What an operator counts, as Prometheus reads it"),
)


def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    types = [kind for op in OPERATIONS for kind in (op.body, op.answer) if kind] + [bodies.Problem]
    paths: dict[str, dict[str, Any]] = {}
    for op in OPERATIONS:
        paths.setdefault(op.path, {})[op.method] = _operation(op)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Simple Simon live, HTTP", "version": __version__, "description": _errors_text()},
        "paths": paths,
        "components": {"schemas": _schemas(types)},
    }


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3 document; its operations are as the server has them: it receives what clients send."""
    asked, told = get_args(messages.ClientMessage), get_args(messages.ServerMessage)
    names = [kind.__name__ for kind in (*asked, *told)]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Simple Simon live, WebSocket",
            "version": __version__,
            "description": f"Subprotocol `{SUBPROTOCOL}`. {_errors_text()}",
        },
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": "/ws",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
            }
        },
        "operations": {"receive": _direction("receive", asked), "send": _direction("send", told)},
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in (*asked, *told)},
            "schemas": _schemas([*asked, *told]),
        },
    }


def error_codes() -> dict[str, tuple[int, str]]:
    """Every wire code of the error tree, with its HTTP status and what it means."""
    return {kind.code: (kind.status, (getdoc(kind) or "").split("\n")[0]) for kind in SimpleSimonError.__subclasses__()}


def _schemas(types: list[Any]) -> dict[str, Any]:
    _, components = msgspec.json.schema_components([kind for kind in types if kind is not dict], ref_template=_REF)
    return components


def _operation(op: Operation) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": HTTPStatus(op.status).phrase}
    if op.answer:
        answer["content"] = _content(op.answer)
    described: dict[str, Any] = {
        "summary": op.summary,
        "operationId": f"{op.method}{op.path.title()}".translate(str.maketrans("", "", "/{}")),
        "parameters": [_parameter(name, "query") for name in op.query]
        + [_parameter(name, "path") for name in re.findall(r"{(\w+)}", op.path)],
        "responses": {
            str(op.status): answer,
            "default": {
                "description": "A problem (RFC 9457)",
                "content": {"application/problem+json": _content(bodies.Problem)["application/json"]},
            },
        },
    }
    if op.body:
        described["requestBody"] = {"required": True, "content": _content(op.body)}
    return described


def _content(kind: type) -> dict[str, Any]:
    schema = {"type": "object"} if kind is dict else {"$ref": _REF.format(name=kind.__name__)}
    return {"application/json": {"schema": schema}}


def _parameter(name: str, place: str) -> dict[str, Any]:
    kind = "integer" if name in ("since", "limit") else "string"
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": _NAMES[name],
        "schema": {"type": kind},
    }


def _message(kind: type) -> dict[str, Any]:
    tag = msgspec.inspect.type_info(kind).tag  # type: ignore[attr-defined]
    return {
        "name": tag,
        "summary": (getdoc(kind) or "").replace("\n", " "),
        "payload": {"$ref": _REF.format(name=kind.__name__)},
    }


def _direction(action: str, kinds: tuple[Any, ...]) -> dict[str, Any]:
    references = [{"$ref": f"#/channels/socket/messages/{kind.__name__}"} for kind in kinds]
    return {"action": action, "channel": {"$ref": "#/channels/socket"}, "messages": references}


def _errors_text() -> str:
    return "Errors: " + "; ".join(
        f"`{code}` ({status}): {text}" for code, (status, text) in sorted(error_codes().items())
    )
