"""A game from its deal to its win: score, undo, redo, restart, told as stories and as properties."""

import pytest
from stories import (
    EXAMPLE,
    EXAMPLE_WIN,
    SORTED,
    SORTED_WIN,
    SPADES_LEAVE,
    command_for,
    game,
    moved,
    refusal,
    to_and_fro,
    when,
)

from simplesimon.game import (
    UNDO_LIMIT,
    Game,
    Play,
    Redo,
    Redone,
    Restart,
    Restarted,
    Undo,
    Undone,
    decide,
    evolve,
    start,
)
from simplesimon.rules.position import Move

ANOTHER = moved("9 1 1")[0]


def lines(now: Game) -> list[str]:
    return [" ".join(card.text for card in column) for column in now.state.position.columns]


def figures(now: Game) -> tuple[int, int, str]:
    return now.state.score, now.state.moves, now.state.off


# The score


def test_a_game_starts_at_500_with_nothing_to_undo_or_redo():
    assert figures(game([SORTED])) == (500, 0, "")
    assert game([SORTED]).version == 1
    assert refusal([SORTED], Undo()) == "nothing_to_undo"
    assert refusal([SORTED], Redo()) == "nothing_to_redo"


def test_a_move_costs_a_point():
    assert when([SORTED], Play(ANOTHER.move)) == ANOTHER
    assert figures(game([SORTED, ANOTHER])) == (499, 1, "")


def test_a_removed_sequence_gives_100_and_is_no_move():
    now = game([SORTED, SPADES_LEAVE])
    assert figures(now) == (599, 1, "S")
    assert lines(now)[0] == lines(now)[5] == ""


def test_the_example_is_won_in_59_moves_with_841_points():
    now = game([EXAMPLE, *EXAMPLE_WIN])
    assert figures(now)[:2] == (841, 59)
    assert now.state.is_won
    assert sorted(now.state.off) == sorted("SHDC")
    assert lines(now) == [""] * 10


def test_the_suits_of_the_removed_sequences_stand_in_their_order():
    assert figures(game([SORTED, *SORTED_WIN])) == (894, 6, "SCHD")


def test_the_score_goes_below_zero():
    now = start(SORTED)
    for event in to_and_fro(501):
        now = evolve(now, decide(now, command_for(event)))
    assert figures(now) == (-1, 501, "")


# Refusals


def test_what_the_position_refuses_is_refused():
    assert refusal([SORTED], Play(Move(9, 1, 9))) == "same_column"
    assert refusal([SORTED], Play(Move(9, 1, 3))) == "wrong_rank"


@pytest.mark.parametrize("command", [Play(Move(0, 1, 1)), Play(Move(-1, 0, -1)), Undo(), Redo(), Restart()], ids=repr)
def test_a_won_game_takes_no_more_actions(command):
    assert refusal([SORTED, *SORTED_WIN], command) == "game_over"


def test_three_sequences_are_no_win():
    assert when([SORTED, *SORTED_WIN[:-1]], Undo()) == Undone()
    assert not game([SORTED, *SORTED_WIN[:-1]]).state.is_won


def test_a_game_is_dealt_once():
    with pytest.raises(ValueError, match="dealt once"):
        evolve(start(SORTED), SORTED)


# Undo and redo


def test_undo_takes_score_and_moves_back():
    assert when([SORTED, ANOTHER], Undo()) == Undone()
    now = game([SORTED, ANOTHER, Undone()])
    assert now.state == game([SORTED]).state
    assert now.version == 3


def test_undo_brings_a_removed_sequence_back():
    given = [SORTED, *SORTED_WIN[:4]]
    assert figures(game(given)) == (796, 4, "SCH")
    assert when(given, Undo()) == Undone()
    assert game([*given, Undone()]).state == game(given[:-1]).state


def test_redo_replays_what_was_undone_and_the_sequence_leaves_again():
    given = [SORTED, ANOTHER, SPADES_LEAVE, Undone(), Undone()]
    assert when(given, Redo()) == Redone()
    assert figures(game([*given, Redone()])) == (499, 1, "")
    assert figures(game([*given, Redone(), Redone()])) == (598, 2, "S")
    assert refusal([*given, Redone(), Redone()], Redo()) == "nothing_to_redo"


def test_undo_and_redo_are_no_actions_themselves():
    given = [SORTED, ANOTHER, Undone(), Redone(), Undone(), Redone()]
    assert game(given).state == game([SORTED, ANOTHER]).state
    assert refusal([*given, Undone()], Undo()) == "nothing_to_undo"


