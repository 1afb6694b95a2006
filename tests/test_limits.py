"""The pace of one socket: ten messages a second, forty at once; some more wait, the rest is too much."""

from simplesimon.limits import MESSAGES_AT_ONCE, MESSAGES_LATE, STRIKES, Pace


def test_forty_messages_at_once_are_handled_at_once():
    pace = Pace(is_limited=True)
    assert [pace.delay() for _ in range(MESSAGES_AT_ONCE)] == [0] * MESSAGES_AT_ONCE


def test_a_few_more_wait_one_after_the_other_then_it_is_too_much():
    pace = Pace(is_limited=True)
    delays = [pace.delay() or 0 for _ in range(MESSAGES_AT_ONCE + MESSAGES_LATE)][MESSAGES_AT_ONCE:]
    assert delays == sorted(delays)
    assert all(0 < delay <= 1 for delay in delays)
    assert pace.delay() is None


def test_a_refused_message_does_not_count_as_sent():
    pace = Pace(is_limited=True)
    for _ in range(MESSAGES_AT_ONCE + MESSAGES_LATE):
        pace.delay()
    busy_until = pace._busy_until
    assert pace.delay() is None
    assert pace._busy_until == busy_until


def test_the_third_refusal_is_flooding():
    pace = Pace(is_limited=True)
    for _ in range(MESSAGES_AT_ONCE + MESSAGES_LATE + STRIKES - 1):
        pace.delay()
    assert not pace.is_flooding
    assert pace.delay() is None
    assert pace.is_flooding


def test_without_limits_nothing_is_too_much():
    pace = Pace(is_limited=False)
    assert {pace.delay() for _ in range(1000)} == {0}
    assert not pace.is_flooding
