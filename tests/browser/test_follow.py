"""Following a player from game to game: players on one server, spectators on another, one store for both."""

from collections.abc import Callable

import pytest
from browser.table import WIN, Table, Visit, deal, hold, play_by_socket
from browser.test_watch import fails_once
from playwright.sync_api import BrowserContext, Page, expect
from servers import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def player(named: Callable[[str], BrowserContext]) -> BrowserContext:
    return named("Dora")


@pytest.fixture
def spectator(two: tuple[Server, Server], player: BrowserContext, visit: Visit) -> Table:
    """Of Dora's first game, which is public; to be taken along to her next."""
    spectator = visit(f"/games/{deal(player, visibility='public')}", base_url=two[0].url)
    spectator.control("follow").click()
    expect(spectator.message()).to_contain_text("You follow Dora")
    return spectator


def test_who_follows_a_player_is_taken_to_the_next_public_game_and_told_so(two, player, spectator):
    here, there = two
    hidden = deal(player)
    play_by_socket(player, there.url, hidden, WIN[:1])
    second = deal(player, visibility="public")
    expect(spectator.page).to_have_url(f"{here.url}/games/{second}")
    expect(spectator.message()).to_have_text("Dora has dealt a new game.")
    expect(spectator.page.locator("#voice")).to_contain_text("Dora has dealt a new game.")
    spectator.page.reload()
    expect(spectator.control("follow")).to_have_attribute("aria-pressed", "true")
    third = deal(player, visibility="public")
    expect(spectator.page).to_have_url(f"{here.url}/games/{third}")


def test_nobody_is_taken_away_from_an_earlier_version_or_after_going_back(two, player, spectator):
    here, there = two
    first, page = spectator.game, spectator.page
    play_by_socket(player, there.url, first, WIN[:2])
    spectator.shows(3)
    spectator.control("previous").click()
    spectator.shows(2)
    second = deal(player, visibility="public")
    expect(page.locator(".offer")).to_contain_text("Dora has dealt a new game.")
    expect(page.locator("#voice")).to_contain_text("Dora has dealt a new game.")
    spectator.shows(2)
    assert spectator.game == first
    page.locator(".offer").get_by_role("button", name="Watch it").click()
    expect(page).to_have_url(f"{here.url}/games/{second}")
    expect(page.locator(".offer")).to_have_count(0)
    page.go_back()
    expect(page).to_have_url(f"{here.url}/games/{first}#v=2")
    spectator.shows(2)
    expect(spectator.control("follow")).to_have_attribute("aria-pressed", "false")


def test_who_looks_back_while_the_next_game_is_on_its_way_is_only_told(two, player, spectator):
    _, there = two
    first, page = spectator.game, spectator.page
    play_by_socket(player, there.url, first, WIN[:2])
    spectator.shows(3)
    held = hold(page)
    with page.expect_request("**/api/games/*"):
        deal(player, visibility="public")
    spectator.control("previous").click()
    spectator.shows(2)
    held.pop().continue_()
    expect(page.locator(".offer")).to_contain_text("Dora has dealt a new game.")
    assert spectator.game == first


def test_a_list_that_cannot_be_read_for_now_is_asked_for_again(two, player, device):
    here, _ = two
    page: Page = device(base_url=here.url).new_page()
    fails_once(page)
    page.goto(f"/games/{deal(player, visibility='public')}")
    Table(page).control("follow").click()
    second = deal(player, visibility="public")
    expect(page).to_have_url(f"{here.url}/games/{second}")


@pytest.mark.usefixtures("forgiving")
def test_a_game_that_is_offered_and_cannot_be_had_now_is_told(two, player, spectator):
    page = spectator.page
    play_by_socket(player, two[1].url, spectator.game, WIN[:1])
    spectator.shows(2)
    spectator.control("previous").click()
    spectator.shows(1)
    second = deal(player, visibility="public")
    go = page.locator(".offer").get_by_role("button", name="Watch it")
    go.wait_for()
    page.route("**/api/games/*", lambda route: route.abort())
    go.click()
    expect(spectator.message()).to_contain_text("The server does not answer")
    page.unroute_all()
    go.click()
    expect(page).to_have_url(f"{two[0].url}/games/{second}")


def test_what_is_offered_speaks_another_language_at_once_and_gives_the_focus_back(two, player, spectator):
    first, page = spectator.game, spectator.page
    play_by_socket(player, two[1].url, first, WIN[:1])
    spectator.shows(2)
    spectator.control("previous").click()
    spectator.shows(1)
    deal(player, visibility="public")
    expect(page.locator(".offer")).to_contain_text("Dora has dealt a new game.")
    spectator.control("settings").click()
    page.locator("select[name=language]").select_option("el")
    page.locator("dialog .close").click()
    expect(page.locator(".offer")).to_contain_text("Νέα μοιρασιά")
    page.locator(".offer").get_by_role("button", name="Μένω εδώ").press("Enter")
    expect(page.locator(".offer")).to_have_count(0)
    expect(spectator.column(0)).to_be_focused()
    assert spectator.game == first
