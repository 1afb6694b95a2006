"""Games as files: the same bytes on the way out and back, every step checked, the wrong one told by its number."""

import io
import json

import msgspec
import pytest
from hypothesis import given
from stories import EXAMPLE, EXAMPLE_WIN, SORTED, SORTED_WIN, logs, told

from simplesimon.__main__ import main
from simplesimon.bodies import Log
from simplesimon.diffs import logged
from simplesimon.errors import BadFile
from simplesimon.game import Dealt, Restarted, Undone
from simplesimon.gamefile import file_bytes, file_name, file_of, parse_file, replay
from simplesimon.rules.deal import deal_from_code
from simplesimon.wording import LANGUAGES, TEXTS, language_for, wording
from simplesimon.written import written

WON = [EXAMPLE, *EXAMPLE_WIN]
DEALT = Dealt(deal_from_code("SS1-S1-AAAAABD"))
CODED = [DEALT, Restarted(), Undone()]


def log_of(events):
    deal, last = events[0].deal, told(events)
    lines = [logged(v, 1796000000000 + 500 * (v - 1), event) for v, event in enumerate(events, 1)]
    return Log("some game", deal.code, deal.lines, lines, last.chain.hex())


def file(events):
    return file_of(log_of(events))


def changed(events, number, text):
    """The file of these events with another line for one of them; the chain is left as it was."""
    lines = list(file(events).events)
    lines[number - 1 : number] = [text] if text else []
    return msgspec.structs.replace(file(events), events=lines)


def refusal(wrong, latest=None):
    with pytest.raises(BadFile) as error:
        list(replay(wrong, latest))
    return str(error.value)


@given(logs())
def test_every_game_comes_back_from_its_file(events):
    content = file_bytes(file(events))
    known = parse_file(content)
    assert [event for event, _ in replay(known)] == events
    assert [history for _, history in replay(known)][-1] == told(events)
    assert file_bytes(known) == content


def test_a_file_is_json_that_lives_as_long_as_the_format():
    assert file_bytes(file(CODED)).decode() == (
        '{\n "simplesimon": 1,\n "code": "SS1-S1-AAAAABD",\n "columns": [\n'
        + ",\n".join(f'  "{line}"' for line in DEALT.deal.lines)
        + '\n ],\n "events": [\n  "1 1796000000000 deal SS1-S1-AAAAABD",\n  "2 1796000000500 restart",\n'
        f'  "3 1796000001000 undo"\n ],\n "chain": "{told(CODED).chain.hex()}"\n}}\n'
    )
    assert file_name(log_of(CODED), "json") == "simple-simon-SS1-S1-AAAAABD-v3.json"
    assert file_name(log_of(WON), "txt") == "simple-simon-deal-v60.txt"


@pytest.mark.parametrize(
    ("number", "text", "detail"),
    [
        (2, "2 1796000000500 move 9 1 5", "the rules forbid it, wrong_rank, 5D onto QH"),
        (2, "2 1796000000500 move 9 2 6", "the rules forbid it, no_such_cards, 5D onto 6D"),
        (2, "2 1796000000500 move 9 0 6", "the rules forbid it, no_such_cards, no card onto 6D"),
        (2, "2 1796000000500 move 10 1 6", "the rules forbid it, no_such_column"),
        (2, "2 1796000000500 undo", "the rules forbid it, nothing_to_undo"),
        (2, "2 1796000000500 redo", "the rules forbid it, nothing_to_redo"),
        (61, "61 1796000090000 restart", "the rules forbid it, game_over"),
        (4, "", "event 4 ('5 1796000002000 move 5 1 9') cannot be: it says that it is event 5"),
        (3, "3 1796000000499 move 2 1 9", "before the one before, at 1796000000500"),
        (3, "3 1796000001000 deal SS1-S1-AAAAABD", "a game is dealt once"),
        (1, "1 1796000000000 restart", "a game begins with its deal"),
        (1, "1 1796000000000 deal SS1-S9-AAAAABD", "a deal that cannot be"),
        (1, "1 1796000000000 deal SS1-S1-AAAAABD", "`code` and `columns` are not those of the deal"),
        (3, "3 1796000001000 jump 2 1 9", "no line of an event"),
        (3, "3 1796000001000 move 2 1", "no line of an event"),
        (3, "3 1796000001000 move 02 1 9", "the line of this event is '3 1796000001000 move 2 1 9'"),
        (3, "3 1796000001000 move ² 1 9", "'²' is no number"),
        (3, "3 -1 move 2 1 9", "'-1' is no number"),
        (3, "3 1234567890123456 move 2 1 9", "is no number"),
        (3, "", "the events lead to the chain value"),
    ],
)
def test_the_event_that_is_wrong_is_named(number, text, detail):
    events = WON[:3] if detail.startswith("the events") else WON
    wrong = changed(events, number, text)
    assert detail in refusal(wrong)
    if "lead" not in detail and "columns" not in detail:
        assert refusal(wrong).startswith(f"event {number} (")


