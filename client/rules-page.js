/** The rules in our own words, with small tables drawn by the code that draws the big one. */
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { carried, completed, parsePosition, withoutSequence } from "./position.js";
import { TableView } from "./render.js";
import { columnName, fullName } from "./words.js";

/** @typedef {import("./messages.js").Move} Move */
/** @typedef {{key: string, paragraphs: number, columns?: string[], move?: Move}} Section */

/** @type {Section[]} */
const SECTIONS = [
  { key: "short", paragraphs: 2 },
  { key: "deal", paragraphs: 2 },
  { key: "card", paragraphs: 2, columns: ["KC 4S", "9H 3H", "AD"], move: [1, 1, 0] },
  { key: "run", paragraphs: 2, columns: ["JC 9D", "KS 8H 7H 6H", "QH 6S"], move: [1, 3, 0] },
  { key: "mixed", paragraphs: 1, columns: ["JC 9D", "KS 8H 7S 6S", "QH 8C"], move: [1, 2, 2] },
  { key: "empty", paragraphs: 2, columns: ["", "9S 5D 4D", "KH 7C"], move: [1, 2, 0] },
  {
    key: "sequence",
    paragraphs: 2,
    columns: ["5H KS QS JS TS 9S 8S 7S 6S 5S 4S", "8D 3S 2S AS", "QC"],
    move: [1, 3, 0],
  },
  { key: "end", paragraphs: 2 },
  { key: "score", paragraphs: 2 },
  { key: "undo", paragraphs: 2 },
  { key: "hands", paragraphs: 5 },
  { key: "code", paragraphs: 1 },
];

/** @param {HTMLElement} root */
export function showRules(root) {
  root.replaceChildren(
    el("article", { class: "sheet rules" }, el("h1", {}, t("rules.title")), ...SECTIONS.map(section)),
  );
}

/** @param {Section} section */
function section({ key, paragraphs, columns, move }) {
  const texts = Array.from({ length: paragraphs }, (_, i) => el("p", {}, t(`rules.${key}.${i + 1}`)));
  return el(
    "section",
    {},
    el("h2", {}, t(`rules.${key}`)),
    ...texts,
    columns && move ? diagram(key, columns, move) : null,
  );
}

/** A table that shows one move, there and back. @param {string} key @param {string[]} columns @param {Move} move */
function diagram(key, columns, move) {
  const before = parsePosition(columns);
  const laid = carried(before, move);
  const after = completed(laid[move[2]]) ? withoutSequence(laid, move[2]) : laid;
  const table = el("div", { class: "diagram-table", inert: true });
  const view = new TableView(table, {
    columns: columns.length,
    usual: Math.max(...laid.map((column) => column.length)),
    words: { name: fullName, columnName },
  });
  view.show(before, "none");
  let isAfter = false;
  const button = el(
    "button",
    {
      type: "button",
      onclick: () => {
        isAfter = !isAfter;
        view.show(isAfter ? after : before, "glide");
        button.textContent = t(isAfter ? "rules.back" : "rules.show");
      },
    },
    t("rules.show"),
  );
  return el(
    "figure",
    { class: `diagram of-${key}` },
    el("div", { role: "img", "aria-label": before.map((_, i) => columnName(before, i)).join("; ") }, table),
    el("figcaption", {}, t(`rules.${key}.figure`), button),
  );
}
