/** What a device still has of a game that went another way: which of its moves do not stand, and from where on. Pure. */
import { isSame } from "./rules.js";
import { stepsOf } from "./tree.js";

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./rules.js").Game} Game */

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
 * @returns {{v: number, commands: Command[]}} what is not in the game, and the version at which it began
 */
export function rescued(known, now) {
  const differs = known.findIndex((command, i) => i >= now.length || !isSame(command, now[i]));
  const stood = differs < 0 ? known.length : differs;
  return { v: stood + 1, commands: known.slice(stood) };
}
