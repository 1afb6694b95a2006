/** Building elements without a framework: one function for HTML, one for the drawn icons. */
import { ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";
const SPRITE = new URL("cards.svg", import.meta.url).pathname;

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * An element. An attribute that is a function listens to the event of that name (`onclick`); true sets it empty,
 * false and null leave it out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Element} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** A drawing for a control; its meaning is told by the control's own name. @param {keyof typeof ICONS} name */
export const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

/** Draws the icons that a part of the page names. @param {ParentNode} root */
export function drawIcons(root) {
  for (const element of root.querySelectorAll("[data-icon]"))
    element.prepend(icon(/** @type {any} */ (element.getAttribute("data-icon"))));
}

/** A symbol of the card sprite. @param {string} symbol @param {Record<string, string | number>} [attributes] */
export const symbolOf = (symbol, attributes = {}) => svg("use", { href: `${SPRITE}#${symbol}`, ...attributes });

/** The same as a drawing of its own. @param {string} symbol @param {string} viewBox @param {string} [className] */
export const printed = (symbol, viewBox, className = "") =>
  svg("svg", { viewBox, class: className, "aria-hidden": "true" }, symbolOf(symbol));

/** Writes a text, unless it stands there: what is written is laid out. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The same for attributes. @param {Element} element @param {Record<string, string | number | boolean>} attributes */
export function mark(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** Where whoever uses keys goes on when a part of the page has gone: at the table, or where the page begins. */
const home = () => document.querySelector("#table [tabindex='0']") ?? document.querySelector("#page");

/**
 * The focus in what is about to go, or has gone already, is handed on; else it would fall to the page, and whoever uses
 * keys would begin anew.
 * @param {Element} from @param {Element | null} [to] the table, or where the page begins
 */
export function passFocus(from, to = home()) {
  if (from.contains(document.activeElement) && to instanceof HTMLElement) to.focus({ preventScroll: true });
}

/** Removes it, and hands on the focus. @param {Element} element @param {Element | null} [to] */
export function takeAway(element, to) {
  passFocus(element, to);
  element.remove();
}

/** Opens another page, and waits until this one has gone: what was pressed is there until then. @param {string} address */
export function leaveFor(address) {
  location.assign(address);
  return new Promise((gone) => window.addEventListener("pagehide", gone, { once: true }));
}

/**
 * @template {Element} T
 * @param {string} selector @param {{new (): T}} type @param {ParentNode} [root]
 * @returns {T} the one element that must be there
 */
export function one(selector, type, root = document) {
  const element = root.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`no ${selector} on this page`);
  return element;
}
