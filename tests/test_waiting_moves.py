"""Moves that a device keeps through a reload: none goes without a word, whatever the server can tell of the game."""

from javascript import run
from stories import EXAMPLE, EXAMPLE_WIN

COLUMNS = list(EXAMPLE.deal.lines)
WIN = [{"t": "move", "m": [move.source, move.count, move.target]} for move in (won.move for won in EXAMPLE_WIN[:6])]
OTHER = {"t": "move", "m": [0, 1, 3]}

PAGE = """
    const storage = Object.create({
        getItem(name) { return this[name] ?? null; },
        setItem(name, value) { this[name] = value; },
        removeItem(name) { delete this[name]; },
    });
    Object.defineProperty(globalThis, "localStorage", { value: storage });
    globalThis.window = new EventTarget();
    const isOf = (kind) => (name) => name.startsWith(`simplesimon.${kind}.G.`);
    const kept = (kind) => Object.keys(storage).filter(isOf(kind)).sort().map((name) => JSON.parse(storage[name]));

    const { deal, evolve } = await load("rules.js");
    const gameAfter = (commands) => commands.reduce(evolve, deal(columns));
    const chainOf = (commands) => `c${JSON.stringify(commands)}`;
    const stateAfter = (commands) => {
        const { version: v, columns: now, off, score, moves, undo, redo, won } = gameAfter(commands);
        return { t: "state", g: "G", v, code: null, suits: 4, columns: now, off, score, moves, undo, redo, won,
            by: { id: "P", name: "P" }, mine: true, watching: 0, visibility: "unlisted", at: v, c: chainOf(commands) };
    };
    const diffOf = (commands) => {
        const { version: v, score, moves } = gameAfter(commands);
        return { ...commands.at(-1), g: "G", v, score, moves, c: chainOf(commands) };
    };
    const wait = (commands, after) => {
        storage["simplesimon.waiting.G.0"] = JSON.stringify({ v: after.length + 1, c: chainOf(after), commands });
    };

    let log = null;
    const events = (commands) => [{ t: "deal" }, ...commands].map((event, i) => ({ ...event, v: i + 1, at: i }));
    let isCut = false, modules = 0;
    const moduleThatComesLater = () => {
        modules++;
        return new Response(null, { status: isCut ? 503 : 200 });
    };
    globalThis.fetch = async (asked) =>
        asked instanceof URL ? moduleThatComesLater() :
        log ? Response.json({ g: "G", code: null, columns, events: events(log), chain: "" }) :
              Response.json({ code: "unavailable", detail: "" }, { status: 503 });

    const { Play } = await load("play.js");
    const later = [];
    globalThis.setTimeout = (act) => later.push(act);
    globalThis.clearTimeout = () => {};
    const open = (snapshot) => {
        const sent = [], told = [];
        let offer, tell;
        const isOffered = new Promise((resolve) => (offer = resolve));
        const isTold = new Promise((resolve) => (tell = resolve));
        const voice = { tell: ({ shown }) => tell(told.push(shown)), announce: () => {}, hush: () => {} };
        const connection = { status: "live", send: (frame) => sent.push(frame) };
        const preferences = { settings: { interactive_rules: true } };
        const play = new Play(snapshot, { connection, voice, preferences, draw: () => {}, offer });
        const synced = () => play.receive({ t: "synced", g: "G", v: play.state.head.version });
        play.follow();
        return { play, sent, told, isOffered, isTold, synced, connection };
    };
    const overtaken = () => {
        const opened = open(stateAfter([win[0]]));
        const { play, synced, connection } = opened;
        synced();
        connection.status = "reconnecting";
        for (const command of win.slice(1, 3)) play.do(command);
        connection.status = "live";
        play.follow();
        play.receive(diffOf([win[0], other]));
        return opened;
    };
    const moved = (frames) => frames.filter((frame) => frame.t !== "watch");
    const until = async (holds) => {
        while (!holds()) await new Promise((resolve) => setImmediate(resolve));
    };
"""


def page(script, **given):
    return run(PAGE + script, columns=COLUMNS, win=WIN, other=OTHER, **given)


def test_moves_wait_until_the_past_tells_which_of_them_were_taken():
    found = page("""
        wait(win.slice(0, 5), []);
        const { play, sent, synced } = open(stateAfter(win.slice(0, 2)));
        play.resume();
        synced();
        await until(() => later.length > 0);
        const without = [kept("waiting")[0].commands.length, moved(sent).length];
        log = win.slice(0, 2);
        later.splice(0).forEach((act) => act());
        synced();
        await until(() => moved(sent).length > 0 && kept("waiting")[0].v === 3);
        return [without, moved(sent), kept("waiting").length, kept("lost")];
    """)
    frames = [{**command, "g": "G", "v": v} for v, command in enumerate(WIN[2:5], 3)]
    assert found == [[5, 0], frames, 1, []]


