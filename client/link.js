/** Signs this device in as a player from another one, by a code that stands after the # or is typed. */
import { api } from "./api.js";
import { el, leaveFor } from "./dom.js";
import { t } from "./i18n.js";
import { attempt } from "./problems.js";

// Drawn anew in another language, the page still has one code under way at most.
const problem = el("p", { class: "problem", role: "alert" });
const go = attempt(problem, signIn);

/** @param {HTMLElement} root */
export function showLink(root) {
  // Drawn anew in another language it keeps what was typed.
  const typed = root.querySelector("input")?.value ?? location.hash.slice(1);
  const field = codeField(typed);
  const button = el("button", { type: "submit", class: "main" }, t("link.go"));
  problem.textContent = "";
  const form = el(
    "form",
    {
      class: "link-form",
      onsubmit: (event) => {
        event.preventDefault();
        void go(field.value.trim());
      },
    },
    el("label", {}, t("link.code"), field),
    button,
  );
  const where = el("p", { class: "small" }, t("link.where"));
  const lead = el("p", {}, t("link.lead"));
  root.replaceChildren(el("div", { class: "sheet" }, el("h1", {}, t("link.title")), lead, form, problem, where));
  // With the code from the address there is one thing left to do: previews of links must not do it.
  (typed ? button : field).focus();
}

/** @param {string} value */
const codeField = (value) =>
  el("input", {
    name: "code",
    type: "text",
    required: true,
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "K7QM-2XHT",
    value,
  });

/** @param {string} code */
async function signIn(code) {
  const { current } = await api.useLink(code);
  await leaveFor(current === null ? "/" : `/games/${current}`);
}
