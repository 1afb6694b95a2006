"""The hub: every follower gets each version once and in order, whoever told of it; gaps and lost histories mend."""

import asyncio

import pytest
from followers import Follower, G, frame

from simplesimon.entries import Head
from simplesimon.errors import Unavailable
from simplesimon.hub import Hub


class Log:
    """What the log has of the game, for the hub to catch up with."""

    def __init__(self, hub):
        self.versions, self.readings, self.is_away = range(0), 0, False
        self.before = ""
        self.head = (5, "00000005")
        self._hub = hub
        hub.catch_up = self.catch_up

    async def catch_up(self, game_id):
        self.readings += 1
        await asyncio.sleep(0)
        if self.is_away:
            raise Unavailable("away")
        for v in self.versions:
            self._hub.offer(frame(v, before=self.before))
            self.head = (v, f"{v:08x}")
        return self.head


async def gap_closed(hub):
    closing = hub._feeds[G].closing_gap
    assert closing
    await closing


@pytest.fixture
def hub():
    return Hub()


@pytest.fixture
def log(hub):
    return Log(hub)


@pytest.fixture
def followers(hub):
    followers = [Follower(), Follower()]
    for follower in followers:
        hub.join(G, follower)
    return followers


async def test_what_is_told_twice_is_offered_once(hub, log, followers):
    for v in (5, 5, 6, 5, 6, 7, 6):
        hub.offer(frame(v))
    assert [follower.heard for follower in followers] == [[5, 6, 7]] * 2


async def test_a_gap_is_read_from_the_log_once_for_all(hub, log, followers):
    hub.offer(frame(5))
    log.versions = range(6, 10)
    for v in (8, 9, 8):
        hub.offer(frame(v))
    for follower in followers:
        assert [await follower.next() for _ in range(5)] == [5, 6, 7, 8, 9]
    assert log.readings == 1


async def test_a_gap_that_the_log_cannot_fill_here_begins_anew(hub, log, followers):
    hub.offer(frame(5))
    log.head = (9, "00000009")
    hub.offer(frame(9))
    for follower in followers:
        assert [await follower.next(), await follower.next()] == [5, "anew"]
    hub.offer(frame(10))
    assert [await follower.next() for follower in followers] == [10, 10]


async def test_a_gap_stays_while_the_log_is_away_and_is_closed_later(hub, log, followers):
    log.is_away, log.versions = True, range(6, 9)
    hub.offer(frame(5))
    hub.offer(frame(7))
    await gap_closed(hub)
    log.is_away = False
    hub.offer(frame(8))
    assert [await followers[0].next() for _ in range(4)] == [5, 6, 7, 8]


async def test_a_head_that_is_further_on_is_read_up_to(hub, log, followers):
    hub.offer(frame(5))
    hub.check(G, Head(5, f"{5:08x}", "public", "ann"))
    assert (followers[0].heard, log.readings) == ([5], 0)
    log.versions = range(6, 8)
    hub.check(G, Head(7, f"{7:08x}", "public", "ann"))
    assert [await followers[0].next() for _ in range(3)] == [5, 6, 7]


async def test_a_head_is_read_up_to_also_before_anything_was_offered(hub, log, followers):
    hub.check(G, None)
    assert (followers[0].heard, log.readings) == ([], 0)
    hub.check(G, Head(5, f"{5:08x}", "public", "ann"))
    await gap_closed(hub)
    hub.check(G, Head(5, f"{5:08x}", "public", "ann"))
    assert (followers[0].heard, log.readings) == ([], 1), "whoever follows has read as far as that"
    log.versions = range(6, 8)
    hub.check(G, Head(7, f"{7:08x}", "public", "ann"))
    assert [await followers[0].next() for _ in range(2)] == [6, 7]


@pytest.mark.parametrize("head", [None, Head(4, f"{4:08x}", "public", "ann"), Head(5, "ffffffff", "public", "ann")])
async def test_a_head_that_is_behind_or_of_another_history_sets_everybody_back(hub, log, followers, head):
    hub.offer(frame(5))
    hub.check(G, head)
    assert [follower.heard for follower in followers] == [[5, "set back"]] * 2


async def test_a_loss_that_was_told_while_a_head_was_read_is_not_told_again(hub, log, followers):
    hub.offer(frame(5))
    known = hub.positions[G]
    hub.set_back(G)
    for follower in followers:
        hub.level(G, follower, 3, "00000003")
    hub.check(G, Head(3, "00000003", "public", "ann"), known)
    assert [follower.heard for follower in followers] == [[5, "set back"]] * 2


