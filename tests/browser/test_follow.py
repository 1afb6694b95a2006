"""Following a player from game to game, and TV: players on one server, spectators on another, one store for both."""

from collections.abc import Callable, Iterator

import pytest
from browser.table import SORTED, SORTED_WIN, WIN, Table, Visit, deal, play_by_socket
from playwright.sync_api import BrowserContext, Page, expect
from servers import Server, serving, storing

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """On a store of their own, where nobody else plays."""
    folder = tmp_path_factory.mktemp("two")
    with (
        storing(folder) as store,
        serving(folder / "here", "--redis-url", store.url) as here,
        serving(folder / "there", "--redis-url", store.url, "--no-limits") as there,
    ):
        yield here, there


@pytest.fixture
def named(two: tuple[Server, Server], device: Callable[..., BrowserContext]) -> Callable[[str], BrowserContext]:
    """Makes a player there, of this name."""

    def make(name: str) -> BrowserContext:
        player = device(base_url=two[1].url)
        player.request.patch("/api/me", data={"name": name})
        return player

    return make


def test_tv_begins_with_the_first_game_and_goes_from_one_that_ends_to_the_next(two, named, device):
    here, there = two
    page: Page = device(base_url=here.url).new_page()
    page.clock.install()
    page.goto("/tv")
    expect(page.get_by_text("Nobody is playing in public")).to_be_visible()
    ada, bea = named("Ada"), named("Bea")
    first = deal(ada, SORTED, "public")
    expect(page.locator("[data-by]")).to_have_text("Ada plays")
    second = deal(bea, SORTED, "public")
    play_by_socket(bea, there.url, second, SORTED_WIN[:3])
    play_by_socket(ada, there.url, first, SORTED_WIN)
    expect(page.locator("[data-won=replay]")).to_be_visible()
    page.clock.fast_forward(11_000)
    expect(page.locator("[data-by]")).to_have_text("Bea plays")
    expect(page.locator("#voice")).to_contain_text("Bea")
    expect(page).to_have_url(f"{here.url}/tv")
    play_by_socket(bea, there.url, second, SORTED_WIN[3:], version=4)


def test_tv_stays_where_it_is_pinned_and_with_an_earlier_version(two, named, device):
    here, there = two
    cleo, dan = named("Cleo"), named("Dan")
    first = deal(cleo, SORTED, "public")
    page: Page = device(base_url=here.url).new_page()
    page.clock.install()
    page.goto("/tv")
    expect(page.locator("[data-by]")).to_have_text("Cleo plays")
    page.get_by_role("button", name="Stay with this game").click()
    second = deal(dan, SORTED, "public")
    play_by_socket(cleo, there.url, first, SORTED_WIN)
    expect(page.locator("[data-won=replay]")).to_be_visible()
    page.clock.fast_forward(11_000)
    expect(page.locator("[data-by]")).to_have_text("Cleo plays")
    table = Table(page)
    table.control("first").click()
    table.shows(1)
    page.get_by_role("button", name="Stay with this game").click()
    expect(page).to_have_url(f"{here.url}/games/{first}#v=1")
    table.shows(1)
    table.control("live").click()
    expect(page.locator("[data-by]")).to_have_text("Dan plays")
    expect(page).to_have_url(f"{here.url}/tv")
    table.control("follow").click()
    expect(page).to_have_url(f"{here.url}/games/{second}")
    expect(table.control("follow")).to_have_attribute("aria-pressed", "true")


def test_tv_outlives_the_skip_link_and_is_come_back_to(two, named, device):
    here, there = two
    finn = named("Finn")
    first = deal(finn, visibility="public")
    page: Page = device(base_url=here.url).new_page()
    page.goto("/tv")
    table = Table(page)
    expect(page.locator("[data-by]")).to_have_text("Finn plays")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{here.url}/tv#page")
    play_by_socket(finn, there.url, first, WIN[:1])
    table.shows(2)
    table.control("play-on").click()
    expect(table.root).to_have_attribute("data-role", "player")
    page.go_back()
    expect(page.locator("[data-by]")).to_have_text("Finn plays")
    expect(page.locator(".on-tv")).to_be_visible()


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
