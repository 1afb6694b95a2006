/**
 * A table at a glance: small cards with their indices, as one drawing. For lists, where a whole table for each game
 * would be too much.
 */
import { svg, symbolOf } from "./dom.js";
import { suit } from "./position.js";
import { shortName } from "./words.js";

/** @typedef {import("./messages.js").Suit} Suit */

const CARD = { width: 29, height: 40, strip: 11, gap: 3 };
const HEIGHT = 150;

/**
 * @param {readonly string[]} lines ten lines of cards
 * @param {readonly Suit[]} off the removed sequences: all that there is to see when the table is empty
 * @returns {SVGElement}
 */
export function smallTable(lines, off) {
  const table = emptyTable(lines.length);
  drawTable(table, lines, off);
  return table;
}

/** A place for a small table, as large as one. @param {number} columns */
export function emptyTable(columns) {
  const width = columns * (CARD.width + CARD.gap) + CARD.gap;
  return svg("svg", { class: "small-table", viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" });
}

/**
 * Draws what differs from what is drawn there already. The columns that changed last stay marked as such: nothing moves
 * by itself, for a list full of small animations would not leave a processor alone.
 * @param {SVGElement} table @param {readonly string[]} lines @param {readonly Suit[]} off
 */
export function drawTable(table, lines, off) {
  const drawn = [...table.querySelectorAll("g")];
  if (drawn.some((column, i) => column.dataset.cards !== lines[i]))
    for (const column of drawn) column.classList.remove("changed");
  lines.forEach((line, i) => {
    if (drawn[i]?.dataset.cards === line) return;
    const column = smallColumn(line, CARD.gap + i * (CARD.width + CARD.gap));
    if (!drawn[i]) return table.append(column);
    column.classList.add("changed");
    drawn[i].replaceWith(column);
  });
  for (const mark of table.querySelectorAll(":scope > use")) mark.remove();
  if (off.length === 4) table.append(...off.map(wonSuit));
}

/** @param {string} line @param {number} x */
function smallColumn(line, x) {
  const cards = line.split(" ").filter(Boolean);
  const strip = Math.min(CARD.strip, (HEIGHT - CARD.height - 4) / Math.max(1, cards.length - 1));
  const slot = svg("rect", { class: "slot", width: CARD.width, height: CARD.height, rx: 3, y: 2 });
  return svg(
    "g",
    { transform: `translate(${x})`, "data-cards": line },
    ...(cards.length > 0 ? [] : [slot]),
    ...cards.flatMap((card, i) => smallCard(card, 2 + i * strip)),
    ...cards.slice(-1).map((card) => smallSuit(card, 2 + (cards.length - 1) * strip)),
  );
}

/** @param {string} card @param {number} y */
function smallCard(card, y) {
  const index = svg("text", { class: `suit-${suit(card)}`, x: 2.5, y: y + 9 });
  index.textContent = shortName(card);
  return [svg("rect", { class: "paper", width: CARD.width, height: CARD.height, rx: 3, y }), index];
}

/** What lies on top can be told from afar. @param {string} card @param {number} y */
function smallSuit(card, y) {
  const size = CARD.width * 0.66;
  return glyph(suit(card), { x: (CARD.width - size) / 2, y: y + CARD.height - size - 5, size });
}

/** @param {Suit} of @param {number} i */
const wonSuit = (of, i) => glyph(of, { x: 56 + i * 56, y: 70, size: 42 });

/** @param {Suit} of @param {{x: number, y: number, size: number}} place */
const glyph = (of, { x, y, size }) =>
  symbolOf(`suit-${of}`, { class: `suit-${of}`, x, y, width: size, height: size });
