/** What went wrong, in words: by code where the page has words for it, otherwise as the server says it. */
import { ApiError } from "./api.js";
import { el, one } from "./dom.js";
import { hasText, t } from "./i18n.js";

/** @param {{code: string, message: string}} error */
export function problemText({ code, message }) {
  const event = code === "bad_file" ? /^event (\d+)/.exec(message)?.[1] : undefined;
  if (event) return t("problem.bad_event", { event });
  const key = `problem.${code}`;
  return hasText(key) ? t(key) : t("problem.other", { detail: message });
}

/** The same for a Voice. @param {{code: string, message: string}} error @returns {import("./words.js").Sentence} */
export function problemSentence(error) {
  const text = problemText(error);
  return { shown: text, spoken: text };
}

/** In place of a page that cannot be had; without texts all that can be said stands in the page. @param {ApiError} error */
export const problemSheet = (error) =>
  hasText("problem.title") ? told(error) : one("#no-texts", HTMLTemplateElement).content.cloneNode(true);

/** @param {ApiError} error */
const told = (error) =>
  el(
    "div",
    { class: "sheet" },
    el("h1", {}, t("problem.title")),
    el("p", { class: "problem", role: "alert" }, problemText(error)),
    el(
      "p",
      { class: "buttons" },
      el("button", { type: "button", class: "main", onclick: () => location.reload() }, t("problem.again")),
      el("a", { href: "/watch" }, t("nav.watch")),
    ),
  );

/**
 * Does it; why it cannot be is told in a line.
 * @param {Element} line @param {() => Promise<unknown>} act @returns {Promise<boolean>} whether it was done
 */
export async function tellWhyNot(line, act) {
  line.textContent = "";
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    line.textContent = problemText(error);
    return false;
  }
}

/**
 * What a button wishes, once for a double click, too: nothing is begun while it is under way, and why it cannot be is
 * told in a line beside it.
 * @template {unknown[]} W
 * @param {Element} line @param {(...wish: W) => Promise<unknown>} act
 */
export function attempt(line, act) {
  let isUnderWay = false;
  return async (/** @type {W} */ ...wish) => {
    if (isUnderWay) return;
    isUnderWay = true;
    await tellWhyNot(line, () => act(...wish)).finally(() => {
      isUnderWay = false;
    });
  };
}
