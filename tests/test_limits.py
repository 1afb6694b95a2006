"""How much one caller may ask for: the pace of one socket, how many sockets there are, and how fast they come."""

import contextlib

import pytest

from simplesimon import limits
from simplesimon.errors import TooFast
from simplesimon.limits import (
    HANDSHAKES_AT_ONCE,
    MESSAGES_AT_ONCE,
    MESSAGES_LATE,
    SOCKETS_A_PLAYER,
    SOCKETS_AN_ADDRESS,
    STRIKES,
    Gate,
    Pace,
    Turnstile,
)


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


def enter(gate, address="192.0.2.1", player_id=None):
    with gate.entering(address, player_id) as place:
        return place


def test_an_address_has_fifty_sockets_and_another_one_when_one_is_gone():
    gate = Gate(is_limited=True)
    places = [enter(gate) for _ in range(SOCKETS_AN_ADDRESS)]
    with pytest.raises(TooFast, match=r"192\.0\.2\.1 has 50 sockets"):
        enter(gate)
    enter(gate, "192.0.2.2")
    gate.leave(places.pop())
    enter(gate)


def test_a_player_has_twenty_sockets_wherever_they_come_from():
    gate = Gate(is_limited=True)
    places = [enter(gate, f"192.0.2.{number % 2}", "ann") for number in range(SOCKETS_A_PLAYER)]
    with pytest.raises(TooFast, match="player ann has 20 sockets"):
        enter(gate, "192.0.2.7", "ann")
    enter(gate, "192.0.2.7", "bob")
    gate.leave(places.pop())
    enter(gate, "192.0.2.7", "ann")


def test_a_refused_or_failed_socket_holds_no_place():
    gate = Gate(is_limited=True)
    places = [enter(gate, player_id="ann") for _ in range(SOCKETS_A_PLAYER)]
    for _ in range(SOCKETS_AN_ADDRESS):
        with contextlib.suppress(TooFast):
            enter(gate, player_id="ann")
        with contextlib.suppress(ConnectionError), gate.entering("192.0.2.1", "bob"):
            raise ConnectionError
    places += [enter(gate, player_id="bob") for _ in range(SOCKETS_A_PLAYER)]
    for place in places:
        gate.leave(place)
    assert gate._held == {}


def test_the_network_of_an_ipv6_customer_is_one_address():
    gate = Gate(is_limited=True)
    for number in range(SOCKETS_AN_ADDRESS):
        enter(gate, f"2001:db8:0:1:{number:x}::1")
    with pytest.raises(TooFast):
        enter(gate, "2001:db8:0:1:ffff::1")
    enter(gate, "2001:db8:0:2::1")
    enter(gate, "made up by a proxy")


def test_handshakes_come_all_at_once_and_then_five_a_second(monkeypatch):
    now = 1000.0
    monkeypatch.setattr("simplesimon.limits.time.monotonic", lambda: now)
    gate = Gate(is_limited=True)
    for _ in range(HANDSHAKES_AT_ONCE):
        gate.check_pace("192.0.2.1")
    with pytest.raises(TooFast, match="5 new sockets a second"):
        gate.check_pace("192.0.2.1")
    gate.check_pace("192.0.2.2")
    now += 1.01
    for _ in range(5):
        gate.check_pace("192.0.2.1")
    with pytest.raises(TooFast):
        gate.check_pace("192.0.2.1")


def test_addresses_that_are_quiet_again_are_forgotten(monkeypatch):
    now = 1000.0
    monkeypatch.setattr("simplesimon.limits.time.monotonic", lambda: now)
    monkeypatch.setattr(limits, "_REMEMBERED", 8)
    turnstile = Turnstile(is_limited=True, a_second=5, at_once=50, what="sockets")
    for number in range(100):
        turnstile.check(f"192.0.2.{number}")
        now += 0.1
    assert len(turnstile._busy_until) <= 9


def test_without_limits_there_is_no_end_of_sockets():
    gate = Gate(is_limited=False)
    for _ in range(200):
        gate.check_pace("192.0.2.1")
        enter(gate, player_id="ann")
