"""The HTTP half of the published contract (see `docs`): what each request gives."""

import asyncio
import io

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from simplesimon import metrics
from simplesimon.bodies import (
    DealGames,
    Devices,
    GamePatch,
    Games,
    Link,
    LinkCode,
    Linked,
    Log,
    Me,
    MePatch,
    NewGame,
    OwnGames,
    OwnRow,
)
from simplesimon.calls import Call, answers
from simplesimon.copies import Beginning, brought_back
from simplesimon.doors import site_of
from simplesimon.errors import BadMessage, Unavailable
from simplesimon.gamefile import file_bytes, file_name, file_of, replay
from simplesimon.lobby import PAGE_LIMIT
from simplesimon.messages import StateMessage
from simplesimon.players import LINK_EXPIRES_S
from simplesimon.rules.deal import Deal, parse_code
from simplesimon.service import given_deal
from simplesimon.wording import language_for, wording
from simplesimon.written import written

PAGE_DEFAULT = 50
FILE_LIMIT = 2 * 1024 * 1024
"""Bytes of the body that a new game is asked for with: a file of some 50,000 events."""


async def _state(call: Call) -> StateMessage:
    return await call.backend.service.state(call.request.path_params["id"], await call.player_id())


async def _new_game(call: Call) -> StateMessage:
    wanted = await call.body(NewGame, FILE_LIMIT)
    given = await _given(call, wanted)  # what is wrong with it is told before a caller becomes a player
    player = await call.player()
    state = await call.backend.service.create(player.player_id, wanted, given)
    await call.backend.lobby.add(state, call.backend.clock.now())
    return state


async def _given(call: Call, wanted: NewGame) -> Deal | Beginning | None:
    deal = given_deal(wanted)
    if wanted.file:
        call.check_pace(len(wanted.file.events))
        return await brought_back(wanted.file, call.backend.clock.now())
    if wanted.origin is None:
        return deal
    return await call.backend.service.beginning(wanted.origin, await call.player_id(), call.check_pace)


async def _change_game(call: Call) -> StateMessage:
    patch = await call.body(GamePatch)
    return await call.backend.show(call.request.path_params["id"], patch.visibility, await call.player_id())


async def _log(call: Call, since: int = 0) -> Log:
    game_id, player_id = call.request.path_params["id"], await call.player_id()
    return await call.backend.service.log(game_id, player_id, since, call.check_pace)


async def _log_since(call: Call) -> Log:
    return await _log(call, call.number("since", 0, most=10**9))


async def _file(call: Call) -> Response:
    """The game as a file for programs."""
    log = await _log(call)
    return _download(file_bytes(file_of(log)), file_name(log, "json"), "application/json")


async def _text(call: Call) -> Response:
    """The game written out for people, in their language."""
    log = await _log(call)
    accepted = call.request.headers.get("accept-language", "")
    text = wording(language_for(call.request.query_params.get("language", accepted)))
    file = file_of(log)
    content = await asyncio.to_thread(lambda: written(replay(file), text))
    return _download(content.encode(), file_name(log, "txt"), "text/plain; charset=utf-8")


def _download(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Vary": "Accept-Language, Cookie"}
    return Response(content, headers=headers, media_type=kind)


async def _games(call: Call) -> Games:
    limit = call.number("limit", PAGE_DEFAULT, most=PAGE_LIMIT)
    return Games(await call.backend.lobby.public(limit, call.request.query_params.get("before")))


async def _deal(call: Call) -> DealGames:
    code = parse_code(call.request.path_params["code"])
    limit = call.number("limit", PAGE_DEFAULT, most=PAGE_LIMIT)
    before = call.request.query_params.get("before")
    return await call.backend.results.page(code, await call.player_id(), limit, before)


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
    site = site_of(call.request, call.backend.public_url)
    if not site:
        raise BadMessage("the Host of this request is no address that a link could begin with")
    code = await call.backend.players.link((await call.player()).player_id)
    url = f"{site}/link#{code}"
    qr = io.BytesIO()
    segno.make(url, error="m").save(qr, kind="svg", border=2, omitsize=True, xmldecl=False)
    return Link(code, url, qr.getvalue().decode(), LINK_EXPIRES_S)


async def _use_link(call: Call) -> Linked:
    code = (await call.body(LinkCode)).code
    player_id = await call.backend.players.use_link(code, call.address if call.backend.has_limits else None)
    me = await call.backend.players.me(player_id)  # before: nobody is signed in as a player that cannot be
    await call.sign_in(player_id)
    return Linked(me.player, me.current)


async def _sessions(call: Call) -> Devices:
    return Devices(await call.backend.players.devices(await call.player()))


async def _end_session(call: Call) -> None:
    player = await call.player()
    await call.backend.sign_out(player.player_id, call.request.path_params["id"])


async def _live(_: Call) -> dict[str, str]:
    return {"status": "live"}


async def _ready(call: Call) -> dict[str, str | int]:
    if call.backend.is_draining:
        raise Unavailable("the server is about to stop")
    durability = await call.backend.durability()
    return {"status": "ready", "durability": durability, "replicas": call.backend.replicas}


async def _metrics(_: Request) -> Response:
    return Response(metrics.text(), media_type=metrics.MEDIA_TYPE)


routes = [
    Route("/api/games", answers(_new_game, 201), methods=["POST"]),
    Route("/api/games", answers(_games)),
    Route("/api/games/{id}", answers(_state)),
    Route("/api/games/{id}", answers(_change_game), methods=["PATCH"]),
    Route("/api/games/{id}/log", answers(_log_since)),
    Route("/api/games/{id}/file", answers(_file)),
    Route("/api/games/{id}/text", answers(_text)),
    Route("/api/deals/{code}", answers(_deal)),
    Route("/api/me", answers(_me)),
    Route("/api/me", answers(_change_me), methods=["PATCH"]),
    Route("/api/me/games", answers(_own_games)),
    Route("/api/me/links", answers(_new_link, 201), methods=["POST"]),
    Route("/api/links", answers(_use_link), methods=["POST"]),
    Route("/api/me/sessions", answers(_sessions)),
    Route("/api/me/sessions/{id}", answers(_end_session), methods=["DELETE"]),
    Route("/health/live", answers(_live)),
    Route("/health/ready", answers(_ready)),
    Route("/metrics", _metrics),
]
