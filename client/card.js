/** One card as an element: drawn by the sprite, named for assistive technology, moved by its transform. */
import { el, printed } from "./dom.js";

/** @typedef {import("./motion.js").Spot} Spot */
/**
 * x and y as last painted, seen from the table, and the transform that this took
 * @typedef {{element: HTMLElement, text: string, column: number, x: number, y: number, transform: string}} CardElement
 */

let count = 0;

/** @param {string} text "TH" @param {string} name @param {Spot} from where it comes from @returns {CardElement} */
export function newCard(text, name, { x, y }) {
  const element = el(
    "div",
    {
      class: "card",
      "data-card": text,
      // an active descendant is referred to by its id
      id: `card-${++count}`,
      role: "option",
      "aria-selected": "false",
      "aria-label": name,
    },
    printed(`card-${text}`, "0 0 100 140"),
  );
  return { element, text, column: 0, x, y, transform: "" };
}

/** @param {CardElement} card @param {Spot} spot @param {number} edge the left edge of its column */
export function paint(card, { x, y }, edge) {
  card.x = x;
  card.y = y;
  const transform = `translate(${x - edge}px, ${y}px)`;
  // fifty of them are where they were, at each move
  if (transform !== card.transform) card.element.style.transform = transform;
  card.transform = transform;
}
