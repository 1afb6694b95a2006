/**
 * How cards travel: transforms only, through the Web Animations API, with the times of the theme. Input never waits
 * for it.
 */
import { el } from "./dom.js";

/** @typedef {"glide" | "return" | "none"} Motion */
/** @typedef {{x: number, y: number}} Spot */
/** @typedef {{duration: number, easing: string}} Timing */

const TOKENS = {
  glide: { duration: "--move", easing: "--ease-move" },
  return: { duration: "--return", easing: "--ease-return" },
};

/** @type {Map<string, string>} what the theme says, read once: to ask about style in the middle of a move costs a frame */
const told = new Map();
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => told.clear());
/** @type {WeakMap<Element, Animation>} */
const latest = new WeakMap();

/** @param {Element} root @param {string} token */
function tokenOf(root, token) {
  const value = told.get(token) ?? getComputedStyle(root).getPropertyValue(token).trim();
  told.set(token, value);
  return value;
}

/**
 * The timing that the theme gives, or null where nothing shall move.
 * @param {Element} root
 * @param {Motion} motion
 * @returns {Timing | null}
 */
export function timingOf(root, motion) {
  if (motion === "none") return null;
  const duration = parseFloat(tokenOf(root, TOKENS[motion].duration)) || 0;
  const easing = tokenOf(root, TOKENS[motion].easing) || "ease-out";
  return duration > 0 ? { duration, easing } : null;
}

/**
 * From where an element was to where it is now. Additive, so that a card that is moved again while it still travels
 * bends its way instead of jumping.
 * @param {HTMLElement} element
 * @param {Spot} from seen from where it is now
 * @param {Timing} timing
 */
export function travel(element, { x, y }, timing) {
  element.classList.add("travels");
  const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "translate(0, 0)" }];
  const animation = element.animate(frames, { ...timing, composite: "add" });
  latest.set(element, animation);
  animation.onfinish = () => {
    if (latest.get(element) === animation) element.classList.remove("travels");
  };
}

/**
 * A card of a removed sequence flies away; its element is out of the columns already, this is its picture.
 * @param {HTMLElement} root
 * @param {Element[]} picture
 * @param {{from: Spot, to: Spot, order: number}} way `order` among the thirteen
 */
export function flyAway(root, picture, { from, to, order }) {
  const duration = parseFloat(tokenOf(root, "--flourish")) || 0;
  if (duration === 0) return;
  const ghost = el("div", { class: "card leaves", "aria-hidden": "true" }, ...picture);
  root.append(ghost);
  const frames = [
    { transform: `translate(${from.x}px, ${from.y}px)` },
    { transform: `translate(${to.x}px, ${to.y}px) scale(0.3)`, opacity: 0.4 },
  ];
  const timing = { duration: duration * 0.7, delay: (duration * 0.3 * order) / 13, easing: "ease-in" };
  ghost.animate(frames, { ...timing, fill: "both" }).onfinish = () => ghost.remove();
}
