"""The pages, and the files that they are made of.

A page is index.html with what the server knows at that moment in a block of JSON: its first table waits for no other
answer. So it is its reader's own, and never kept; its files are the same for all, and kept for ever.
"""

import asyncio
import logging
import mimetypes
from functools import partial
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from simplesimon import pictures
from simplesimon.backend import Backend
from simplesimon.bodies import Known, Settings
from simplesimon.calls import caller_of
from simplesimon.doors import site_of
from simplesimon.edition import Edition
from simplesimon.errors import BadDealCode, NoSuchGame, SimpleSimonError
from simplesimon.messages import encode
from simplesimon.preview import general, of_deal, of_game, tags
from simplesimon.rules.deal import parse_code
from simplesimon.wording import LOCALES, language_for, wording

WITHOUT_GAME = ("/games", "/watch", "/tv", "/link", "/rules")
"""The pages that open no game."""

KNOWN_WITHIN_S = 1.0
NOTHING_KNOWN = b'id="known">null<'
"""So it stands in index.html: a page that was told nothing asks."""

ROOT = b'<html lang="en">'
"""So it stands in index.html: there it is said how the reader wants the page to look, for some browsers paint it before
a script has run."""

SITE_NAME = b'<meta property="og:site_name" content="Simple Simon">'
"""So it stands in index.html: behind it comes what this page's link unfolds to."""

_FOR_EVER = "public, max-age=31536000, immutable"

log = logging.getLogger(__name__)


def client_dir() -> Path:
    """Where the page is: in the package when installed, beside the server in a checkout."""
    package = Path(__file__).parent
    return next(path for path in (package / "client", package.parents[1] / "client") if path.is_dir())


def _is_without_game(path: str) -> bool:
    """Whether the page of this address opens no game."""
    return path in WITHOUT_GAME or path.startswith("/deals/")


def routes() -> list[BaseRoute]:
    """All pages, their files by edition, and the sources of these as they were written."""
    edition = Edition(client_dir())
    page = partial(_page, edition)
    return [
        *pictures.routes(client_dir()),
        *[Route(path, page) for path in ("/", "/games/{id}", *WITHOUT_GAME)],
        Route("/deals/{code}", partial(_deal_page, edition)),
        Route("/edition/{edition}/{name:path}", partial(_file, edition)),
        Mount("/client", StaticFiles(directory=client_dir())),
    ]


async def _page(edition: Edition, request: Request, code: str | None = None) -> Response:
    """One page for every address; with 404 for a game that is not there, or none of the caller's business."""
    status, known = 200, None
    try:
        async with asyncio.timeout(KNOWN_WITHIN_S):
            known = await _known_to(request, opens_game=not _is_without_game(request.url.path))
    except NoSuchGame:
        status = 404
    except (SimpleSimonError, TimeoutError) as error:
        log.warning("a page is shown without what it could know: %s", str(error) or "the store is slow")
    # what would end the block is written so that it does not
    block = encode(known).replace(b"<", b"\\u003c")
    page = edition.page.replace(NOTHING_KNOWN, NOTHING_KNOWN.replace(b"null", block))
    page = page.replace(ROOT, _dressed(known))
    page = page.replace(SITE_NAME, SITE_NAME + b"\n  " + _preview_tags(request, known, code).encode())
    return HTMLResponse(page, status, headers={"Cache-Control": "no-store"})


def _dressed(known: Known | None) -> bytes:
    """The root element in the look that the reader chose; what is not chosen is not said."""
    settings = known.me.settings if known and known.me else Settings()
    marks = {
        f' data-theme="{settings.theme}"': settings.theme != "system",
        " data-four-colours": settings.four_colours,
        " data-left-handed": settings.left_handed,
    }
    return ROOT.replace(b">", "".join(mark for mark, is_on in marks.items() if is_on).encode() + b">")


def _preview_tags(request: Request, known: Known | None, code: str | None) -> str:
    """What a link to this page unfolds to; that of a private game's like that of none."""
    language = language_for(request.headers.get("accept-language", ""))
    text = wording(language)
    game = known.game if known and "id" in request.path_params else None
    if game and game.visibility != "private":
        preview = of_game(game, text)
    elif code:
        preview = of_deal(code, text)
    else:
        preview = general(request.url.path if request.url.path in WITHOUT_GAME else "/", text)
    backend: Backend = request.app.state.backend
    return tags(preview, site_of(request, backend.public_url), LOCALES[language])


async def _deal_page(edition: Edition, request: Request) -> Response:
    """The page of a deal, under its code as it is written; with 404 for what is no code."""
    typed = request.path_params["code"]
    try:
        code = parse_code(typed)
    except BadDealCode:
        page = await _page(edition, request)
        page.status_code = 404
        return page
    return await _page(edition, request, code) if code == typed else RedirectResponse(f"/deals/{code}", 308)


async def _known_to(request: Request, *, opens_game: bool) -> Known:
    """What a page can bring along for its reader: the game of its path, or else the one last played.

    Raises NoSuchGame for a game of the path that there is not.
    """
    backend: Backend = request.app.state.backend
    session = await caller_of(request)
    me = await backend.players.me(session.player_id) if session else None
    named = request.path_params.get("id")
    game_id = named or (me.current if me and opens_game else None)
    try:
        game = await backend.service.state(game_id, session.player_id if session else None) if game_id else None
    except NoSuchGame:
        if named:
            raise
        game = None
    return Known(me, game)


async def _file(edition: Edition, request: Request) -> Response:
    """A file of this edition, for ever; to a page of another edition, the nearest that there is."""
    name = request.path_params["name"]
    is_ours = request.path_params["edition"] == edition.name
    headers = {"Cache-Control": _FOR_EVER if is_ours else "no-cache", "Vary": "Accept-Encoding"}
    try:
        content = edition.file(name)
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = edition.compressed(name)
            headers["Content-Encoding"] = "gzip"
    except KeyError:
        raise HTTPException(404, f"there is no {name[:80]} in this edition") from None
    return Response(content, headers=headers, media_type=mimetypes.guess_type(name)[0])
