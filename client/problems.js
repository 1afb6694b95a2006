/** What went wrong, in words: by code where the page has words for it, otherwise as the server says it. */
import { ApiError } from "./api.js";
import { hasText, t } from "./i18n.js";

/** @param {{code: string, message: string}} error */
export function problemText({ code, message }) {
  const event = code === "bad_file" ? /^event (\d+)/.exec(message)?.[1] : undefined;
  if (event) return t("problem.bad_event", { event });
  const key = `problem.${code}`;
  return hasText(key) ? t(key) : t("problem.other", { detail: message });
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
    line.textContent = "";
    try {
      await act(...wish);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      line.textContent = problemText(error);
    } finally {
      isUnderWay = false;
    }
  };
}
