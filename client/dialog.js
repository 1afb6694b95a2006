/**
 * Questions and forms in place: one native dialog at a time, closed by Escape, by its button, or by a press beside it.
 */
import { el, icon, passFocus } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * @param {string} kind names it for style
 * @param {string} title
 * @param {...Child} children
 * @returns {HTMLDialogElement} open
 */
export function openDialog(kind, title, ...children) {
  for (const open of document.querySelectorAll("dialog")) {
    open.close(); // gives the focus back, which the next one gives back in turn
    open.remove(); // its `close` event comes later, and until then there would be two
  }
  const close = el(
    "button",
    { class: "close", type: "button", "aria-label": t("close"), title: t("close"), onclick: () => dialog.close() },
    icon("close"),
  );
  const dialog = el(
    "dialog",
    { class: `dialog ${kind}`, "aria-labelledby": "dialog-title" },
    el("header", {}, el("h2", { id: "dialog-title" }, title), close),
    ...children,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The browser gives the focus back to what opened it, unless that has gone meanwhile.
    if (document.activeElement === document.body) passFocus(document.body);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * @param {{title: string, text: string, yes: string, no: string}} words
 * @param {() => void} act
 */
export function ask({ title, text, yes, no }, act) {
  const dialog = openDialog(
    "question",
    title,
    el("p", {}, text),
    el(
      "div",
      { class: "buttons" },
      el(
        "button",
        {
          type: "button",
          class: "main",
          "data-answer": "yes",
          onclick: () => {
            dialog.close();
            act();
          },
        },
        yes,
      ),
      el("button", { type: "button", "data-answer": "no", onclick: () => dialog.close() }, no),
    ),
  );
}

/** A field of text with a button that copies it. @param {string} text @param {string} label */
export function copyField(text, label) {
  const field = el("input", {
    type: "text",
    readonly: true,
    value: text,
    "aria-label": label,
    onfocus: () => field.select(),
  });
  const button = el(
    "button",
    { type: "button", onclick: () => copy() },
    icon("copy"),
    el("span", { "aria-live": "polite" }, t("copy")),
  );
  async function copy() {
    const isCopied = await copyText(text);
    if (!isCopied) field.select();
    button.lastChild?.replaceWith(el("span", { "aria-live": "polite" }, t(isCopied ? "copied" : "copy.by_hand")));
  }
  return el("div", { class: "copy" }, field, button);
}

/** @param {string} text @returns {Promise<boolean>} false where the browser does not let the page copy */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
