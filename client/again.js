/** What the server could not do for now is asked of it again, and not by all pages at the same moment. */

// After these the server did not take something, but will.
const FOR_NOW = new Set(["unavailable", "too_fast"]);
const AGAIN_MS = 1_500;

/** @param {string} code */
export const isForNow = (code) => FOR_NOW.has(code);

/** Whether there is no list of games for now. @param {import("./messages.js").ServerMessage} message */
export const isNoList = (message) => message.t === "error" && message.g === undefined && isForNow(message.code);

/** @param {() => void} act */
export const soon = (act) => setTimeout(act, AGAIN_MS * (1 + Math.random()));
