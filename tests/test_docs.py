"""The published contract: valid, complete, and true of what a real game says."""

import re
from pathlib import Path
from typing import get_args

import pytest
from clients import WIN
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import validate

from simplesimon import messages
from simplesimon.config import Config
from simplesimon.docs import OPERATIONS, asyncapi, error_codes, openapi
from simplesimon.web import application


def schema_of(document, name):
    """The schema of a type, with all that it refers to."""
    return {"$ref": f"#/components/schemas/{name}", "components": document["components"]}


def check(document, name, value):
    Draft202012Validator(schema_of(document, name)).validate(value)


def references(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def found(document, reference):
    node = document
    for name in reference.removeprefix("#/").split("/"):
        node = node[name]
    return node


async def test_the_documents_and_their_page_are_served(stranger):
    assert await stranger.get("/docs/openapi.json") == openapi()
    assert await stranger.get("/docs/asyncapi.json") == asyncapi()
    page = await stranger.http.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    for operation in OPERATIONS:
        assert f"{operation.method.upper()} {operation.path}" in page.text
    assert " style=" not in page.text
    assert "<script" not in page.text


def test_the_openapi_document_is_valid():
    validate(openapi())


@pytest.mark.parametrize("document", [openapi(), asyncapi()], ids=["openapi", "asyncapi"])
def test_every_schema_is_one_and_every_reference_leads_somewhere(document):
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for reference in references(document):
        assert found(document, reference)


def test_every_route_is_in_the_document_and_nothing_else():
    # a route has methods, a mount or a socket none
    routes = {
        (vars(route)["path"], frozenset(vars(route).get("methods") or ())) for route in application(Config()).routes
    }
    served = {
        (method.lower(), path)
        for path, methods in routes
        for method in methods - {"HEAD"}
        if re.match("/(api|health|metrics)", path)
    }
    documented = {(method, path) for path, operations in openapi()["paths"].items() for method in operations}
    assert served == documented
    pages = {"/", "/games", "/games/{id}", "/deals/{code}", "/watch", "/tv", "/link", "/rules", "/client", "/ws"}
    pages |= {"/edition/{edition}/{name:path}", "/docs", "/docs/openapi.json", "/docs/asyncapi.json"}
    pages |= {"/picture.png", "/games/{id}/picture.png", "/deals/{code}/picture.png"}
    assert {path for path, _ in routes} == pages | {path for _, path in served}


def test_the_asyncapi_document_has_the_shape_that_version_3_asks_for():
    document = asyncapi()
    assert document["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= document["info"].keys()
    [channel] = document["channels"].values()
    assert channel["address"] == "/ws"
    for operation in document["operations"].values():
        assert operation["channel"] == {"$ref": "#/channels/socket"}
        assert operation["messages"]
        for message in operation["messages"]:
            assert re.fullmatch(r"#/channels/socket/messages/\w+", message["$ref"])
    for message in document["components"]["messages"].values():
        assert message["name"]
        assert message["summary"]


@pytest.mark.parametrize(("action", "union"), [("receive", messages.ClientMessage), ("send", messages.ServerMessage)])
def test_every_message_of_the_code_is_in_the_document(action, union):
    document = asyncapi()
    names = {message["$ref"].rsplit("/", 1)[1] for message in document["operations"][action]["messages"]}
    assert names == {kind.__name__ for kind in get_args(union)}
    for kind in get_args(union):
        message = document["components"]["messages"][kind.__name__]
        schema = found(document, message["payload"]["$ref"])
        assert schema["properties"]["t"] == {"enum": [message["name"]]}
        assert next(iter(schema["properties"])) == "t"


def test_the_messages_are_those_of_the_contract():
    document = asyncapi()
    told = {kind: {document["components"]["messages"][m["$ref"].rsplit("/", 1)[1]]["name"] for m in op["messages"]}
            for kind, op in document["operations"].items()}  # fmt: skip
    assert told["receive"] == set("watch leave move undo redo restart lobby ping".split())
    assert told["send"] == set(
        "hello state move undo redo synced refused stale watching listed game unlisted error pong".split()
    )


def test_every_error_of_the_contract_has_a_meaning():
    codes = error_codes()
    assert {"bad_message", "no_such_game", "not_your_game", "too_fast", "unavailable", "no_such_code"} <= codes.keys()
    for code, (status, meaning) in codes.items():
        assert 400 <= status < 600, code
        assert meaning, code
        assert f"`{code}`" in openapi()["info"]["description"]


def name_of(document, action, t):
    names = [message["$ref"].rsplit("/", 1)[1] for message in document["operations"][action]["messages"]]
    return next(name for name in names if document["components"]["messages"][name]["name"] == t)


def test_the_contract_lists_what_the_rules_can_refuse_for():
    pure = Path(messages.__file__).parent
    sources = [*(pure / "rules").glob("*.py"), pure / "game.py"]
    raised = {rule for source in sources for call in re.findall(r"Refused\((.*)\)", source.read_text())
              for rule in re.findall(r'"(\w+)"', call)}  # fmt: skip
    assert set(asyncapi()["components"]["schemas"]["RefusedMessage"]["properties"]["rule"]["enum"]) == raised


async def test_all_that_a_real_game_says_is_as_the_document_has_it(player, stranger):
    document, heard = asyncapi(), []
    g = (await player.new_game())["g"]
    socket, spectator = await player.connect(), await stranger.connect()
    await socket.send("watch", g=g)
    await spectator.send("lobby", on=True)
    await spectator.send("watch", g=g)
    await spectator.send("ping", n=1)
    await spectator.send("dance")
    heard += await spectator.until("watching")
    for v, kind in enumerate(["move", "undo", "redo", "restart", "undo"], 1):
        await socket.send(kind, g=g, v=v, **({"m": WIN[0]} if kind == "move" else {}))
    await socket.send("move", g=g, v=6, m=[0, 1, 0])
    await socket.send("undo", g=g, v=1)
    heard += await socket.until("stale")
    heard += await spectator.until("game", g=g, v=6)
    await player.patch(f"/api/games/{g}", visibility="private")
    heard += await spectator.until("error", g=g) + await (await stranger.connect()).until("hello")
    for message in heard:
        check(document, name_of(document, "send", message["t"]), message)
    told = {message["t"] for message in heard}
    assert told >= set("hello state move undo redo synced refused stale watching listed game error pong".split())


async def test_all_that_is_asked_and_answered_over_http_is_as_the_document_has_it(player, stranger):
    document = openapi()
    g = (await player.new_game())["g"]
    await (await player.watching(g)).play(g, 1, WIN[0])
    g = (await player.new_game(**{"from": {"g": g, "v": 2}}))["g"]
    for name, answer in {
        "StateMessage": await player.get(f"/api/games/{g}"),
        "Log": await player.get(f"/api/games/{g}/log"),
        "Games": await player.get("/api/games"),
        "OwnGames": await player.get("/api/me/games"),
        "Me": await player.me(),
        "Link": (link := await player.post("/api/me/links")),
        "Linked": await stranger.post("/api/links", code=link["code"]),
        "Devices": await player.get("/api/me/sessions"),
        "Problem": (await player.http.get("/api/games/x")).json(),
    }.items():
        check(document, name, answer)
    for body in ({}, {"suits": 2}, {"code": "SS1-S4-AAAAABD"}, {"columns": [""] * 10, "visibility": "private"}):
        check(document, "NewGame", body)
    check(document, "NewGame", {"from": {"g": g, "v": 2}})
    check(document, "MePatch", {"name": "A", "settings": {"theme": "dark", "double_click": False}})
