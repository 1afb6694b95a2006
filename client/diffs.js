/**
 * From what the server sends to a Game: a snapshot, a diff on top of it, a whole log. Pure.
 * Law: a diff is applied as it stands, without rules, so that whoever watches shows what was stored and nothing else.
 */
import { carried, parsePosition, withSequence, withoutSequence } from "./position.js";
import { Game, acted, deal, evolve, redone, undone } from "./rules.js";

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./messages.js").Diff} Diff */
/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").GameLog} GameLog */
/** @typedef {import("./rules.js").Action} Action */

/** @param {GameSnapshot} snapshot a game whose past is not known */
export function gameOf({ v, columns, off, score, moves, undo, redo }) {
  const state = { position: parsePosition(columns), off, score, moves, action: null, parent: null };
  return new Game(state, { version: v, dealt: null, undo, redo, future: null });
}

/** @param {Game} game @param {Diff} diff */
export function afterDiff(game, { t, m, off, score, moves }) {
  const taken = game.off.slice(0, off ? -1 : undefined);
  if (t === "undo") {
    const whole = off ? withSequence(game.position, m[2], off) : game.position;
    const parent = {
      position: carried(whole, [m[2], m[1], m[0]]),
      off: taken,
      score,
      moves,
      action: null,
      parent: null,
    };
    if (game.state.parent) return undone(game, game.state.parent);
    return undone(new Game({ ...game.state, action: { t: "move", m }, parent }, game), parent);
  }
  const laid = carried(game.position, m);
  const position = off ? withoutSequence(laid, m[2]) : laid;
  const state = {
    position,
    off: off ? [...game.off, off] : game.off,
    score,
    moves,
    action: /** @type {Action} */ ({ t: "move", m }),
    parent: game.state,
  };
  return t === "redo" ? redone(game, game.future?.state ?? state) : acted(game, state);
}

/** Every version of a game, the deal first. @param {GameLog} log @returns {Game[]} */
export function versionsOf(log) {
  const versions = [deal(log.columns)];
  for (const event of log.events) {
    if (event.t === "deal") continue;
    versions.push(evolve(versions[versions.length - 1], /** @type {Command} */ (event)));
  }
  return versions;
}
