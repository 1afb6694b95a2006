/**
 * Which game is most worth watching. Pure, and without any judgement of how a game stands: whether it is near its end is
 * read from the removed sequences and the score alone.
 */

/** @typedef {Pick<import("./messages.js").Row, "g" | "won" | "at" | "watching" | "off" | "score">} Seen */

/** A game without a move for so long has fallen silent. */
export const SILENT_MS = 60_000;

/**
 * The game to show. An unfinished one that is still being moved in is never left. While none is being moved in, what is
 * shown stays; to begin with, it is the unfinished one that was moved in last.
 * @param {readonly Seen[]} rows @param {number} now by the clock that the rows' `at` are of
 * @param {string | null} current the game that is shown
 * @returns {string | null}
 */
export function choose(rows, now, current) {
  const unfinished = rows.filter((row) => !row.won);
  const moving = unfinished.filter((row) => now - row.at < SILENT_MS);
  if (moving.some((row) => row.g === current)) return current;
  return first(moving, (row) => worth(row, now)) ?? current ?? first(unfinished, (row) => row.at);
}

/**
 * Twice the spectators, a sequence more, or a minute less of silence weigh the same.
 * @param {Seen} row @param {number} now
 */
const worth = ({ watching, off, score, at }, now) =>
  Math.log2(1 + watching) + off.length + score / 1000 - (now - at) / SILENT_MS;

/** @param {readonly Seen[]} rows @param {(row: Seen) => number} by */
const first = (rows, by) =>
  rows.reduce((/** @type {Seen | null} */ best, row) => (best && by(best) >= by(row) ? best : row), null)?.g ?? null;
