/**
 * What the page shows of one game: the confirmed game, the player's pending commands, and the version that somebody
 * looks back at. Pure: messages go in, an Outcome says what came of them; no socket, no page.
 * Law: what is confirmed comes from the server alone; rules.js only foresees what the pending commands will do.
 */
import { afterDiff, gameOf, versionsOf } from "./diffs.js";
import { Pending } from "./pending.js";
import { Refused, decide, evolve } from "./rules.js";

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./messages.js").Diff} Diff */
/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").GameLog} GameLog */
/** @typedef {import("./rules.js").Game} Game */
/** @typedef {{v: number, c: string, commands: Command[]}} Waiting commands kept on the device through a reload */

/**
 * What a message did. `overtaken`: another device moved first, or the history was set back, and `dropped` went home.
 * @typedef {{news: "confirmed" | "moved" | "replaced" | "overtaken" | "none", dropped: Command[]}} Outcome
 */

/** @returns {Outcome} */
const nothing = () => ({ news: "none", dropped: [] });

export class GameState {
  pending = new Pending();
  /** @type {Game[]} the versions from the deal on, once asked for; after a gap they end before the head */
  versions = [];
  /** @type {number[]} when each version happened; as long as `versions` */
  times = [];
  /** @type {number | null} the version looked back at; null follows the game */
  at = null;

  /** @param {GameSnapshot} snapshot */
  constructor(snapshot) {
    this.snapshot = snapshot;
    this.head = gameOf(snapshot);
    this.c = snapshot.c;
  }

  get isMine() {
    return this.snapshot.mine;
  }

  get isLive() {
    return this.at === null;
  }

  get knowsPast() {
    return this.versions.length === this.head.version;
  }

  /** The game as the player's own commands will leave it. @returns {Game} */
  get foreseen() {
    return this.pending.gamesFrom(this.head).at(-1) ?? this.head;
  }

  /** False while a pending command leads to what only the server knows. */
  get isForeseen() {
    return this.foreseen.version === this.head.version + this.pending.length;
  }

  /** @returns {Game} */
  get shown() {
    return this.at === null ? this.foreseen : (this.versions[this.at - 1] ?? this.head);
  }

  /** The version that is confirmed and on the page. */
  get version() {
    return this.at ?? this.head.version;
  }

  /** What the device must keep for a reload. @returns {Waiting} */
  get waiting() {
    return { v: this.head.version, c: this.c, commands: this.pending.commands };
  }

  /**
   * Notes a command as pending; what it leads to is shown at once where that can be foreseen.
   * @param {Command} command
   * @throws {import("./rules.js").Refused}
   */
  command(command) {
    decide(this.foreseen, command);
    this.pending.commands.push(command);
  }

  /** The next commands to send, in order; they count as under way from here on. */
  takeFrames() {
    return this.pending.take(this.snapshot.g, this.head.version);
  }

  /** @param {Diff} diff @returns {Outcome} */
  receiveDiff(diff) {
    if (diff.v <= this.head.version) return nothing();
    const isConfirmed = this.pending.isConfirmedBy(diff);
    this.#advance(afterDiff(this.head, diff), diff.c);
    return isConfirmed ? this.#confirm(1) : this.#overtaken("moved");
  }

  /**
   * A whole game: the first one, a restart or its undo, or one in place of a gap.
   * @param {GameSnapshot} snapshot
   * @returns {Outcome}
   */
  receiveSnapshot(snapshot) {
    const own = this.pending.gamesUpTo(this.head, snapshot);
    const isSamePlace = snapshot.v === this.head.version && snapshot.c === this.c;
    this.snapshot = snapshot;
    if (isSamePlace) return nothing();
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
    return this.pending.isOfTheDoomed() ? nothing() : this.#drop(1);
  }

  /** @param {number} v the version that the server is at @returns {Outcome} */
  receiveStale(v) {
    if (this.pending.isOfTheDoomed() || v === this.head.version) return nothing();
    return this.#drop(1);
  }

  /** Nothing that is pending will be taken. @returns {Outcome} */
  dropPending() {
    return this.#drop(this.pending.length);
  }

  /**
   * All versions from the log. The head then knows its past, so that undo, redo and restart are foreseen too.
   * @param {GameLog} log
   * @returns {boolean} false where the log is older than the head, or of another history
   */
  learn(log) {
    const versions = versionsOf(log);
    const head = versions[this.head.version - 1];
    if (head === undefined || head.columns.join() !== this.head.columns.join()) return false;
    this.versions = versions.slice(0, head.version);
    this.times = log.events.map((event) => event.at).slice(0, head.version);
    this.head = head;
    return true;
  }

  /** Whether nothing came since these were decided on. @param {Waiting} waiting */
  isAt({ v, c }) {
    return v === this.head.version && c === this.c;
  }

  /** @param {number} version @returns {boolean} false where the versions are not known yet */
  lookAt(version) {
    if (!this.knowsPast) return false;
    this.at = Math.min(Math.max(1, version), this.head.version);
    return true;
  }

  followLive() {
    this.at = null;
  }

  /**
   * Takes up commands kept from before a reload; those that the log shows as done meanwhile are let go.
   * @param {Waiting} waiting
   * @returns {boolean} false where the game went another way, so that they cannot stand
   */
  resume({ v, c, commands }) {
    const done = this.head.version - v;
    if (done < 0 || done > commands.length || this.pending.length > 0) return false;
    if (done === 0 ? c !== this.c : !this.#ledHere(this.versions[v - 1], commands.slice(0, done))) return false;
    this.pending.commands.push(...commands.slice(done));
    return true;
  }

  /** @param {Game | undefined} before @param {Command[]} commands */
  #ledHere(before, commands) {
    if (!before) return false;
    try {
      const led = commands.reduce((game, command) => evolve(game, decide(game, command)), before);
      return led.columns.join() === this.head.columns.join();
    } catch (error) {
      // In another history there may be nothing to undo, or no such run.
      if (!(error instanceof Refused)) throw error;
      return false;
    }
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

  /** @param {number} count @returns {Outcome} */
  #confirm(count) {
    this.pending.confirm(count);
    return { news: "confirmed", dropped: [] };
  }

  /** @param {"moved" | "replaced"} news @returns {Outcome} */
  #overtaken(news) {
    return this.pending.length === 0 ? { news, dropped: [] } : this.#drop(0);
  }

  /** @param {number} answered @returns {Outcome} */
  #drop(answered) {
    const dropped = this.pending.drop(answered);
    return { news: dropped.length > 0 ? "overtaken" : "none", dropped };
  }
}
