/** Cards, columns and refusals in words: short for the eye ("7♥"), whole for the ear ("7 of hearts"). */
import { t } from "./i18n.js";
import { rank, runLength, suit } from "./position.js";

/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./messages.js").Rule} Rule */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {{shown: string, spoken: string}} Sentence */

// The variation selector keeps the suits from turning into coloured emoji.
const SYMBOLS = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E" };

/** @param {string} card */
export const shortName = (card) => (card[0] === "T" ? "10" : card[0]) + SYMBOLS[suit(card)];

/** @param {string} card @param {"rank" | "rank_onto"} [form] Greek needs another form after "onto" */
export const fullName = (card, form = "rank") =>
  t("card", { rank: t(`${form}.${card[0]}`), suit: t(`suit.${suit(card)}`) });

/** "7 of hearts", or the first and the last of a run. @param {readonly string[]} cards */
export function runName(cards) {
  if (cards.length === 1) return fullName(cards[0]);
  const [first, last] = [cards[0], cards[cards.length - 1]].map((card) => fullName(card, "rank_onto"));
  return t("cards.from_to", { n: cards.length, first, last });
}

/** "column 3, 6 cards, on top: 7 of hearts, a run of 2" @param {Position} position @param {number} at */
export function columnName(position, at) {
  const column = position[at];
  if (column.length === 0) return t("column.empty", { column: at + 1 });
  const top = fullName(column[column.length - 1]);
  const run = runLength(column);
  const cards = t("cards", { n: column.length });
  return run > 1
    ? t("column.run", { column: at + 1, cards, top, run })
    : t("column.card", { column: at + 1, cards, top });
}

/**
 * @param {string} key
 * @param {{card?: string, target?: string, upper?: string, lower?: string}} cards
 * @param {Record<string, string | number>} [values]
 * @returns {Sentence}
 */
export function sentence(key, { card, target, upper, lower }, values = {}) {
  /** @param {(card: string, form?: "rank" | "rank_onto") => string} name */
  const named = (name) => ({
    ...values,
    ...(card ? { card: name(card) } : {}),
    ...(target ? { target: name(target, "rank_onto") } : {}),
    ...(upper ? { upper: name(upper) } : {}),
    ...(lower ? { lower: name(lower) } : {}),
  });
  return { shown: t(key, named(shortName)), spoken: t(key, named(fullName)) };
}

/** The two neighbours that break a run, from the top down. @param {readonly string[]} cards @param {Rule} rule */
function breakIn(cards, rule) {
  const at = cards.findLastIndex((card, i) => {
    if (i === 0) return false;
    return rule === "mixed_suits" ? suit(card) !== suit(cards[i - 1]) : rank(card) !== rank(cards[i - 1]) - 1;
  });
  return { upper: cards[at - 1], lower: cards[at] };
}

/**
 * Why a command was refused, with the cards that it was about.
 * @param {Rule} rule @param {Position} position @param {Move} [move]
 * @returns {Sentence}
 */
export function refusalSentence(rule, position, move) {
  if (!move) return sentence(`refused.${rule}`, {});
  const [from, count, to] = move;
  const cards = position[from]?.slice(-count) ?? [];
  if (rule === "not_in_sequence" || rule === "mixed_suits") return sentence(`refused.${rule}`, breakIn(cards, rule));
  return sentence(`refused.${rule}`, { card: cards[0], target: position[to]?.at(-1) }, { column: from + 1 });
}

/** Why no card may be touched now. @param {import("./state.js").GameState} state @returns {Sentence | null} */
export function whyNot({ isMine, isLive, snapshot, at, isForeseen, foreseen }) {
  if (!isMine) return sentence("refused.spectator", {}, { name: snapshot.by.name });
  if (!isLive) return sentence("refused.looking_back", {}, { version: at ?? 0 });
  if (foreseen.won) return sentence("refused.game_over", {});
  return isForeseen ? null : sentence("refused.waiting", {});
}

/**
 * What just happened to the table, for the ear.
 * @param {import("./messages.js").ServerMessage["t"]} kind
 * @param {import("./rules.js").Game} before @param {import("./rules.js").Game} after
 */
export function happened(kind, before, after) {
  const { off, score, moves } = after;
  if (after.won) return t("said.won", { score, n: moves });
  if (off.length > before.off.length)
    return t("said.removed", { suit: t(`suit_whole.${off[off.length - 1]}`), n: off.length });
  const { action } = kind === "undo" ? before.state : after.state;
  if (kind === "state" || action?.t !== "move") return t("said.table", { score, n: moves });
  return kind === "undo" ? said("said.undo", after, action.m) : said("said.move", before, action.m);
}

/** @param {string} key @param {import("./rules.js").Game} game the one before the move @param {Move} move */
function said(key, { position }, [from, count, to]) {
  const cards = position[from].slice(-count);
  const target = position[to].at(-1);
  return t(target ? key : `${key}_empty`, {
    cards: runName(cards),
    target: target ? fullName(target, "rank_onto") : "",
    column: to + 1,
    from: from + 1,
  });
}
