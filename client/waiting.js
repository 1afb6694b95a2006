/**
 * Commands that the server has not confirmed yet, kept on the device, so that a reload without a connection loses
 * none.
 */

/** @typedef {import("./state.js").Waiting} Waiting */

/** @param {string} g */
const keyOf = (g) => `simplesimon.waiting.${g}`;

/** @param {string} g @param {Waiting} waiting */
export function keepWaiting(g, waiting) {
  try {
    localStorage.setItem(keyOf(g), JSON.stringify(waiting));
  } catch {
    // A full or forbidden storage only means that a reload would lose what waits; the page itself still has it.
  }
}

/** @param {string} g */
export const forgetWaiting = (g) => localStorage.removeItem(keyOf(g));

/** @param {string} g @returns {Waiting | null} */
export function keptWaiting(g) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(g)) ?? "null");
  } catch {
    return null;
  }
}