def test_undo_reaches_back_100_actions_and_the_101st_is_refused():
    moves = to_and_fro(101)
    given = [SORTED, *moves, *[Undone()] * 100]
    assert refusal(given, Undo()) == "nothing_to_undo"
    assert game(given).state == game([SORTED, moves[0]]).state
    assert len(game(given).future) == 100
    assert game([*given, *[Redone()] * 100]).state == game([SORTED, *moves]).state


def test_100_actions_can_all_be_undone():
    assert game([SORTED, *to_and_fro(100), *[Undone()] * 100]).state == game([SORTED]).state


def test_another_move_loses_the_redo():
    given = [SORTED, *to_and_fro(2), Undone(), Undone(), SPADES_LEAVE]
    assert refusal(given, Redo()) == "nothing_to_redo"


def test_repeating_by_hand_what_was_undone_keeps_the_rest_of_the_redo():
    there, back, again = to_and_fro(3)
    undone = [SORTED, there, back, again, Undone(), Undone(), Undone()]
    assert when([*undone, there], Redo()) == Redone()
    assert game([*undone, there, Redone(), Redone()]).state == game([SORTED, there, back, again]).state
    assert len(game([*undone, there, back]).future) == 1
    assert refusal([*undone, there, back, again], Redo()) == "nothing_to_redo"


def test_a_move_of_the_same_cards_elsewhere_is_not_a_repetition():
    given = [SORTED, ANOTHER, Undone(), *moved("9 1 2")]
    assert refusal(given, Redo()) == "nothing_to_redo"


def test_a_repetition_is_one_of_the_100_like_any_action():
    moves = to_and_fro(101)
    given = [SORTED, *moves, Undone(), moves[-1]]
    assert len(game(given).past) == UNDO_LIMIT
    assert refusal([*given, *[Undone()] * 100], Undo()) == "nothing_to_undo"


# Restart


def test_restart_deals_the_same_cards_at_500_points():
    given = [SORTED, ANOTHER, SPADES_LEAVE]
    assert when(given, Restart()) == Restarted()
    now = game([*given, Restarted()])
    assert figures(now) == (500, 0, "")
    assert lines(now) == SORTED.deal.lines
    assert now.version == 4


def test_undo_of_a_restart_brings_back_position_score_and_undo_history():
    given = [SORTED, ANOTHER, SPADES_LEAVE]
    now = game([*given, Restarted(), Undone()])
    assert now.state == game(given).state
    assert figures(now) == (598, 2, "S")
    assert now.past == game(given).past
    assert game([*given, Restarted(), Undone(), Undone(), Undone()]).state == game([SORTED]).state


def test_redo_restarts_again():
    given = [SORTED, ANOTHER, Restarted(), ANOTHER, Undone(), Undone()]
    assert figures(game([*given, Redone()])) == (500, 0, "")
    assert game([*given, Redone(), Redone()]).state == game([SORTED, ANOTHER]).state


def test_restarting_by_hand_after_its_undo_keeps_the_rest_of_the_redo():
    given = [SORTED, SPADES_LEAVE, Restarted(), ANOTHER, Undone(), Undone()]
    assert when([*given, Restarted()], Redo()) == Redone()
    assert game([*given, Restarted(), Redone()]).state == game([SORTED, ANOTHER]).state


def test_a_restart_where_a_move_was_undone_loses_the_redo():
    given = [SORTED, ANOTHER, Undone(), Restarted()]
    assert refusal(given, Redo()) == "nothing_to_redo"
    assert when(given, Undo()) == Undone()


def test_a_move_where_a_restart_was_undone_loses_the_redo():
    assert refusal([SORTED, ANOTHER, Restarted(), Undone(), SPADES_LEAVE], Redo()) == "nothing_to_redo"


def test_an_untouched_game_may_be_restarted():
    assert when([SORTED], Restart()) == Restarted()
    assert len(game([SORTED, Restarted()]).past) == 1


def test_a_restart_counts_as_one_of_the_100():
    moves = to_and_fro(60)
    given = [SORTED, *moves, Restarted(), *moves]
    now = game([*given, *[Undone()] * 100])
    assert refusal([*given, *[Undone()] * 100], Undo()) == "nothing_to_undo"
    assert now.state == game([SORTED, *moves[:21]]).state
