"""The checker itself: a sound run has no fault, and each kind of fault is found in one that has it."""

from dataclasses import replace

import pytest
from system.checker import Asked, Told, chain, faults

G = "AAAAAAAAAAAA"
ACTIONS = ["deal SS1-S1-AAAAABD", "move 9 1 0", "undo", "redo", "move 3 2 5", "restart"]


def lines_of(actions):
    return [f"{v} {1796000000000 + v} {action}" for v, action in enumerate(actions, 1)]


class Run:
    """A player who made five actions, all acknowledged, and a spectator who lost a connection."""

    def __init__(self):
        self.lines = lines_of(ACTIONS)
        self.asked = [Asked(G, v, action) for v, action in enumerate(ACTIONS[1:], 1)]
        cs = [value[:8] for value in chain(self.lines)]
        told = [Told(G, v, c, "state" if v in (1, 6) else "diff") for v, c in enumerate(cs, 1)]
        self.told = {
            ("player", 0): told,
            ("spectator", 0): told[:3],
            ("spectator", 1): [replace(told[2], kind="since"), *told[3:]],
        }
        self.chain = chain(self.lines)[-1]

    def kinds(self):
        return {kind for kind, _ in faults(self.asked, self.told, {G: self.lines}, {G: self.chain})}

    def rewrite(self, actions):
        """The log is another one, and so is all that anybody is told."""
        kinds = [told.kind for told in self.told["player", 0]] + ["diff"] * len(actions)
        self.lines = lines_of(actions)
        self.chain = chain(self.lines)[-1]
        cs = [value[:8] for value in chain(self.lines)]
        self.told = {("player", 0): [Told(G, v, c, kinds[v - 1]) for v, c in enumerate(cs, 1)]}


def test_a_sound_run_has_no_fault():
    assert Run().kinds() == set()


def test_a_command_without_an_answer_may_be_in_the_log_or_not():
    run = Run()
    run.asked.append(Asked(G, 6, "undo"))
    assert run.kinds() == set()
    run.rewrite([*ACTIONS, "undo"])
    assert run.kinds() == set()


def test_an_acknowledged_event_that_is_not_in_the_log_is_lost():
    run = Run()
    run.lines.pop()
    run.chain = chain(run.lines)[-1]
    assert run.kinds() == {"lost", "behind"}


def test_all_that_was_acknowledged_is_lost_with_the_game():
    run = Run()
    assert {kind for kind, _ in faults(run.asked, run.told, {}, {})} == {"lost", "behind"}


def test_a_command_that_is_in_the_log_twice_is_doubled():
    run = Run()
    run.rewrite([*ACTIONS[:5], ACTIONS[4], ACTIONS[5]])
    assert "doubled" in run.kinds()


def test_two_events_that_changed_places_are_reordered():
    run = Run()
    run.rewrite([*ACTIONS[:3], ACTIONS[4], ACTIONS[3], ACTIONS[5]])
    assert run.kinds() == {"reordered"}


def test_an_event_that_nobody_asked_for_is_invented():
    run = Run()
    run.rewrite([*ACTIONS, "move 7 1 8"])
    assert run.kinds() == {"invented"}


def test_an_event_that_nobody_asked_for_is_invented_also_when_nobody_was_told():
    run = Run()
    del run.asked[2]
    assert run.kinds() == {"invented"}


def test_a_log_that_leaves_a_version_out_has_a_gap():
    run = Run()
    del run.lines[3]
    assert "gap" in run.kinds()


def test_a_log_whose_chain_is_not_of_its_lines_is_broken():
    run = Run()
    run.chain = "0" * 64
    assert run.kinds() == {"broken"}


def test_two_histories_at_one_version_are_a_fork():
    run = Run()
    run.told["spectator", 1][1] = replace(run.told["spectator", 1][1], c="00000000")
    assert run.kinds() == {"fork"}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda heard: heard[:2] + heard[3:], "gap"),
        (lambda heard: heard[1:], "gap"),
        (lambda heard: [*heard[:3], *heard[2:]], "doubled"),
        (lambda heard: [*heard[:2], heard[3], heard[2], *heard[4:]], "reordered"),
    ],
)
def test_what_one_connection_is_told_is_in_order_each_once_without_a_gap(change, kind):
    run = Run()
    run.told["player", 0] = change(run.told["player", 0])
    assert kind in run.kinds()


def test_a_state_may_stand_in_for_what_was_missed():
    run = Run()
    heard = run.told["player", 0]
    run.told["player", 0] = [heard[0], heard[1], replace(heard[4], kind="state"), heard[5]]
    assert run.kinds() == set()


def test_a_follower_that_does_not_come_to_the_end_is_behind():
    run = Run()
    run.told["spectator", 1].pop()
    assert run.kinds() == {"behind"}


def test_a_follower_that_ends_with_another_history_is_behind_too():
    run = Run()
    run.told["spectator", 1][-1] = replace(run.told["spectator", 1][-1], c="00000000")
    assert run.kinds() == {"fork", "behind"}
