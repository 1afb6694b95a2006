"""`/docs`: the published contract as a page that people read and as the two documents that tools read."""

from collections.abc import Sequence
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from simplesimon.docs import asyncapi, error_codes, openapi
from simplesimon.messages import encode

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The contract of Simple Simon live</title>
<link rel="icon" href="/client/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/client/theme.css">
<link rel="stylesheet" href="/client/docs.css">
</head>
<body><main>{}</main></body>
</html>
"""


async def _openapi(_: Request) -> Response:
    return Response(encode(openapi()), media_type="application/json")


async def _asyncapi(_: Request) -> Response:
    return Response(encode(asyncapi()), media_type="application/json")


async def _page(_: Request) -> Response:
    return HTMLResponse(_html(openapi(), asyncapi()))


def _html(http: dict[str, Any], socket: dict[str, Any]) -> str:
    requests = [
        (f"{method.upper()} {path}", operation["summary"], _name(operation.get("requestBody")), _answer(operation))
        for path, operations in http["paths"].items()
        for method, operation in operations.items()
    ]
    sections = [
        "<h1>Simple Simon live: the contract</h1>",
        '<p>For tools: <a href="/docs/openapi.json">OpenAPI 3.1</a> for HTTP, ',
        '<a href="/docs/asyncapi.json">AsyncAPI 3</a> for the WebSocket.</p>',
        "<h2>HTTP</h2>",
        _table(("Request", "What it does", "Body", "Answer"), requests),
        "<h2>WebSocket: /ws, subprotocol simplesimon.v1</h2>",
        *[
            _direction(socket, action, title)
            for action, title in (("receive", "From the client"), ("send", "From the server"))
        ],
        "<h2>Errors</h2>",
        _table(
            ("Code", "Status", "Meaning"), [(code, str(status), text) for code, (status, text) in error_codes().items()]
        ),
        "<h2>Types</h2>",
        *[
            _type(name, schema)
            for name, schema in sorted((http["components"]["schemas"] | socket["components"]["schemas"]).items())
        ],
    ]
    return _PAGE.format("".join(sections))


def _direction(document: dict[str, Any], action: str, title: str) -> str:
    names = [reference["$ref"].rsplit("/", 1)[1] for reference in document["operations"][action]["messages"]]
    found = [(document["components"]["messages"][name], name) for name in names]
    return f"<h3>{title}</h3>" + _table(
        ("t", "Meaning", "Type"), [(message["name"], message["summary"], name) for message, name in found]
    )


def _type(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    rows = [
        (field, "yes" if field in required else "", _shape(shape))
        for field, shape in schema.get("properties", {}).items()
    ]
    return f'<h3 id="{escape(name)}">{escape(name)}</h3>' + _table(("Field", "Must be there", "Shape"), rows)


def _shape(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "anyOf" in schema:
        return " or ".join(_shape(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(map(repr, schema["enum"]))
    if schema.get("type") == "array":
        items = schema.get("prefixItems") or [schema.get("items") or {}]
        return f"[{', '.join(_shape(item) for item in items)}]"
    return str(schema.get("type", "any"))


def _name(content: dict[str, Any] | None) -> str:
    found = (content or {}).get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
    return str(found.rsplit("/", 1)[-1])


def _answer(operation: dict[str, Any]) -> str:
    status, answer = next(iter(operation["responses"].items()))
    return f"{status} {_name(answer)}"


def _table(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>" for cells in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


routes = [
    Route("/docs", _page),
    Route("/docs/openapi.json", _openapi),
    Route("/docs/asyncapi.json", _asyncapi),
]
