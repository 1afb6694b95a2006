/** Signs this device in as a player from another one, by a code that stands after the # or is typed. */
import { ApiError, api } from "./api.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { problemText } from "./problems.js";

/** @param {HTMLElement} root */
export function showLink(root) {
  const typed = decodeURIComponent(location.hash.slice(1));
  const field = el("input", {
    name: "code",
    type: "text",
    required: true,
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "K7QM-2XHT",
    value: typed,
  });
  const button = el("button", { type: "submit", class: "main" }, t("link.go"));
  const problem = el("p", { class: "problem", role: "alert" });

  async function signIn() {
    button.disabled = true;
    problem.textContent = "";
    try {
      const { current } = await api.useLink(field.value.trim());
      location.assign(current === null ? "/" : `/games/${current}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.textContent = problemText(error);
      button.disabled = false;
    }
  }

  root.replaceChildren(
    el(
      "div",
      { class: "sheet" },
      el("h1", {}, t("link.title")),
      el("p", {}, t("link.lead")),
      el(
        "form",
        {
          class: "link-form",
          onsubmit: (event) => {
            event.preventDefault();
            void signIn();
          },
        },
        el("label", {}, t("link.code"), field),
        button,
      ),
      problem,
      el("p", { class: "small" }, t("link.where")),
    ),
  );
  (typed ? button : field).focus();
}