def test_what_comes_meanwhile_leaves_them_where_they_are():
    found = page("""
        wait(win.slice(1, 4), [win[0]]);
        const { play, synced, isOffered } = open(stateAfter([win[0], other]));
        play.resume();
        synced();
        play.receive(diffOf([win[0], other, win[1]]));
        await until(() => later.length > 0);
        const meanwhile = kept("waiting")[0].commands.length;
        log = [win[0], other, win[1]];
        synced();
        await isOffered;
        await until(() => kept("waiting").length === 0);
        return [meanwhile, kept("lost")];
    """)
    assert found == [3, [{"v": 2, "commands": WIN[1:4], "why": "overtaken"}]]


def test_moves_that_were_overtaken_are_offered_though_the_past_cannot_be_read():
    found = page("""
        const { isOffered } = overtaken();
        const meanwhile = kept("waiting").map(({ v, commands }) => [v, commands.length]);
        await isOffered;
        await until(() => kept("waiting").length === 0);
        return [meanwhile, kept("lost")];
    """)
    assert found == [[[2, 2]], [{"v": 2, "commands": WIN[1:3], "why": "overtaken"}]]


def test_what_cannot_be_offered_yet_stays_on_the_device_until_it_can():
    found = page("""
        [isCut, log] = [true, [win[0], other]];
        const { synced } = overtaken();
        await until(() => modules > 0);
        const meanwhile = kept("waiting").map(({ v, commands }) => [v, commands.length]);
        isCut = false;
        synced();
        await until(() => kept("lost").length > 0 && kept("waiting").length === 0);
        return [meanwhile, kept("lost")];
    """)
    assert found == [[[2, 2]], [{"v": 2, "commands": WIN[1:3], "why": "overtaken"}]]


def test_what_nothing_is_left_of_is_told():
    found = page("""
        wait(win.slice(3, 5), win.slice(0, 3));
        log = [win[0]];
        const { play, told, isTold } = open(stateAfter(log));
        play.resume();
        await isTold;
        await until(() => kept("waiting").length === 0);
        return [kept("lost"), told];
    """)
    assert found == [[], ["news.set_back"]]


def test_moves_made_while_older_ones_wait_outlive_another_reload():
    found = page("""
        wait(win.slice(0, 2), []);
        const first = open(stateAfter(win.slice(0, 1)));
        first.connection.status = "reconnecting";
        first.play.resume();
        await until(() => later.length > 0);
        first.play.do(other);
        const both = kept("waiting").map(({ v, commands }) => [v, commands.length]);
        first.play.leave();

        log = win.slice(0, 1);
        const second = open(stateAfter(log));
        second.synced();
        second.play.resume();
        await until(() => kept("lost").length > 0);
        await until(() => kept("waiting").length === 1);
        const lost = kept("lost").map(({ v, commands }) => [v, commands[0].m]);
        return [both, moved(second.sent).map(({ v, m }) => [v, m]), lost];
    """)
    assert found[0] == [[1, 2], [2, 1]]
    # The one or the other, for they were done on the same version
    assert sorted(found[1] + found[2]) == sorted([2, command["m"]] for command in (OTHER, WIN[1]))


def test_what_another_tab_has_waiting_is_left_to_it_while_it_is_there():
    found = page("""
        const here = open(stateAfter([]));
        here.connection.status = "reconnecting";
        here.play.do(win[0]);
        const there = open(stateAfter([]));
        there.play.resume();
        there.synced();
        there.play.do(other);
        const both = kept("waiting").map(({ commands }) => commands[0]);
        const sent = moved(there.sent).length;
        log = [other];
        there.play.receive(diffOf([other]));
        const left = kept("waiting").map(({ commands }) => commands[0]);
        here.play.leave();
        await until(() => kept("lost").length > 0);
        return [both.length, sent, left, kept("lost")];
    """)
    assert found == [2, 1, [WIN[0]], [{"v": 1, "commands": WIN[:1], "why": "overtaken"}]]


def test_a_game_that_cannot_be_followed_any_more_says_so():
    found = page("""
        const error = (code) => ({ t: "error", code, detail: "why", g: "G" });
        const spectator = open({ ...stateAfter([]), mine: false });
        spectator.synced();
        spectator.play.receive(error("no_such_game"));
        const player = open(stateAfter([]));
        player.play.do(other);
        player.play.receive(error("damaged"));
        return [spectator.told, player.told, kept("waiting")];
    """)
    assert found == [["problem.other"], ["problem.other"], []]


def test_what_broke_inside_the_server_is_asked_for_again():
    found = page("""
        const { play, sent } = open(stateAfter([]));
        play.receive({ t: "error", code: "internal", detail: "", g: "G" });
        later.splice(0).forEach((act) => act());
        return sent.map((frame) => frame.t);
    """)
    assert found == ["watch", "watch"]


def test_a_spectator_who_was_told_that_the_game_is_gone_does_not_ask_for_its_log():
    found = page("""
        const asked = [];
        globalThis.fetch = (path) => asked.push(path) && Promise.reject(new Error("no line"));
        const asks = (...messages) => {
            const { play } = open({ ...stateAfter([]), mine: false });
            play.learnSoon();
            messages.forEach((message) => play.receive(message));
            later.splice(0).forEach((act) => act());
            return asked.splice(0).length;
        };
        return [asks(), asks({ t: "error", code: "no_such_game", detail: "", g: "G" })];
    """)
    assert found == [1, 0]
