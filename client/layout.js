/**
 * Where the columns and cards of a table lie, in pixels, from the size of the table alone. Pure: nothing is measured
 * here.
 */

/** @typedef {"small" | "medium" | "large"} CardSize */
/**
 * @typedef {object} Layout
 * @property {number} width of a card
 * @property {number} height of a card
 * @property {number[]} x the left edge of each column
 * @property {(length: number) => number} strip how far apart the cards of a column of this length lie
 */

const RATIO = 1.4;
// The printed index of a card ends at 0.40 of its width: less must never be visible of a covered card.
const INDEX = 0.41;
const WIDEST = { small: 84, medium: 112, large: 140 };
const SHARE = { small: 0.84, medium: 1, large: 1 };
// A hand that trembles does not mean the column next door.
const LEAST_OVERLAP = 0.3;
// So many cards must fit below each other before cards have to shrink; a longer column is rare.
const USUAL_LENGTH = 12;

/**
 * @param {{width: number, height: number}} table
 * @param {{columns: number, longest: number, size: CardSize, usual?: number}} wish `usual` cards must always fit
 * @returns {Layout}
 */
export function layoutOf(table, { columns, longest, size, usual = USUAL_LENGTH }) {
  const gap = Math.max(1.5, table.width * 0.006);
  const fits = (table.width - gap * (columns + 1)) / columns;
  const tallest = table.height / (RATIO + INDEX * (Math.max(usual, longest) - 1));
  const width = Math.max(8, Math.floor(Math.min(fits * SHARE[size], WIDEST[size], tallest) * 2) / 2);
  const height = width * RATIO;
  const between = Math.min((table.width - width * columns) / (columns + 1), width * 0.35);
  const left = (table.width - width * columns - between * (columns - 1)) / 2;
  const free = table.height - height;
  // A finger needs more to hit than a mouse: narrow cards lie further apart for their size.
  const ideal = width * (width < 48 ? 0.92 : 0.52);
  const even = Math.max(width * INDEX, Math.min(ideal, free / Math.max(1, usual)));
  return {
    width,
    height,
    x: Array.from({ length: columns }, (_, i) => left + i * (width + between)),
    strip: (length) => (length < 2 ? 0 : Math.min(even, free / (length - 1))),
  };
}

/**
 * The column that a rectangle at x overlaps most, among these.
 * @param {Layout} layout
 * @param {number} x
 * @param {readonly number[]} among
 * @returns {number | null}
 */
export function mostOverlapped(layout, x, among) {
  /** @param {number} at */
  const overlap = (at) => layout.width - Math.abs(layout.x[at] - x);
  const best = among.reduce(
    (most, at) => (most === null || overlap(at) > overlap(most) ? at : most),
    /** @type {number | null} */ (null),
  );
  return best !== null && overlap(best) > layout.width * LEAST_OVERLAP ? best : null;
}

/** The column nearest to a point. @param {Layout} layout @param {number} x */
export const nearestColumn = (layout, x) =>
  layout.x.reduce(
    (best, left, at) =>
      Math.abs(left + layout.width / 2 - x) < Math.abs(layout.x[best] + layout.width / 2 - x) ? at : best,
    0,
  );
