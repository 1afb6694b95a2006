"""Pictures of games and deals, for the links to them: drawn when asked for, by one process at a time, and kept a while.

A picture is what everybody may see: of a private game there is none, for its player neither. It is known by its SVG, so
one that is drawn otherwise after an upgrade is another one.
"""

import asyncio
import contextlib
import os
import sys
from collections import OrderedDict
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from simplesimon.backend import Backend
from simplesimon.errors import Unavailable
from simplesimon.messages import StateMessage
from simplesimon.picture import Art
from simplesimon.rules.deal import deal_from_code

KEPT, WAITING = 64, 8
DRAWN_WITHIN_S = 10.0

_A_DAY = "public, max-age=86400"


class Pictures:
    """The pictures of one worker, as PNG."""

    def __init__(self, art: Art) -> None:
        self.art = art
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._drawing: dict[str, asyncio.Task[bytes]] = {}
        self._one = asyncio.Semaphore()

    def kept(self, name: str) -> bytes | None:
        """A picture that is at hand."""
        png = self._kept.get(name)
        if png:
            self._kept.move_to_end(name)
        return png

    async def draw(self, name: str, svg: str) -> bytes:
        """A picture drawn; who asks for one on its way waits for that. Raises Unavailable when too many are."""
        drawing = self._drawing.get(name)
        if drawing is None:
            if len(self._drawing) >= WAITING:
                raise Unavailable("many pictures are being drawn; please try again in a moment")
            drawing = self._drawing[name] = asyncio.create_task(self._draw(name, svg))
        return await asyncio.shield(drawing)

    async def _draw(self, name: str, svg: str) -> bytes:
        try:
            async with self._one:
                self._kept[name] = png = await painted(svg)
        finally:
            del self._drawing[name]
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return png


async def painted(svg: str) -> bytes:
    """The PNG of an SVG, by a process of its own. Raises Unavailable where it cannot be had within its bounds."""
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "simplesimon.painter"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
        )
    except OSError as error:  # too many processes or files
        raise Unavailable("this picture could not be drawn") from error
    try:
        async with asyncio.timeout(DRAWN_WITHIN_S):
            png, _ = await process.communicate(svg.encode())
    except TimeoutError:
        png = b""
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if not png or process.returncode:
        raise Unavailable("this picture could not be drawn")
    return png


def routes(client: Path) -> list[BaseRoute]:
    """The picture of each game and deal, and the one of all else."""
    pictures = Pictures(Art((client / "cards.svg").read_text("utf-8"), (client / "theme.css").read_text("utf-8")))

    async def of_game(request: Request) -> Response:
        backend: Backend = request.app.state.backend
        state = await backend.service.state(request.path_params["id"], None)
        return await _answer(request, pictures, _table(pictures.art, state))

    async def of_deal(request: Request) -> Response:
        deal = deal_from_code(request.path_params["code"])
        return await _answer(request, pictures, pictures.art.deal(deal.lines, deal.suits), _A_DAY)

    async def general(request: Request) -> Response:
        return await _answer(request, pictures, pictures.art.general(), _A_DAY)

    return [
        Route("/games/{id}/picture.png", of_game),
        Route("/deals/{code}/picture.png", of_deal),
        Route("/picture.png", general),
    ]


def _table(art: Art, state: StateMessage) -> str:
    return art.won(state.off, state.score) if state.won else art.table(state.columns, state.off, state.score)


async def _answer(request: Request, pictures: Pictures, svg: str, caching: str = "no-cache") -> Response:
    name = sha256(svg.encode()).hexdigest()[:16]
    tag = f'"{name}"'
    headers = {"Cache-Control": caching, "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    png = pictures.kept(name)
    if png is None:
        backend: Backend = request.app.state.backend
        backend.paces.pictures.check(request.client.host if request.client else "")
        png = await pictures.draw(name, svg)
    return Response(png, headers=headers, media_type="image/png")
