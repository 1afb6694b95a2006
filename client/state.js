/**
 * What the page shows of one game: the confirmed game, the player's commands that are not confirmed yet, and the version
 * that somebody looks back at. Pure: messages go in, an Outcome says what came of them; no socket, no page.
 * Law: what is confirmed comes from the server alone; rules.js only foresees what the pending commands will do.
 */
import { afterDiff, gameOf, versionsOf } from "./diffs.js";
import { decide, evolve, isForeseeable, isSame } from "./rules.js";

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./messages.js").Diff} Diff */
/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").GameLog} GameLog */
/** @typedef {import("./messages.js").ClientMessage} ClientMessage */
/** @typedef {import("./rules.js").Game} Game */
/** @typedef {{v: number, c: string, commands: Command[]}} Waiting commands kept on the device through a reload */

/**
 * What a message did. `overtaken`: another device moved first, or the history was set back, and `dropped` commands went home.
 * @typedef {{news: "confirmed" | "moved" | "replaced" | "overtaken" | "none", dropped: Command[]}} Outcome
 */

// The server takes 16 commands at once from a socket; half of that leaves room for other frames.
const UNDER_WAY_LIMIT = 8;

/** @param {Game} game @param {GameSnapshot} snapshot */
const isAt = ({ version, columns, moves, undo, redo }, snapshot) =>
  version === snapshot.v && moves === snapshot.moves && undo === snapshot.undo && redo === snapshot.redo && columns.join() === snapshot.columns.join();

export class GameState {
  /** @param {GameSnapshot} snapshot */
  constructor(snapshot) {
    this.snapshot = snapshot;
    this.head = gameOf(snapshot);
    this.c = snapshot.c;
    /** @type {Command[]} */
    this.pending = [];
    this.underWay = 0;
    /** @type {Game[]} the versions from the deal on, once somebody asked for them; after a gap they end before the head */
    this.versions = [];
    /** @type {number[]} when each version happened; as long as `versions` */
    this.times = [];
    /** @type {number | null} the version looked back at; null follows the game */
    this.at = null;
    // The server keeps order, so what is on its way after a command that failed will fail too: that many answers mean nothing.
    this.doomed = 0;
  }

  get isMine() { return this.snapshot.mine; }
  get isLive() { return this.at === null; }
  get knowsPast() { return this.versions.length === this.head.version; }

  /** The game as the player's own commands will leave it. @returns {Game} */
  get foreseen() {
    let game = this.head;
    for (const command of this.pending) {
      if (!isForeseeable(game, command)) break;
      game = evolve(game, command);
    }
    return game;
  }

  /** @returns {Game} */
  get shown() {
    return this.at === null ? this.foreseen : this.versions[this.at - 1] ?? this.head;
  }

  /** The version that is confirmed and on the page. */
  get version() { return this.at ?? this.head.version; }

  /** False while a pending command leads to what only the server knows. */
  get isForeseen() { return this.foreseen.version === this.head.version + this.pending.length; }

  /**
   * Notes a command as pending; what it leads to is shown at once where that can be foreseen.
   * @param {Command} command
   * @throws {import("./rules.js").Refused}
   */
  command(command) {
    decide(this.foreseen, command);
    this.pending.push(command);
  }

  /** The next commands to send, in order; they count as under way from here on. @returns {ClientMessage[]} */
  takeFrames() {
    const ready = this.pending.slice(this.underWay, UNDER_WAY_LIMIT);
    const first = this.head.version + this.underWay;
    this.underWay += ready.length;
    return ready.map((command, i) => ({ ...command, g: this.snapshot.g, v: first + i }));
  }

  /** After a lost connection everything pending is sent again: a version takes one command only, so nothing is doubled. */
  forgetUnderWay() {
    this.underWay = 0;
    this.doomed = 0;
  }

  /** @param {Diff} diff @returns {Outcome} */
  receiveDiff(diff) {
    if (diff.v <= this.head.version) return { news: "none", dropped: [] };
    const own = this.pending[0];
    const confirmed = own !== undefined && own.t === diff.t && (own.t !== "move" || isSame(own, { t: "move", m: diff.m }));
    this.#advance(afterDiff(this.head, diff), diff.c);
    return confirmed ? this.#confirm() : this.#overtaken("moved");
  }

