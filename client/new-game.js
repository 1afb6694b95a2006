/**
 * "How many suits?", or a deal code, or ten lines of cards. A game that is on is asked about first, in the same place.
 */
import { openDialog } from "./dialog.js";
import { el, passFocus, printed } from "./dom.js";
import { t } from "./i18n.js";
import { attempt } from "./problems.js";

/** @typedef {import("./api.js").NewGame} NewGame */

const PACKS = /** @type {const} */ ([
  [1, "easy", "S"],
  [2, "medium", "SH"],
  [4, "hard", "SHDC"],
]);

/**
 * @param {{isOn: boolean, start: (wish: NewGame) => Promise<void>}} wish `isOn`: a game is under way
 */
export function openNewGame({ isOn, start }) {
  const problem = el("p", { class: "problem", role: "alert" });
  const parts = el(
    "div",
    {},
    packButtons((suits) => choose({ suits })),
    codeForm((code) => choose({ code })),
    linesForm((columns) => choose({ columns })),
    fileField((file) => choose({ file })),
    problem,
  );
  const dialog = openDialog("new-game", t("new.title"), parts);
  const begin = attempt(problem, (/** @type {NewGame} */ wish) => start(wish).then(() => dialog.close(), backToParts));

  /** @type {Element | null} */
  let asked = null;

  /** @param {unknown} error */
  function backToParts(error) {
    parts.hidden = false;
    const sure = dialog.querySelector(".sure");
    if (sure) passFocus(sure, asked);
    sure?.remove();
    throw error;
  }

  /** @param {NewGame} wish */
  function choose(wish) {
    if (!isOn) return void begin(wish);
    const yes = el(
      "button",
      { type: "button", class: "main", "data-answer": "yes", onclick: () => void begin(wish) },
      t("new.yes"),
    );
    const no = el("button", { type: "button", "data-answer": "no", onclick: () => dialog.close() }, t("new.no"));
    asked = document.activeElement;
    parts.hidden = true;
    dialog.append(el("div", { class: "sure" }, el("p", {}, t("new.sure")), el("div", { class: "buttons" }, yes, no)));
    yes.focus();
  }
}

/** @param {(suits: number) => void} choose */
function packButtons(choose) {
  return el(
    "div",
    { class: "packs" },
    ...PACKS.map(([suits, name, symbols]) =>
      el(
        "button",
        { type: "button", "data-suits": suits, onclick: () => choose(suits) },
        el(
          "span",
          { class: "suits" },
          ...[...symbols].map((suit) => printed(`suit-${suit}`, "0 0 100 100", `suit-${suit}`)),
        ),
        el("strong", {}, t(`new.${name}`)),
        el("span", {}, t("suits", { n: suits })),
      ),
    ),
  );
}

/** @param {(code: string) => void} choose */
function codeForm(choose) {
  const field = el("input", {
    name: "code",
    type: "text",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "SS1-S1-AAAAABD",
    required: true,
  });
  return el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        choose(field.value);
      },
    },
    el(
      "label",
      {},
      t("new.code"),
      el("span", { class: "with-button" }, field, el("button", { type: "submit" }, t("new.deal"))),
    ),
  );
}

/** @param {(columns: string[]) => void} choose */
function linesForm(choose) {
  const field = el("textarea", { name: "columns", rows: 10, spellcheck: "false", autocomplete: "off", required: true });
  return el(
    "details",
    {},
    el("summary", {}, t("new.lines")),
    el(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          choose(field.value.trim().split(/\s*\n\s*/));
        },
      },
      el("label", {}, t("new.lines.help"), field),
      el("button", { type: "submit" }, t("new.deal")),
    ),
  );
}

/** A game that was taken along as a file. @param {(file: unknown) => void} choose */
function fileField(choose) {
  const field = el("input", {
    name: "file",
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    onchange: async () => {
      const text = await field.files?.[0]?.text();
      field.value = "";
      if (text !== undefined) choose(parsed(text));
    },
  });
  return el(
    "details",
    {},
    el("summary", {}, t("new.file")),
    el("p", {}, t("new.file.help")),
    // the browser's own button speaks the browser's language
    el("button", { type: "button", onclick: () => field.click() }, t("new.file.choose")),
    field,
  );
}

/** What is no JSON goes to the server as the text that it is, and is refused there. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
