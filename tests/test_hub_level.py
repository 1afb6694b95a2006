"""Followers that are level: the hub writes to their sockets itself, many frames in one write."""

import asyncio
from typing import cast

import pytest
from followers import Follower, G, frame

from simplesimon.diffs import Frame
from simplesimon.following import Following
from simplesimon.hub import Hub
from simplesimon.messages import StateMessage
from simplesimon.wire import payloads


@pytest.fixture
def hub():
    return Hub()


class Level(Follower):
    """A follower that has read the game up to version 1."""

    def __init__(self, hub):
        super().__init__()
        hub.join(G, self)
        assert hub.level(G, self, 1, "00000001")


async def turn():
    """Lets the event loop go round once."""
    await asyncio.sleep(0)


async def test_frames_that_come_within_one_turn_leave_in_one_write(hub):
    first, second = Level(hub), Level(hub)
    for v in (2, 3, 4):
        hub.offer(frame(v))
    assert first.written == []
    await turn()
    assert first.written == second.written == [b"diff 2diff 3diff 4"]


async def test_what_is_said_after_a_diff_is_written_after_it(hub):
    follower = Level(hub)
    hub.offer(frame(2))
    hub.flush(G)
    assert follower.written == [b"diff 2"]
    await turn()
    assert follower.written == [b"diff 2"]


async def test_who_falls_behind_between_a_diff_and_its_writing_has_it(hub):
    """A socket that another game's diff filled, say."""
    follower, other = Level(hub), Level(hub)
    hub.offer(frame(2))
    assert hub.fall_behind(G, follower) == (2, "00000002")
    await turn()
    assert follower.written == other.written == [b"diff 2"]


async def test_who_comes_level_between_a_diff_and_its_writing_gets_it_once(hub):
    Level(hub)
    hub.offer(frame(2))
    late = Follower()
    hub.join(G, late)
    assert hub.level(G, late, 2, "00000002")
    hub.offer(frame(3))
    await turn()
    assert late.written == [b"diff 3"]


async def test_who_read_further_than_was_told_here_waits_for_the_others(hub):
    Level(hub)
    ahead = Follower()
    hub.join(G, ahead)
    assert not hub.level(G, ahead, 3, "00000003")


async def test_a_state_is_written_to_each_its_own_and_after_the_diffs_before_it(hub):
    follower = Level(hub)
    hub.offer(frame(2))
    hub.offer(Frame(G, 3, "00000003", b"state 3", state=cast(StateMessage, object()), before="00000002"))
    assert follower.written == [b"diff 2", "own state"]


async def test_a_socket_that_fills_up_gets_nothing_more_until_it_comes_level_again(hub):
    full = Level(hub)
    other = Level(hub)
    assert hub.fall_behind(G, full) == (1, "00000001")
    assert hub.fall_behind(G, full) is None
    hub.offer(frame(2))
    await turn()
    assert (full.heard, full.written, other.written) == ([2], [], [b"diff 2"])


@pytest.mark.parametrize(("c", "leads_on"), [("00000006", True), ("ffffffff", False)])
async def test_what_was_held_during_a_reading_leads_on_from_it_or_is_of_another_history(hub, c, leads_on):
    written: list[bytes] = []
    behind: list[bool] = []

    def start_anew(it):
        behind.append(it.is_set_back)
        it.hold()

    following = Following(G, None, written.append, hub, start_anew)
    hub.join(G, following)
    hub.offer(frame(7))
    following.start([Frame(G, 6, c, b"")], is_asked=False)
    assert (written, behind) == (([b"diff 7"], []) if leads_on else ([], [True]))


async def test_a_command_whose_reading_leads_nowhere_is_answered_by_the_next_one(hub):
    written: list[bytes] = []
    following = Following(G, None, written.append, hub, Following.hold)
    hub.join(G, following)
    hub.offer(frame(7))
    following.acknowledge(frame(7))
    following.say(b"an answer")
    following.start([Frame(G, 6, "ffffffff", b"")], is_asked=False)
    assert written == [], "of another history: it is read again"
    following.start([frame(7)], is_asked=False)
    assert [next(payloads(wire)) for wire in written] == [b"an answer"]
