"""What goes beyond playing, in three browsers at once: one of them on a line that is slow, is cut, and comes back."""

import re

import pytest
from browser.line import Line
from browser.table import WIN, Move, Table, deal, play_by_socket
from playwright.sync_api import Page, expect
from stories import CODE, CODED_WIN

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("forgiving")]

CODED: list[Move] = [(event.move.source, event.move.count, event.move.target) for event in CODED_WIN]
UNREACHED = "The server does not answer"


@pytest.fixture
def line(line: Line) -> Line:
    line.throttle()
    return line


@pytest.fixture
def public(player, table: Table, hides) -> Table:
    """Of a player that no other test follows; hidden again for those that come after."""
    table.goes_public()
    hides(player, table.game)
    return table


def cut(line: Line, *tables: Table) -> None:
    line.cut()
    for table in tables:
        table.is_connected("reconnecting")


def mend(line: Line, *tables: Table) -> None:
    line.mend()
    for table in tables:
        table.hears_of_a_network()
        table.is_connected("live")


def test_time_travel_while_the_game_goes_on(table, visit, line):
    table.play(WIN[:4], version=1)
    far = visit(f"{line.address}/games/{table.game}#v=3")
    near = visit(f"/games/{table.game}")
    far.shows(3)
    cut(line, far)
    table.play(WIN[4:6], version=5)
    far.control("previous").click()
    far.shows(2)
    mend(line, far)
    far.knows(7)
    far.shows(2)
    expect(far.control("live")).to_have_text("Live 5 newer")
    far.page.locator("input[type=range]").fill("6")
    far.shows(6)
    far.control("live").click()
    near.shows(7)
    far.shows(7)
    assert far.columns == near.columns == table.columns


def test_playing_on_from_here(table, visit, line):
    table.play(WIN[:3], version=1)
    far = visit(f"{line.address}/games/{table.game}#v=2")
    near = visit(f"/games/{table.game}")
    far.shows(2)
    cut(line, far)
    far.control("play-on").click()
    expect(far.message()).to_contain_text(UNREACHED)
    mend(line, far)
    far.control("play-on").click()
    expect(far.root).to_have_attribute("data-role", "player")
    assert far.game != table.game
    cut(line, far)
    far.drag(WIN[1])
    far.tells(moves=2)
    mend(line, far)
    far.shows(3)
    table.play(WIN[3:4], version=4)
    near.shows(5)
    assert near.columns == table.columns


def test_following_a_player(public, player, hides, visit, line):
    far, near = (visit(f"{address}/games/{public.game}") for address in (line.address, ""))
    for follower in (far, near):
        follower.control("follow").click()
        expect(follower.message()).to_contain_text("You follow")
    cut(line, far)
    second = hides(player, deal(player, visibility="public"))
    expect(near.page).to_have_url(re.compile(f"/games/{second}$"))
    assert far.game == public.game
    mend(line, far)
    expect(far.page).to_have_url(f"{line.address}/games/{second}")
    far.is_connected("live")


def test_the_list_of_games(public, player, hides, device, line):
    pages: list[Page] = [device(base_url=line.address).new_page(), device().new_page()]
    for page in pages:
        page.goto("/watch")
        expect(page.locator(f"[data-game='{public.game}'] g")).to_have_count(10)
    line.cut()
    expect(pages[0].locator(".status")).to_have_attribute("data-status", "reconnecting")
    public.play(WIN[:2], version=1)
    second = hides(player, deal(player, visibility="public"))
    expect(pages[1].locator(f"[data-game='{public.game}']")).to_contain_text("498 points, 2 moves")
    line.mend()
    Table(pages[0]).hears_of_a_network()
    for page in pages:
        expect(page.locator(f"[data-game='{public.game}']")).to_contain_text("498 points, 2 moves")
        expect(page.locator(f"[data-game='{second}'] g")).to_have_count(10)


def test_the_same_deal(device, server, hides, visit, line):
    winner, other = device(), device()
    won = hides(winner, winner.request.post("/api/games", data={"code": CODE}).json()["g"])
    play_by_socket(winner, server, won, CODED)
    near = visit(f"/games/{won}", on=other)
    far: Page = device(base_url=line.address).new_page()
    far.goto(f"/deals/{CODE}")
    expect(far.locator(f"[data-game='{won}']")).to_contain_text("856 points")
    line.cut()
    far.locator("[data-deal=play]").click()
    expect(far.get_by_role("alert").first).to_contain_text(UNREACHED)
    line.mend()
    far.locator("[data-deal=play]").click()
    far.wait_for_url(re.compile(f"/games/(?!{won})"))
    expect(far.locator("[data-code]")).to_have_text(CODE)
    near.page.locator(".won").get_by_role("link", name=CODE).click()
    expect(near.page.locator(f"[data-game='{won}']")).to_be_visible()


def test_sharing(device, visit, line, complaints):
    owner = device(base_url=line.address)
    far = visit(f"/games/{deal(owner)}", on=owner)
    near = visit(f"/games/{far.game}")
    far.control("share").click()
    expect(far.page.locator(".share input").first).to_have_value(f"{line.address}/games/{far.game}")
    cut(line, far)
    chosen = far.page.locator("select[name=visibility]")
    chosen.select_option("private")
    expect(far.page.get_by_role("alert")).to_contain_text(UNREACHED)
    mend(line, far)
    picture = near.page.request.get(f"{line.address}/games/{far.game}/picture.png")
    assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
    with far.page.expect_response(f"**/api/games/{far.game}") as changed:
        chosen.select_option("private")
    assert changed.value.ok
    assert near.page.request.get(f"/games/{far.game}/picture.png").status == 404
    assert near.page.request.get(f"/api/games/{far.game}").status == 404
    expect(near.message()).to_contain_text("There is no such game")
    near.page.close()  # what it still asked for is not there
    complaints[:] = [said for said in complaints if "404" not in said]


def test_taking_a_game_along(table, visit, line, tmp_path):
    table.play(WIN[:3], version=1)
    near = visit(f"/games/{table.game}")
    near.control("share").click()
    with near.page.expect_download() as taken:
        near.page.get_by_role("link", name="As a file").click()
    kept = tmp_path / "game.json"
    taken.value.save_as(kept)
    far = visit(line.address)
    first = far.game
    far.control("new").click()
    far.page.get_by_text("A game from a file").click()
    cut(line, far)
    far.page.locator("input[name=file]").set_input_files(kept)
    expect(far.page.get_by_role("alert")).to_contain_text(UNREACHED)
    mend(line, far)
    far.page.locator("input[name=file]").set_input_files(kept)
    far.page.wait_for_url(re.compile(f"/games/(?!{first})"))
    far.shows(4)
    assert far.columns == table.columns
    again = far.page.request.get(f"/api/games/{far.game}/file")
    assert again.json()["events"] == near.page.request.get(f"/api/games/{table.game}/file").json()["events"]
