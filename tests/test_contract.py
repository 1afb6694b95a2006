"""The public contract under attack: devices, spectators, drops, resends, races and changes of who may see, made up by
hypothesis, on two real servers with one store. Everybody must be told what a simple model says, and nothing else.
"""

import asyncio
import contextlib
from collections.abc import Coroutine

from attack import PLAYERS, Attack
from clients import COLUMNS, GUARD_S, Device
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from model import Played
from servers import serving
from system.rounds import SOAK_S, made_up, rounds

SHRINK = [Phase.shrink] if SOAK_S else []  # it takes minutes: longer than a test may
HOW = settings(made_up(25, 200), stateful_step_count=40, phases=[Phase.generate, *SHRINK])
SHORT_PATIENCE_S = 5.0
"""Once something was not told: else it would take an hour to make the example smaller."""

DEVICES = st.integers(0, len(PLAYERS) - 1)
SIGNED_IN = st.integers(0, 2)
GAMES = st.integers(0, 2)
CHOICES = st.integers(0, 2000)
BABBLE = ("", "{", "[]", '{"t":"dance"}', '{"t":"move"}', "\u0000", '{"t":"watch","g":5}')
AGO = st.sampled_from([0, 0, 0, 1, -1])
VISIBILITY = st.sampled_from(["public", "unlisted", "private"])


class Contract(RuleBasedStateMachine):
    """Each rule is done, and all that follows from it must have been told before the next one."""

    loop: asyncio.AbstractEventLoop
    devices: list[Device]
    patience_s: float

    def __init__(self) -> None:
        super().__init__()
        self.attack = Attack(self.devices)
        self.attack.hall.patience_s = self.patience_s

    def run(self, work: Coroutine[None, None, None]) -> None:
        async def all_of_it() -> None:
            await work
            await self.attack.settle()

        try:
            self.loop.run_until_complete(all_of_it())
        except AssertionError:
            type(self).patience_s = SHORT_PATIENCE_S
            raise

    def teardown(self) -> None:
        self.loop.run_until_complete(self.attack.end())

    def game(self, number: int) -> Played:
        return self.attack.games[number % len(self.attack.games)]

    def player_of(self, game: Played, far: bool) -> int:
        """A device of its player's, perhaps the one at the other server."""
        return 2 if game.owner else int(far)

    @initialize(visibility=VISIBILITY)
    def first_game(self, visibility):
        self.run(self.attack.deal(0, {"columns": COLUMNS}, visibility))

    @precondition(lambda self: len(self.attack.games) < 3)
    @rule(device=SIGNED_IN, wanted=st.sampled_from([{"columns": COLUMNS}, {"suits": 4}]), visibility=VISIBILITY)
    def deal(self, device, wanted, visibility):
        self.run(self.attack.deal(device, wanted, visibility))

    @rule(device=DEVICES, number=GAMES, since=st.sampled_from(["", "known", "known", "first", "wrong", "beyond"]))
    def watch(self, device, number, since):
        self.run(self.attack.watch(device, self.game(number), since))

    @rule(number=GAMES)
    def gather(self, number):
        """Everybody follows one game."""
        for device in range(len(PLAYERS)):
            self.run(self.attack.watch(device, self.game(number), "known"))

    @rule(device=DEVICES, number=GAMES)
    def leave(self, device, number):
        self.run(self.attack.leave(device, self.game(number)))

    @rule(number=GAMES, far=st.booleans(), choices=st.lists(CHOICES, min_size=1, max_size=6), ago=AGO)
    def command(self, number, far, choices, ago):
        """Commands that do not wait for one another, each on the version that the one before should lead to; or the
        first on one that is gone, or that is not there yet.
        """
        game = self.game(number)
        self.run(self.attack.commands(self.player_of(game, far), game, choices, ago))

    @rule(number=GAMES, far=st.booleans(), kinds=st.lists(st.sampled_from([0, 6, 6, 7, 8]), min_size=2, max_size=8))
    def take_back(self, number, far, kinds):
        """Many an undo, redo and restart."""
        game = self.game(number)
        self.run(self.attack.commands(self.player_of(game, far), game, kinds, 0))

    @rule(device=DEVICES, number=GAMES, choice=CHOICES)
    def meddle(self, device, number, choice):
        """A command to a game that is perhaps somebody else's; a look at it; or no message at all."""
        game = self.game(number)
        match choice % 3:
            case 0:
                self.run(self.attack.commands(device, game, [choice], 0))
            case 1:
                self.run(self.attack.read(device, game))
            case 2:
                self.run(self.attack.babble(device, BABBLE[choice % len(BABBLE)]))

    @rule(number=GAMES, far=st.booleans())
    def win(self, number, far):
        game = self.game(number)
        if game.columns(game.v) == COLUMNS:
            self.run(self.attack.win(self.player_of(game, far), game))

    @rule(number=GAMES, choices=st.tuples(CHOICES, CHOICES))
    def race(self, number, choices):
        """Two devices of one player, on two servers, decide on one version."""
        game = self.game(number)
        commands = [command for choice in choices if (command := game.legal(choice))]
        if game.owner == 0 and commands:
            self.run(self.attack.race(game, commands))

    @rule(device=DEVICES, with_a_word=st.booleans())
    def drop(self, device, with_a_word):
        if device in self.attack.wires:
            self.run(self.attack.drop(device, with_a_word))

    @rule(number=GAMES, far=st.booleans(), choice=CHOICES, at_once=st.booleans())
    def drop_and_send_again(self, number, far, choice, at_once):
        """A command without an answer: nobody knows whether it was done. It must be done once."""
        game = self.game(number)
        command = game.legal(choice)
        if command:
            self.run(self.attack.again(self.player_of(game, far), game, command, at_once))

    @rule(device=SIGNED_IN, number=GAMES, visibility=VISIBILITY)
    def show(self, device, number, visibility):
        self.run(self.attack.show(self.game(number), visibility, device))


async def signed_in(stack: contextlib.AsyncExitStack, urls: list[str]) -> list[Device]:
    """The devices, every second one at the other server."""
    devices = [await stack.enter_async_context(Device(urls[number % 2])) for number in range(len(PLAYERS))]
    await devices[0].me()
    await devices[2].me()
    devices[1].http.cookies.set("sid", devices[0].http.cookies["sid"])
    return devices


def test_everybody_is_told_what_the_contract_promises(server, store_url, tmp_path):
    with (
        serving(tmp_path / "words", "--redis-url", store_url, "--no-limits") as other,
        asyncio.Runner() as runner,
    ):
        stack = contextlib.AsyncExitStack()
        Contract.loop, Contract.patience_s = runner.get_loop(), GUARD_S
        Contract.devices = runner.run(signed_in(stack, [server.url, other.url]))
        try:
            for _ in rounds(1):
                run_state_machine_as_test(Contract, settings=HOW)
        finally:
            runner.run(stack.aclose())