def test_a_game_that_was_not_played_yet_is_none():
    assert refusal(file(WON), latest=1796000000999).startswith("event 3 (")
    assert list(replay(file(WON[:2]), latest=1796000000500))


def test_another_format_and_a_file_without_events_are_told():
    assert "format 2" in refusal(msgspec.structs.replace(file(WON), simplesimon=2))
    assert "no events" in refusal(msgspec.structs.replace(file(WON), events=[]))


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"\xff", b'{"simplesimon": 1}', b"[" * 5000, b'{"columns": "\\ud800"}']
)
def test_what_is_no_file_is_told(content):
    with pytest.raises(BadFile, match="this is no file of a game"):
        parse_file(content)


# The command line


def test_a_file_is_replayed_to_its_final_score(tmp_path, capsys):
    path = tmp_path / "game.json"
    for events, ended in [
        (WON, "841 points, 59 moves, won (version 60)"),
        ([SORTED, SORTED_WIN[0]], "599 points, 1 move, not finished (version 2)"),
    ]:
        path.write_bytes(file_bytes(file(events)))
        assert main(["replay", str(path)]) == 0
        assert capsys.readouterr().out == ended + "\n"


def test_a_file_can_come_through_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file_bytes(file(WON)))))
    assert main(["replay", "-"]) == 0
    assert capsys.readouterr().out.startswith("841 points")


def test_a_game_of_20000_events_is_replayed(tmp_path, capsys):
    path = tmp_path / "game.json"
    events = [SORTED, *[Restarted(), Undone()] * 10_000]
    path.write_bytes(file_bytes(file(events)))
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == "500 points, 0 moves, not finished (version 20001)\n"


@pytest.mark.parametrize(
    ("content", "told_in_one_line"),
    [
        (file_bytes(changed(WON, 2, "2 1796000000500 move 9 1 5")), "event 2 ('2 1796000000500 move 9 1 5')"),
        (b"a game", "no file of a game"),
        (json.dumps({"simplesimon": 1}).encode(), "no file of a game"),
        (None, "No such file"),
    ],
)
def test_a_wrong_file_ends_with_one_line_and_status_2(content, told_in_one_line, tmp_path, capsys):
    path = tmp_path / "game.json"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    said = capsys.readouterr()
    [line] = said.err.splitlines()
    assert said.out == ""
    assert line.startswith("simplesimon: ")
    assert told_in_one_line in line


# Written out


def test_a_game_is_written_out_in_both_languages():
    lines = written(replay(file(WON)), wording("en")).splitlines()
    assert lines[:3] == ["Simple Simon, 4 suits", "841 points, 59 moves, won", "2026-11-30 00:53:20 UTC + 0:00:29"]
    assert lines[5] == "     1  AS KH AC 4D KD 6C TH 4C"
    assert "     2   0:00:00    499  10 → 7   5D" in lines
    assert "    59   0:00:29    742   2 → 3   3D 2D AD; the sequence KD … AD leaves" in lines
    assert lines[-1] == f"SHA-256  {told(WON).chain.hex()}"
    assert "841 πόντοι, 59 κινήσεις, κερδήθηκε" in written(replay(file(WON)), wording("el"))


def test_a_game_that_is_not_finished_ends_with_its_table():
    text = written(replay(file([SORTED, SORTED_WIN[0], Undone()])), wording("en"))
    assert "500 points, 0 moves, not finished" in text
    assert "     3   0:00:01    500  undo\n" in text
    assert text.count("     1  " + SORTED.deal.lines[0]) == 2
    only_dealt = written(replay(file([SORTED])), wording("en"))
    assert "What happened" not in only_dealt


def test_both_languages_have_the_same_texts():
    values = {"n": 2, "score": 5, "cards": "KS", "name": "Ann", "code": "SS1", "suits": "4"}
    assert TEXTS["en"].keys() == TEXTS["el"].keys()
    for key in TEXTS["en"]:
        for n in (1, 2):
            english, greek = (wording(language)(key, **values | {"n": n}) for language in LANGUAGES)
            assert english != greek


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("el", "el"),
        ("el-GR,el;q=0.9,en;q=0.8", "el"),
        ("en-US,en;q=0.9,el;q=0.8", "en"),
        ("fr, el;q=0.5, en;q=0.7", "en"),
        ("el;q=0", "en"),
        ("EL", "el"),
        ("de", "en"),
        ("el;q=much", "en"),
        (";;,,=", "en"),
    ],
)
def test_the_language_is_the_one_that_is_wanted_most(accepted, language):
    assert language_for(accepted) == language
