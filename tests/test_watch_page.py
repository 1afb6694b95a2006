"""The pure parts of the page of public games: which are wished for, and which are known, page by page."""

import pytest
from javascript import run

WISH = "const { wishIn, searchFor, fits } = await load('wish.js');"
LISTING = """
    const { Listing, PAGE } = await load('listing.js');
    const row = (g, at) => ({ g: String(g), at });
    const page = (first, count, at) => Array.from({ length: count }, (_, i) => row(first + i, at - i));
    const listing = new Listing();
    const shown = () => listing.those(() => true).map((row) => row.g);
"""


@pytest.mark.parametrize(
    ("search", "wish"),
    [
        ("", {"show": "on", "suits": "any", "view": "tables"}),
        ("?suits=4&show=won", {"show": "won", "suits": "4", "view": "tables"}),
        ("?view=list&show=all&suits=1", {"show": "all", "suits": "1", "view": "list"}),
    ],
)
def test_an_address_says_what_is_wished_for_and_a_wish_makes_that_address(search, wish):
    assert run(f"{WISH} return wishIn(search)", search=search) == wish
    again = run(f"{WISH} return wishIn(searchFor(wish))", wish=wish)
    assert again == wish


def test_what_an_address_says_wrongly_is_passed_over():
    wish = run(f"{WISH} return wishIn('?suits=3&show=<b>&view=&suits=4&x=1')")
    assert wish == {"show": "on", "suits": "any", "view": "tables"}
    assert run(f"{WISH} return searchFor(wish)", wish=wish) == ""


@pytest.mark.parametrize(
    ("search", "fitting"),
    [("", ["1 on", "4 on"]), ("?show=won", ["4 won"]), ("?show=all&suits=4", ["4 on", "4 won"]), ("?suits=2", [])],
)
def test_games_fit_or_do_not(search, fitting):
    games = {"1 on": {"suits": 1, "won": False}, "4 on": {"suits": 4, "won": False}, "4 won": {"suits": 4, "won": True}}
    script = f"{WISH} return Object.keys(games).filter((name) => fits(wishIn(search), games[name]))"
    assert run(script, games=games, search=search) == fitting


def test_a_game_keeps_its_place_and_a_new_one_comes_first():
    script = """
        listing.begin(page(1, 3, 1000));
        listing.put({ g: "3", at: 2000 });
        listing.put({ g: "new", at: 2001 });
        listing.change("2", { at: 2002 });
        listing.remove("1");
        return [shown(), listing.get("2"), listing.change("1", {}) ?? null, listing.isWhole];
    """
    assert run(LISTING + script) == [["new", "2", "3"], {"g": "2", "at": 2002}, None, True]


def test_page_after_page_until_nothing_is_new():
    script = """
        listing.begin(page(0, PAGE, 9000));
        const asked = [listing.oldest];
        listing.extend(page(100, PAGE, 8900));
        asked.push(listing.oldest);
        listing.extend(page(200, 20, 8800));
        const before = listing.isWhole;
        const moved = [row(230, 9500), ...page(0, PAGE - 1, 9000)];
        const added = listing.extend(moved).map((row) => row.g);
        asked.push(listing.oldest);
        const between = listing.isWhole;
        listing.extend(page(99, PAGE, 8901));
        return [asked, before, added, between, listing.isWhole, listing.size];
    """
    assert run(LISTING + script) == [[8901, 8801, 8902], False, ["230"], False, True, 221]


def test_after_a_lost_connection_the_first_page_is_as_it_is_now_and_further_ones_stay():
    script = """
        listing.begin(page(0, PAGE, 9000));
        listing.extend(page(100, 50, 8900));
        listing.begin([row("new", 9100), ...page(0, 50, 9000), ...page(51, PAGE - 51, 8949)]);
        const further = [shown().length, listing.get("50") ?? null, listing.get("149").at, shown()[0]];
        listing.begin(page(0, 2, 9000));
        return [...further, shown(), listing.isWhole];
    """
    assert run(LISTING + script) == [150, None, 8851, "new", ["0", "1"], True]
