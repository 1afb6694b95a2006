"""The wire: what is read, what is refused, and how what is written looks, to the byte."""

import contextlib
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simplesimon.errors import BadMessage
from simplesimon.messages import (
    ClientMessage,
    ErrorMessage,
    Hello,
    Leave,
    Lobby,
    MoveCommand,
    MoveDiff,
    Ping,
    Pong,
    RedoCommand,
    RefusedMessage,
    RestartCommand,
    ServerMessage,
    Stale,
    Synced,
    UndoCommand,
    UndoDiff,
    Unlisted,
    Watch,
    Watching,
    Who,
    encode,
    parse,
)

G = "AAAAAAAAAAAA"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"t":"watch","g":"AAAAAAAAAAAA"}', Watch(G)),
        ('{"t":"watch","g":"AAAAAAAAAAAA","since":7}', Watch(G, 7)),
        ('{"t":"watch","g":"AAAAAAAAAAAA","since":7,"c":"9f3a01bc"}', Watch(G, 7, "9f3a01bc")),
        ('{"t":"watch","g":"AAAAAAAAAAAA","since":null,"c":null}', Watch(G)),
        ('{"g":"AAAAAAAAAAAA","t":"leave"}', Leave(G)),
        ('{"t":"move","g":"AAAAAAAAAAAA","v":17,"m":[3,2,5]}', MoveCommand(G, 17, (3, 2, 5))),
        ('{"t":"undo","g":"AAAAAAAAAAAA","v":17}', UndoCommand(G, 17)),
        ('{"t":"redo","g":"AAAAAAAAAAAA","v":17}', RedoCommand(G, 17)),
        ('{"t":"restart","g":"AAAAAAAAAAAA","v":17,"why":"?"}', RestartCommand(G, 17)),
        (' {"t" : "lobby", "on" : true } ', Lobby(on=True)),
        ('{"t":"ping","n":1}', Ping(1)),
    ],
)
def test_a_message_of_the_contract_is_read(text, message):
    assert parse(text) == message


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (Hello(None), '{"t":"hello","player":null}'),
        (Hello(Who("a", "Άννα")), '{"t":"hello","player":{"id":"a","name":"Άννα"}}'),
        (
            MoveDiff(G, 2, (9, 1, 0), 499, 1, "9f3a01bc"),
            '{"t":"move","g":"AAAAAAAAAAAA","v":2,"m":[9,1,0],"score":499,"moves":1,"c":"9f3a01bc"}',
        ),
        (
            UndoDiff(G, 2, (9, 1, 0), 499, 1, "9f3a01bc", "S"),
            '{"t":"undo","g":"AAAAAAAAAAAA","v":2,"m":[9,1,0],"score":499,"moves":1,"c":"9f3a01bc","off":"S"}',
        ),
        (Synced(G, 2), '{"t":"synced","g":"AAAAAAAAAAAA","v":2}'),
        (Stale(G, 2), '{"t":"stale","g":"AAAAAAAAAAAA","v":2}'),
        (RefusedMessage(G, 2, "onto_ace"), '{"t":"refused","g":"AAAAAAAAAAAA","v":2,"rule":"onto_ace"}'),
        (
            RefusedMessage(G, 2, "onto_ace", (1, 1, 2)),
            '{"t":"refused","g":"AAAAAAAAAAAA","v":2,"rule":"onto_ace","m":[1,1,2]}',
        ),
        (Watching(G, 3), '{"t":"watching","g":"AAAAAAAAAAAA","n":3}'),
        (Unlisted(G), '{"t":"unlisted","g":"AAAAAAAAAAAA"}'),
        (ErrorMessage("too_fast", "wait"), '{"t":"error","code":"too_fast","detail":"wait"}'),
        (ErrorMessage("x", "y", G), '{"t":"error","code":"x","detail":"y","g":"AAAAAAAAAAAA"}'),
        (Pong(1), '{"t":"pong","n":1}'),
    ],
)
def test_a_message_is_written_without_spaces_in_the_order_of_the_contract(message, text):
    assert encode(message).decode() == text
    assert msgspec.json.decode(text, type=ServerMessage) == message


def test_every_message_begins_with_its_kind_its_game_and_its_version():
    for kind in (*get_args(ClientMessage), *get_args(ServerMessage)):
        fields = [field.encode_name for field in msgspec.structs.fields(kind)]
        assert kind.__struct_config__.tag_field == "t"
        if "g" in fields and kind is not ErrorMessage:
            assert fields[0] == "g"
            assert "v" not in fields or fields[1] == "v"


@given(st.one_of(st.text(), st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(repr)))
def test_whatever_else_comes_is_a_bad_message(text):
    with pytest.raises(BadMessage):
        parse(text)


VALUES = st.none() | st.integers() | st.text() | st.lists(st.integers(), max_size=4) | st.sampled_from(["move", "ping"])


@given(st.dictionaries(st.sampled_from(["t", "g", "v", "m", "since", "c", "on", "n"]), VALUES))
def test_an_object_is_a_message_or_a_bad_one(fields):
    with contextlib.suppress(BadMessage):
        assert isinstance(parse(encode(fields).decode()), get_args(ClientMessage))