async def test_a_log_that_was_set_back_while_a_gap_was_read_is_followed_from_where_it_is(hub, log, followers):
    hub.check(G, Head(9, "00000009", "public", "ann"))  # read before the loss
    log.head = (5, "00000005")
    await gap_closed(hub)
    hub.offer(frame(6))
    assert [follower.heard for follower in followers] == [[6]] * 2


@pytest.mark.parametrize(
    "told",
    [frame(6, before="ffffffff"), frame(5, c="ffffffff")],
    ids=["the next version", "the same version"],
)
async def test_a_diff_of_another_history_sets_everybody_back(hub, log, followers, told):
    hub.offer(frame(5))
    hub.offer(told)
    assert [follower.heard for follower in followers] == [[5, "set back"]] * 2


async def test_a_gap_that_the_log_fills_from_another_history_sets_everybody_back(hub, log, followers):
    hub.offer(frame(5))
    log.versions = range(6, 9)
    log.before = "ffffffff"
    hub.offer(frame(8))
    for follower in followers:
        assert [await follower.next(), await follower.next()] == [5, "set back"]


async def test_an_old_diff_that_comes_late_is_nothing(hub, log, followers):
    hub.offer(frame(5))
    hub.offer(frame(4, c="ffffffff", before="ffffffff"))
    hub.offer(frame(6))
    assert [follower.heard for follower in followers] == [[5, 6]] * 2


async def test_who_has_read_another_history_is_not_level(hub, log, followers):
    hub.offer(frame(5))
    assert not hub.level(G, followers[0], 5, "ffffffff")
    assert [follower.heard for follower in followers] == [[5, "set back"]] * 2


async def test_a_game_that_nobody_follows_is_nobody_s(hub, log):
    hub.offer(frame(1))
    hub.check(G, Head(9, "ffffffff", "public", "ann"))
    hub.set_back(G)
    hub.tell_watching(G, 3)
    assert (hub.positions, hub.watching(G), log.readings) == ({}, 0, 0)


async def test_who_left_is_offered_nothing_and_the_last_one_takes_the_game_along(hub, log, followers):
    first, second = followers
    hub.offer(frame(1))
    assert not hub.leave(G, first)
    hub.offer(frame(2))
    assert (first.heard, second.heard) == ([1], [1, 2])
    assert hub.is_followed(G)
    assert hub.leave(G, second)
    assert not hub.is_followed(G)


async def test_a_follower_that_leaves_while_it_is_offered_harms_nobody(hub, log, followers):
    class Leaving(Follower):
        def offer(self, frame):
            super().offer(frame)
            hub.leave(G, self)

    leaving, last = Leaving(), Follower()
    hub.join(G, leaving)
    hub.join(G, last)
    for v in (1, 2):
        hub.offer(frame(v))
    assert (leaving.heard, last.heard) == ([1], [1, 2])


async def test_spectators_are_told_at_most_once_a_second_and_the_last_number_always(hub, followers):
    first, _ = followers
    for number in (1, 2, 3, 2, 2):
        hub.tell_watching(G, number)
    assert first.heard == ['{"t":"watching","g":"AAAAAAAAAAAA","n":1}']
    assert hub.watching(G) == 2
    await first.next()
    assert await first.next() == '{"t":"watching","g":"AAAAAAAAAAAA","n":2}'
    hub.tell_watching(G, 2)
    assert first.heard == [], "nothing changed"


async def test_the_first_number_is_told_to_who_came_back_with_another(hub, followers):
    hub.read_watching(G, 2)
    assert hub.watching(G) == 2
    hub.tell_watching(G, 2)
    hub.read_watching(G, 3)
    assert hub.watching(G) == 2, "what was told is newer"
    assert [follower.heard for follower in followers] == [['{"t":"watching","g":"AAAAAAAAAAAA","n":2}']] * 2


async def test_a_game_that_is_left_tells_no_numbers_afterwards(hub, followers):
    hub.tell_watching(G, 1)
    hub.tell_watching(G, 2)
    waiting = hub._feeds[G].telling_watching
    for follower in followers:
        hub.leave(G, follower)
    assert waiting.cancelled()


async def test_what_was_offered_while_a_head_was_read_is_no_loss(hub, log, followers):
    hub.offer(frame(5))
    known = hub.positions[G]
    hub.offer(frame(6))
    hub.check(G, Head(5, f"{5:08x}", "public", "ann"), known)
    assert [follower.heard for follower in followers] == [[5, 6], [5, 6]]
    hub.check(G, Head(4, f"{4:08x}", "public", "ann"), known)
    assert [follower.heard[-1] for follower in followers] == ["set back", "set back"]
