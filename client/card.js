/** One card as an element: drawn by the sprite, named for assistive technology. */
import { el, printed } from "./dom.js";

let count = 0;

/** @param {string} text "TH" @param {string} name @returns {HTMLElement} */
export const cardElement = (text, name) =>
  el(
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
