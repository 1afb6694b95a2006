/**
 * Cards, columns and the rules of one move. Pure: no score, no history, no page.
 * A card is its text ("TH"), a column an array of cards with the one on top last, a position an array of columns.
 */

/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./messages.js").Rule} Rule */
/** @typedef {import("./messages.js").Suit} Suit */
/** @typedef {readonly string[]} Column */
/** @typedef {readonly Column[]} Position */

export const RANKS = "A23456789TJQK";
const SEQUENCE = 13;

/** The rules forbid a command; `rule` is the stable name. */
export class Refused extends Error {
  /** @param {Rule} rule */
  constructor(rule) {
    super(rule);
    this.rule = rule;
  }
}

/** @param {string} card 1 for the ace, 13 for the king */
export const rank = (card) => RANKS.indexOf(card[0]) + 1;

/** @param {string} card */
export const suit = (card) => /** @type {Suit} */ (card[1]);

/** @param {readonly string[]} lines @returns {Position} */
export const parsePosition = (lines) => lines.map((line) => line.split(" ").filter(Boolean));

/** @param {Position} position @returns {string[]} */
export const textOf = (position) => position.map((column) => column.join(" "));

/** @param {Column} cards */
const descends = (cards) => cards.every((card, i) => i === 0 || rank(cards[i - 1]) === rank(card) + 1);

/** @param {Column} cards */
const hasOneSuit = (cards) => cards.every((card) => suit(card) === suit(cards[0]));

/** @param {Column} cards */
export const isRun = (cards) => cards.length > 0 && descends(cards) && hasOneSuit(cards);

/** How many cards at the end of the column move together. @param {Column} column */
export function runLength(column) {
  let count = Math.min(1, column.length);
  while (count < column.length && isRun(column.slice(-count - 1))) count++;
  return count;
}

/**
 * The first rule that forbids taking these cards, or null.
 * @param {Position} position @param {number} from @param {number} count
 * @returns {Rule | null}
 */
export function whyNotTaken(position, from, count) {
  const column = position[from];
  if (column === undefined) return "no_such_column";
  if (!Number.isInteger(count) || count < 1 || count > column.length) return "no_such_cards";
  const cards = column.slice(-count);
  if (!descends(cards)) return "not_in_sequence";
  return hasOneSuit(cards) ? null : "mixed_suits";
}

/**
 * The first rule that forbids this card to lie on that one, or null.
 * @param {string} card @param {string | undefined} target undefined for an empty column
 * @returns {Rule | null}
 */
function whyNotOnto(card, target) {
  if (target === undefined || rank(target) === rank(card) + 1) return null;
  if (rank(target) === 1) return "onto_ace";
  return rank(card) === 13 ? "king_needs_empty_column" : "wrong_rank";
}

/**
 * The first rule that forbids the move, in the order of the rules: the columns, the cards, the run, the target.
 * @param {Position} position @param {Move} move
 * @returns {Rule | null}
 */
export function refusal(position, [from, count, to]) {
  if (position[from] === undefined || position[to] === undefined) return "no_such_column";
  if (from === to) return "same_column";
  return whyNotTaken(position, from, count) ?? whyNotOnto(position[from].at(-count) ?? "", position[to].at(-1));
}

/** @param {Position} position @param {Move} move @throws {Refused} */
export function check(position, move) {
  const rule = refusal(position, move);
  if (rule) throw new Refused(rule);
}

/** Lays the cards over, whatever the rules say. @param {Position} position @param {Move} move @returns {Position} */
export function carried(position, [from, count, to]) {
  const cards = position[from].slice(-count);
  return position.map((column, i) => {
    if (i === from) return column.slice(0, -count);
    return i === to ? [...column, ...cards] : column;
  });
}

/** The suit of the complete sequence at the end of a column, or null. @param {Column} column */
export function completed(column) {
  return runLength(column) === SEQUENCE ? suit(column[column.length - 1]) : null;
}

/** @param {Position} position @param {number} at @returns {Position} */
export const withoutSequence = (position, at) =>
  position.map((column, i) => (i === at ? column.slice(0, -SEQUENCE) : column));

/** @param {Position} position @param {number} at @param {Suit} of @returns {Position} */
export const withSequence = (position, at, of) =>
  position.map((column, i) => (i === at ? [...column, ...[...RANKS].reverse().map((r) => r + of)] : column));

/**
 * @param {Position} position
 * @param {number} from
 * @param {number} count
 * @returns {number[]} the columns that accept the run
 */
export const acceptingColumns = (position, from, count) =>
  position.flatMap((_, to) => (refusal(position, [from, count, to]) === null ? [to] : []));

/**
 * How good a target is: more is better. A same suit beats an empty column beats another suit; the longest run beats a
 * shorter one.
 * @param {Column} cards @param {Column} target
 */
function worth(cards, target) {
  if (target.length === 0) return 100;
  return suit(target[target.length - 1]) === suit(cards[0]) ? 200 + runLength(target) : 0;
}

/**
 * Where a double-click sends the last `count` cards of a column; null when they are no run or nothing takes them.
 * A whole column never goes to an empty one: it would only cost a point.
 * @param {Position} position @param {number} from @param {number} count
 * @returns {number | null}
 */
export function bestColumn(position, from, count) {
  const whole = count === position[from]?.length;
  const targets = acceptingColumns(position, from, count).filter((to) => !(whole && position[to].length === 0));
  if (targets.length === 0) return null;
  const cards = position[from].slice(-count);
  return targets.reduce((best, to) => (worth(cards, position[to]) > worth(cards, position[best]) ? to : best));
}
