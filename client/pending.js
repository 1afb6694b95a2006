/**
 * The player's commands that are not confirmed yet, in order. Pure.
 * A version takes one command only, so command i of the line is for version head + i, and may be sent again without
 * harm.
 */
import { evolve, isForeseeable, isSame } from "./rules.js";

/** @typedef {import("./messages.js").ClientMessage} ClientMessage */
/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./messages.js").Diff} Diff */
/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./rules.js").Game} Game */

// The server takes 16 commands at once from a socket; half of that leaves room for other frames.
const UNDER_WAY_LIMIT = 8;

export class Pending {
  /** @type {Command[]} */
  commands = [];
  #underWay = 0;
  // What is on its way behind a command that failed will fail too: so many answers mean nothing.
  #doomed = 0;

  get length() {
    return this.commands.length;
  }

  /**
   * The games that the first commands lead to, as far as that can be foreseen.
   * @param {Game} head
   * @param {number} [count]
   */
  gamesFrom(head, count = this.length) {
    const games = [];
    let game = head;
    for (const command of this.commands.slice(0, count)) {
      if (!isForeseeable(game, command)) break;
      game = evolve(game, command);
      games.push(game);
    }
    return games;
  }

  /**
   * The next commands to send; they count as under way from here on.
   * @param {string} g
   * @param {number} version of the head
   * @returns {ClientMessage[]}
   */
  take(g, version) {
    const ready = this.commands.slice(this.#underWay, UNDER_WAY_LIMIT);
    const first = version + this.#underWay;
    this.#underWay += ready.length;
    return ready.map((command, i) => ({ ...command, g, v: first + i }));
  }

  /** After a lost connection everything is sent again, and no old answer comes any more. */
  forgetUnderWay() {
    this.#underWay = 0;
    this.#doomed = 0;
  }

  /** @param {Diff} diff @returns {boolean} whether it is what the first command asked for */
  isConfirmedBy({ t, m }) {
    const own = this.commands[0];
    return own !== undefined && own.t === t && (own.t !== "move" || isSame(own, { t: "move", m }));
  }

  /**
   * The games that the first commands lead to, if the last of them is this one.
   * @param {Game} head
   * @param {GameSnapshot} snapshot
   */
  gamesUpTo(head, snapshot) {
    const games = this.gamesFrom(head, Math.max(0, snapshot.v - head.version));
    const last = games.at(-1);
    return last && isAt(last, snapshot) ? games : null;
  }

  /** @param {number} count */
  confirm(count) {
    this.commands.splice(0, count);
    this.#underWay = Math.max(0, this.#underWay - count);
  }

  /**
   * All commands go home.
   * @param {number} answered how many of those under way have had their answer
   */
  drop(answered) {
    const dropped = this.commands;
    this.#doomed += Math.max(0, this.#underWay - answered);
    this.commands = [];
    this.#underWay = 0;
    return dropped;
  }

  /** Whether an answer is about a command that went home before. */
  isOfTheDoomed() {
    if (this.#doomed === 0) return false;
    this.#doomed--;
    return true;
  }
}

/** @param {Game} game @param {GameSnapshot} snapshot */
const isAt = ({ version, columns, moves, undo, redo }, snapshot) =>
  version === snapshot.v &&
  moves === snapshot.moves &&
  undo === snapshot.undo &&
  redo === snapshot.redo &&
  columns.join() === snapshot.columns.join();
