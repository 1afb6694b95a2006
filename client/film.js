/** A game as a film: its real timing, with long pauses cut. Pure. */

const LONGEST_PAUSE_MS = 2_000;

/**
 * When each version comes on, in ms from the deal on.
 * @param {readonly number[]} times of the versions, in ms since 1970; not always in order, for they may be of two clocks
 */
export function filmOf(times) {
  let at = 0;
  return times.map((time, i) => {
    const pause = i === 0 ? 0 : time - times[i - 1];
    at += Math.min(LONGEST_PAUSE_MS, Math.max(0, pause));
    return at;
  });
}

/** The version that is on after so many ms of it: 1 is the deal. @param {readonly number[]} film @param {number} ms */
export function versionAt(film, ms) {
  let low = 0;
  let high = film.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (film[middle] <= ms) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}
