/** Moves that did not stand are not thrown away: they stay on the device, and a bar offers to play on with them. */
import { el, takeAway } from "./dom.js";
import { t } from "./i18n.js";
import { fallen } from "./rescue.js";
import { firstLost, forgetLost, isLost, keepLost } from "./waiting.js";
import { sentence } from "./words.js";

/** @typedef {import("./waiting.js").Lost} Lost */
/** @typedef {Lost & {name: string}} Kept */

/**
 * Keeps what does not stand, and offers it; where there is nothing left to play on from, says so.
 * @param {import("./play.js").Play} play
 * @param {import("./rescue.js").Had} had
 * @param {import("./messages.js").Command[]} dropped what was done after that
 * @param {Lost["why"]} why
 * @returns {Promise<true>}
 */
export async function rescue(play, had, dropped, why) {
  await play.learn();
  const moves = fallen(had, dropped, play.state);
  if (!moves) play.tell(sentence("news.set_back", {}), "news");
  if (!moves || moves.commands.length === 0) return true;
  keepLost(play.g, { ...moves, why });
  play.around.offer();
  return true;
}

/**
 * Offers the first that are not answered, here or in another tab. An offer that stands already is left alone: it is
 * not read out again, and keeps the focus.
 * @param {HTMLElement} root @param {string} g @param {(g: string, moves: Kept) => Promise<void>} keepMoves
 */
export function showOffer(root, g, keepMoves) {
  const shown = root.querySelector(".of-moves");
  if (shown && isLost(shown.getAttribute("data-moves-of") ?? "")) return;
  if (shown) takeAway(shown);
  const moves = firstLost(g);
  if (!moves) return;
  let isAnswered = false;
  /** @param {() => void | Promise<void>} act */
  const answer = (act) => async (/** @type {MouseEvent} */ event) => {
    // The second press of a double click would answer the next offer.
    if (isAnswered || event.detail > 1) return;
    isAnswered = true;
    await act();
    isAnswered = false;
    look();
  };
  const look = () => {
    if (bar.isConnected) showOffer(root, g, keepMoves);
    else window.removeEventListener("storage", look);
  };
  const bar = el(
    "div",
    { class: "offer of-moves", "data-moves-of": moves.name },
    el("p", { role: "alert" }, t(`offer.${moves.why}`, { n: moves.commands.length, version: moves.v })),
    el(
      "div",
      { class: "buttons" },
      button("keep", answer(() => alone(moves.name, () => keepMoves(g, moves)))),
      button("let_go", answer(() => forgetLost(moves.name))),
    ),
  );
  root.append(bar);
  window.addEventListener("storage", look);
}

/** Keeps them, unless another tab does, or has. @param {string} name @param {() => Promise<void>} keep */
async function alone(name, keep) {
  const unlessAnswered = async (/** @type {unknown} */ isFree) => {
    if (isFree && isLost(name)) await keep();
  };
  await (navigator.locks ? navigator.locks.request(name, { ifAvailable: true }, unlessAnswered) : unlessAnswered(true));
}

/** @param {"keep" | "let_go"} choice @param {(event: MouseEvent) => void} onclick */
const button = (choice, onclick) =>
  el("button", { type: "button", class: choice === "keep" && "main", "data-offer": choice, onclick }, t(`offer.${choice}`));
