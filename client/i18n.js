/**
 * Every text of the page, by key, from locales/*.json. A text may be one string, or one for each plural form that the
 * language has; `{name}` in it is replaced.
 */

import { early, read } from "./api.js";

/** @typedef {string | Record<string, string>} Text */
/** @typedef {"en" | "el"} Language */

/** @type {readonly Language[]} */
export const LANGUAGES = ["en", "el"];

/** @type {Record<string, Text>} */
let texts = {};
/** @type {Language} */
let language = "en";
let plural = new Intl.PluralRules(language);

/** @param {string} setting @returns {Language} */
export function languageFor(setting) {
  const wished = setting === "system" ? navigator.languages : [setting];
  for (const tag of wished) {
    const found = LANGUAGES.find((known) => tag.toLowerCase().split("-")[0] === known);
    if (found) return found;
  }
  return "en";
}

export const languageInUse = () => language;

/** @param {string} setting "system" or a language @returns {Promise<boolean>} whether the texts changed */
export async function useLanguage(setting) {
  const wanted = languageFor(setting);
  if (wanted === language && Object.keys(texts).length > 0) return false;
  const file = `locales/${wanted}.json`;
  texts = await read(early(file) ?? fetch(new URL(file, import.meta.url)));
  language = wanted;
  plural = new Intl.PluralRules(wanted);
  document.documentElement.lang = wanted;
  return true;
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values] `n` chooses the plural form
 */
export function t(key, values = {}) {
  const text = texts[key];
  if (text === undefined) return key;
  const form = typeof text === "string" ? text : (text[plural.select(Number(values.n))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** @param {string} key */
export const hasText = (key) => key in texts;

/** Fills what carries `data-t` (its text) or `data-t-label` (its name, also as a tip). @param {ParentNode} [root] */
export function translate(root = document) {
  for (const element of root.querySelectorAll("[data-t]"))
    element.textContent = t(element.getAttribute("data-t") ?? "");
  for (const element of root.querySelectorAll("[data-t-label]")) {
    const name = t(element.getAttribute("data-t-label") ?? "");
    element.setAttribute("aria-label", name);
    if (element.matches("button, a")) element.setAttribute("title", name);
  }
}

/** How long ago, in the largest fitting unit. @param {number} ms since 1970 */
export function agoText(ms) {
  const minutes = Math.round((ms - Date.now()) / 60_000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (minutes >= 0) return format.format(0, "second");
  if (minutes > -60) return format.format(minutes, "minute");
  return minutes > -60 * 24
    ? format.format(Math.round(minutes / 60), "hour")
    : format.format(Math.round(minutes / 1440), "day");
}
