"""Starlette as one writes it first: `await send_text` for each follower; with STORE, an awaited XADD a move."""

import json
import os

import uvicorn
from redis.asyncio import BlockingConnectionPool, Redis
from simple import Game
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

games: dict[str, Game] = {}
followers: dict[str, set[WebSocket]] = {}
store = None
if "STORE" in os.environ:
    store = Redis.from_pool(BlockingConnectionPool.from_url(os.environ["STORE"], max_connections=32))


async def converse(socket):
    await socket.accept("simplesimon.v1")
    name = json.loads(await socket.receive_text())["g"]
    game = games.setdefault(name, Game(name))
    for text in game.state():
        await socket.send_text(text)
    followers.setdefault(name, set()).add(socket)
    try:
        while True:
            asked = json.loads(await socket.receive_text())
            diff = game.move(asked["v"], *asked["m"])
            if diff is None:
                continue
            if store:
                await store.xadd(f"game:{name}", {"e": diff})
            for follower in list(followers[name]):
                await follower.send_text(diff)
    except WebSocketDisconnect:
        followers[name].discard(socket)


uvicorn.run(
    Starlette(routes=[WebSocketRoute("/ws", converse)]),
    port=int(os.environ["PORT"]),
    ws_per_message_deflate=False,
    log_level="warning",
    backlog=4096,
)