  /**
   * A whole game: the first one, a restart or its undo, or one in place of a gap.
   * @param {GameSnapshot} snapshot
   * @returns {Outcome}
   */
  receiveSnapshot(snapshot) {
    const own = this.#ownAt(snapshot);
    const isSamePlace = snapshot.v === this.head.version && snapshot.c === this.c;
    this.snapshot = snapshot;
    if (isSamePlace) return { news: "none", dropped: [] };
    if (own) {
      for (const game of own) this.#advance(game, snapshot.c);
      return this.#confirm(own.length);
    }
    // A shorter history is another history: what was looked back at does not exist any more.
    if (snapshot.set_back || snapshot.v <= this.head.version) this.#forgetVersions();
    this.head = gameOf(snapshot);
    this.c = snapshot.c;
    return this.#overtaken("replaced");
  }

  /** The rules forbid the first command that is under way. @returns {Outcome} */
  receiveRefused() {
    if (this.doomed > 0) return this.#passDoomed();
    return this.#drop(1);
  }

  /** @param {number} v the version that the server is at @returns {Outcome} */
  receiveStale(v) {
    if (this.doomed > 0) return this.#passDoomed();
    return v === this.head.version ? { news: "none", dropped: [] } : this.#drop(1);
  }

  /** Nothing that is pending will be taken. @returns {Outcome} */
  dropPending() { return this.#drop(this.underWay); }

  /**
   * All versions from the log. The head then knows its past, so that undo, redo and restart are foreseen too.
   * @param {GameLog} log
   * @returns {boolean} false where the log is older than the head, or of another history
   */
  learn(log) {
    const versions = versionsOf(log);
    const head = versions[this.head.version - 1];
    if (head === undefined || head.columns.join() !== this.head.columns.join()) return false;
    this.versions = versions.slice(0, this.head.version);
    this.times = log.events.map((event) => event.at).slice(0, this.head.version);
    this.head = head;
    return true;
  }

  /** @param {number} version @returns {boolean} false where the versions are not known yet */
  lookAt(version) {
    if (!this.knowsPast) return false;
    this.at = Math.min(Math.max(1, version), this.head.version);
    return true;
  }

  followLive() { this.at = null; }

  /** What the device must keep for a reload. @returns {Waiting} */
  get waiting() { return { v: this.head.version, c: this.c, commands: this.pending }; }

  /**
   * Takes up commands kept from before a reload; those that the log shows as done meanwhile are let go.
   * @param {Waiting} waiting
   * @returns {boolean} false where the game went another way, so that they cannot stand
   */
  resume({ v, commands }) {
    const since = this.versions.slice(v);
    if (v > this.head.version || v + since.length !== this.head.version || since.length > commands.length) return false;
    const before = this.versions[v - 1];
    const replayed = since.length > 0 && before ? commands.slice(0, since.length).reduce((game, command) => evolve(game, command), before) : this.head;
    if (replayed.columns.join() !== this.head.columns.join()) return false;
    this.pending.push(...commands.slice(since.length));
    return true;
  }

  /** @param {Game} head @param {string} c */
  #advance(head, c) {
    if (this.knowsPast) {
      this.versions.push(head);
      this.times.push(Date.now());
    }
    this.head = head;
    this.c = c;
  }

  #forgetVersions() {
    this.versions = [];
    this.times = [];
    this.at = null;
  }

  /** The games that the first pending commands lead to, if the last of them is this one. @param {GameSnapshot} snapshot @returns {Game[] | null} */
  #ownAt(snapshot) {
    const games = [];
    let game = this.head;
    for (const command of this.pending.slice(0, Math.max(0, snapshot.v - game.version))) {
      if (!isForeseeable(game, command)) return null;
      game = evolve(game, command);
      games.push(game);
    }
    return games.length > 0 && isAt(game, snapshot) ? games : null;
  }

  /** @param {number} [count] @returns {Outcome} */
  #confirm(count = 1) {
    this.pending.splice(0, count);
    this.underWay = Math.max(0, this.underWay - count);
    return { news: "confirmed", dropped: [] };
  }

  /** @param {"moved" | "replaced"} news @returns {Outcome} */
  #overtaken(news) {
    return this.pending.length === 0 ? { news, dropped: [] } : this.#drop(0);
  }

  /** @param {number} answered how many of those under way have had their answer @returns {Outcome} */
  #drop(answered) {
    const dropped = this.pending;
    this.doomed += Math.max(0, this.underWay - answered);
    this.pending = [];
    this.underWay = 0;
    return { news: dropped.length > 0 ? "overtaken" : "none", dropped };
  }

  /** @returns {Outcome} */
  #passDoomed() {
    this.doomed--;
    return { news: "none", dropped: [] };
  }
}
