/**
 * The whole game as the server plays it: decide(game, command) gives an event or throws, evolve(game, event) gives
 * the next game. Pure. A game is a chain of states: a move or a restart adds one whose parent is the one before, undo
 * goes to the parent. The golden games are replayed through this file and through the server's, so that the two
 * readings of the rules cannot drift.
 */
import { Refused, carried, check, completed, parsePosition, textOf, withoutSequence } from "./position.js";

export { Refused, acceptingColumns, bestColumn, check, refusal } from "./position.js";

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./messages.js").Suit} Suit */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {{t: "move", m: Move} | {t: "restart"}} Action what can be undone */

/**
 * @typedef {object} State
 * @property {Position} position
 * @property {readonly Suit[]} off
 * @property {number} score
 * @property {number} moves
 * @property {Action | null} action what led here from the parent
 * @property {State | null} parent null also where a page knows only a snapshot, not what came before
 */
/** @typedef {{state: State, next: Future | null}} Future what redo goes through, the nearest first */

const UNDO_LIMIT = 100;
const START_SCORE = 500;
const SEQUENCE_SCORE = 100;
const SEQUENCES = 4;

export class Game {
  /**
   * @param {State} state
   * @param {{version: number, dealt: Position | null, undo: number, redo: number, future: Future | null}} past
   *   `dealt` is null where only a snapshot is known
   */
  constructor(state, { version, dealt, undo, redo, future }) {
    this.state = state;
    this.version = version;
    this.dealt = dealt;
    this.undo = undo;
    this.redo = redo;
    this.future = future;
  }

  get position() {
    return this.state.position;
  }
  get columns() {
    return textOf(this.state.position);
  }
  get off() {
    return this.state.off;
  }
  get score() {
    return this.state.score;
  }
  get moves() {
    return this.state.moves;
  }
  get won() {
    return this.state.off.length === SEQUENCES;
  }
}

/** @param {Position} position @param {State | null} parent @param {Action | null} action @returns {State} */
const freshState = (position, parent, action) => ({ position, off: [], score: START_SCORE, moves: 0, action, parent });

/** A game at version 1. @param {readonly string[]} columns ten lines of cards */
export function deal(columns) {
  const dealt = parsePosition(columns);
  return new Game(freshState(dealt, null, null), { version: 1, dealt, undo: 0, redo: 0, future: null });
}

/**
 * @param {Game} game @param {Command} command
 * @returns {Command} the event
 * @throws {Refused}
 */
export function decide(game, command) {
  if (game.won) throw new Refused("game_over");
  if (command.t === "move") check(game.position, command.m);
  if (command.t === "undo" && game.undo === 0) throw new Refused("nothing_to_undo");
  if (command.t === "redo" && game.redo === 0) throw new Refused("nothing_to_redo");
  return command.t === "move" ? { t: "move", m: command.m } : { t: command.t };
}

/** @param {Game} game @param {Command} event */
export function evolve(game, event) {
  switch (event.t) {
    case "move":
      return acted(game, afterMove(game.state, event.m));
    case "restart":
      return acted(game, freshState(known(game.dealt), game.state, { t: "restart" }));
    case "undo":
      return undone(game, known(game.state.parent));
    case "redo":
      return redone(game, known(game.future).state);
  }
}

/**
 * True where `evolve` has what it needs: a page that has only a snapshot does not know what an undo leads to.
 * @param {Game} game
 * @param {Command} command
 */
export function isForeseeable(game, command) {
  if (command.t === "undo") return game.state.parent !== null;
  if (command.t === "redo") return game.future !== null;
  return command.t === "move" || game.dealt !== null;
}

/** @template T @param {T | null} value @returns {T} */
function known(value) {
  if (value === null) throw new Error("this game was opened from a snapshot and does not know its past");
  return value;
}

/** @param {State} state @param {Move} move @returns {State} */
function afterMove(state, move) {
  const position = carried(state.position, move);
  const off = completed(position[move[2]]);
  const next = {
    position,
    off: state.off,
    score: state.score - 1,
    moves: state.moves + 1,
    action: /** @type {Action} */ ({ t: "move", m: move }),
    parent: state,
  };
  if (off === null) return next;
  return {
    ...next,
    position: withoutSequence(position, move[2]),
    off: [...state.off, off],
    score: next.score + SEQUENCE_SCORE,
  };
}

/**
 * Who repeats by hand what was undone keeps the rest of the redo.
 * @param {Game} game
 * @param {State} state
 * @returns {Game}
 */
export function acted(game, state) {
  const { version, dealt, undo, redo, future } = game;
  const repeated = future !== null && isSame(future.state.action, state.action);
  const rest = repeated ? { redo: redo - 1, future: future.next } : { redo: 0, future: null };
  return new Game(repeated ? future.state : state, {
    version: version + 1,
    dealt,
    undo: Math.min(undo + 1, UNDO_LIMIT),
    ...rest,
  });
}

/** @param {Game} game @param {State} parent @returns {Game} */
export function undone({ version, dealt, undo, redo, state, future }, parent) {
  return new Game(parent, {
    version: version + 1,
    dealt,
    undo: undo - 1,
    redo: redo + 1,
    future: { state, next: future },
  });
}

/** @param {Game} game @param {State} state @returns {Game} */
export function redone({ version, dealt, undo, redo, future }, state) {
  return new Game(state, {
    version: version + 1,
    dealt,
    undo: Math.min(undo + 1, UNDO_LIMIT),
    redo: redo - 1,
    future: future?.next ?? null,
  });
}

/** @param {Command | null} a @param {Command | null} b */
export function isSame(a, b) {
  if (a?.t !== "move" || b?.t !== "move") return a?.t === b?.t;
  return a.m.every((part, i) => part === b.m[i]);
}
