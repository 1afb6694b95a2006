// A player in a hurry, another device of theirs, a spectator, and a server made of the page's own rules: whatever they do and
// however the line breaks, all end at the same game. Runs in the page; asked for by test_state.py.
async ({ columns, rounds, seed }) => {
  const { acceptingColumns, deal, decide, evolve } = await import("/client/rules.js");
  const { runLength } = await import("/client/position.js");
  const { GameState } = await import("/client/state.js");
  let drawn = seed;
  const below = (n) => ((drawn = (drawn * 1103515245 + 12345) & 0x7fffffff) >> 8) % n;

  class Server {
    game = deal(columns);
    events = [{ v: 1, t: "deal", at: 0 }];

    snapshot() {
      const { version, columns, off, score, moves, undo, redo, won } = this.game;
      return { t: "state", g: "game", v: version, c: `c${version}`, columns, off, score, moves, undo, redo, won, mine: true, by: {} };
    }

    /** As the contract has it: one command a version, answered by its diff, by `refused` or by `stale`. */
    answer({ v, ...command }) {
      if (v !== this.game.version) return { t: "stale", v: this.game.version };
      const before = this.game;
      try {
        this.game = evolve(before, decide(before, command));
      } catch (refused) {
        return { t: "refused", rule: refused.rule };
      }
      this.events.push({ ...command, v: v + 1, at: v });
      const [less, more] = command.t === "undo" ? [this.game, before] : [before, this.game];
      const { action } = more.state;
      if (action.t === "restart") return this.snapshot();
      const off = more.off.length > less.off.length ? { off: more.off.at(-1) } : {};
      return { t: command.t, v: v + 1, m: action.m, score: this.game.score, moves: this.game.moves, c: `c${v + 1}`, ...off };
    }

    log() { return { columns, events: [...this.events] }; }
  }

  const receive = (state, message) => {
    switch (message.t) {
      case "state": return state.receiveSnapshot(message);
      case "refused": return state.receiveRefused();
      case "stale": return state.receiveStale(message.v);
      default: return state.receiveDiff(message);
    }
  };

  const anyMove = ({ position }) => {
    const moves = position.flatMap((column, from) => {
      const count = 1 + below(Math.max(1, runLength(column)));
      return column.length === 0 ? [] : acceptingColumns(position, from, count).map((to) => [from, count, to]);
    });
    return moves.length > 0 ? { t: "move", m: moves[below(moves.length)] } : { t: "restart" };
  };
  const anything = (game) => [() => anyMove(game), () => anyMove(game), () => anyMove(game), () => ({ t: "undo" }), () => ({ t: "redo" }),
    () => ({ t: below(4) ? "undo" : "restart" })][below(6)]();

  const server = new Server();
  const player = new GameState(server.snapshot());
  const spectator = new GameState(server.snapshot());
  const tell = (message) => { if (message.t !== "stale" && message.t !== "refused") receive(spectator, message); };
  const attempt = (command) => { try { player.command(command); } catch (refused) { if (!refused.rule) throw refused; } };
  const send = (frames, isHeard) => {
    for (const frame of frames) {
      const answer = server.answer(frame);
      tell(answer);
      if (isHeard) receive(player, answer);
    }
  };
  const catchUp = () => {
    // After a lost connection: what came since, as one state, and everything pending once more
    player.pending.forgetUnderWay();
    receive(player, server.snapshot());
  };

  for (let round = 0; round < rounds; round++) {
    for (let hurry = below(5); hurry >= 0; hurry--) attempt(anything(player.foreseen));
    if (below(5) === 0) {
      const other = server.answer({ ...anything(server.game), v: server.game.version });
      const underWay = player.takeFrames();
      tell(other);
      if (other.t !== "refused") receive(player, other);
      send(underWay, true);
    }
    if (below(6) === 0) {
      send(player.takeFrames(), false);
      catchUp();
    }
    for (let frames = player.takeFrames(); frames.length > 0; frames = player.takeFrames()) send(frames, true);
    if (!player.knowsPast || below(4) === 0) player.learn(server.log());
    const shown = ({ columns, off, score, moves, undo, redo, version }) => JSON.stringify({ columns, off, score, moves, undo, redo, version });
    const told = ({ columns, off, score, moves, version }) => JSON.stringify({ columns, off, score, moves, version });
    if (player.pending.length > 0) return `round ${round}: ${player.pending.length} commands without an answer`;
    if (shown(player.head) !== shown(server.game)) return `round ${round}: ${shown(player.head)} is not ${shown(server.game)}`;
    if (told(spectator.head) !== told(server.game)) return `round ${round}: the spectator sees ${told(spectator.head)}, not ${told(server.game)}`;
    if (player.versions.some((game, i) => game.version !== i + 1)) return `round ${round}: a version is missing`;
  }
  return server.game.version;
}
