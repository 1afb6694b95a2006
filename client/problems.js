/** What went wrong over HTTP, in words: by code where the page has words for it, otherwise as the server says it. */
import { hasText, t } from "./i18n.js";

/** @param {import("./api.js").ApiError} error */
export function problemText({ code, message }) {
  const event = code === "bad_file" ? /^event (\d+)/.exec(message)?.[1] : undefined;
  if (event) return t("problem.bad_event", { event });
  const key = `problem.${code}`;
  return hasText(key) ? t(key) : t("problem.other", { detail: message });
}
