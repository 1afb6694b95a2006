"""TV goes from game to game by itself: players on one server, spectators on another, one store for both."""

import pytest
from browser.line import Line
from browser.table import SORTED, SORTED_WIN, WIN, Table, deal, hold, play_by_socket
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def tv(device, address) -> Page:
    """TV, on a page whose clock goes on when it is told to."""
    page: Page = device(base_url=address).new_page()
    page.clock.install()
    page.goto("/tv")
    return page


def test_tv_begins_with_the_first_game_and_goes_from_one_that_ends_to_the_next(two, named, device):
    here, there = two
    page = tv(device, here.url)
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


def test_tv_stays_where_it_is_pinned_and_with_an_earlier_version(two, named, device):
    here, there = two
    cleo, dan = named("Cleo"), named("Dan")
    first = deal(cleo, SORTED, "public")
    page = tv(device, here.url)
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


@pytest.mark.usefixtures("forgiving")
def test_tv_goes_on_where_the_line_was_cut_while_its_game_ended(two, named, device):
    here, there = two
    gus, hal = named("Gus"), named("Hal")
    first = deal(gus, SORTED, "public")
    with Line(int(here.port)) as line:
        line.throttle()
        far = tv(device, line.address)
        expect(far.locator("[data-by]")).to_have_text("Gus plays")
        line.cut()
        expect(far.locator("[data-status=reconnecting]")).to_be_visible()
        deal(hal, SORTED, "public")
        play_by_socket(gus, there.url, first, SORTED_WIN)
        line.mend()
        Table(far).hears_of_a_network()
        expect(far.locator("[data-won=replay]")).to_be_visible()
        far.clock.fast_forward(11_000)
        expect(far.locator("[data-by]")).to_have_text("Hal plays")
        far.close()


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
    expect(page.locator("#page")).to_be_focused()  # its address may name a version again by now, which is none
    play_by_socket(finn, there.url, first, WIN[:1])
    table.shows(2)
    table.control("play-on").click()
    expect(table.root).to_have_attribute("data-role", "player")
    page.go_back()
    expect(page.locator("[data-by]")).to_have_text("Finn plays")
    expect(page.locator(".on-tv")).to_be_visible()


def test_tv_stays_with_a_game_that_is_pinned_while_the_next_is_on_its_way(two, named, device):
    here, there = two
    ina, jon = named("Ina"), named("Jon")
    first = deal(ina, SORTED, "public")
    page = tv(device, here.url)
    expect(page.locator("[data-by]")).to_have_text("Ina plays")
    second = deal(jon, SORTED, "public")
    play_by_socket(ina, there.url, first, SORTED_WIN)
    expect(page.locator("[data-won=replay]")).to_be_visible()
    held = hold(page)
    with page.expect_request(f"**/api/games/{second}"):
        page.clock.fast_forward(11_000)
    page.get_by_role("button", name="Stay with this game").click()
    with page.expect_response(f"**/api/games/{second}") as come:
        held.pop().continue_()
    come.value.finished()
    page.clock.run_for(2_000)
    expect(page.locator("[data-by]")).to_have_text("Ina plays")
