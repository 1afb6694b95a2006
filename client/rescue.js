/** What a device still has of a game that went another way: which of its moves do not stand, and from where on. Pure. */
import { isSame } from "./rules.js";
import { stepsOf } from "./tree.js";

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./rules.js").Game} Game */
/** @typedef {{versions: readonly Game[], count: number}} Had a game, as far as it had come */
/** @typedef {{v: number, commands: Command[]}} Moves what is not in the game, and the version at which it began */

/** What led from the deal to the last of them. @param {readonly Game[]} versions @returns {Command[]} */
export function commandsOf(versions) {
  const steps = stepsOf(versions).slice(1);
  return steps.map(({ kind }, i) => {
    const { action } = versions[i + 1].state;
    return kind === "move" && action?.t === "move" ? action : { t: /** @type {"undo" | "redo" | "restart"} */ (kind) };
  });
}

/**
 * @param {readonly Command[]} known what the device saw and did, from the deal on
 * @param {readonly Command[]} now what the game has
 * @returns {Moves}
 */
export function rescued(known, now) {
  const differs = known.findIndex((command, i) => i >= now.length || !isSame(command, now[i]));
  const stood = differs < 0 ? known.length : differs;
  return { v: stood + 1, commands: known.slice(stood) };
}

/**
 * Where a past is not known, what was dropped began at the version that it was done after, if the game still has that.
 * @param {Had} had
 * @param {Command[]} dropped what was done after that
 * @param {{knowsPast: boolean, versions: readonly Game[], head: Game}} state the game now
 * @returns {Moves | null} null where there is nothing left that they could be played on from
 */
export function fallen({ versions, count }, dropped, state) {
  const known = versions.slice(0, count);
  if (state.knowsPast && known.length === count)
    return rescued([...commandsOf(known), ...dropped], commandsOf(state.versions));
  return count <= state.head.version ? { v: count, commands: dropped } : null;
}
