/** A game as an entry of a list: its small table, and the same in words. */
import { el, icon } from "./dom.js";
import { agoText, t } from "./i18n.js";
import { smallTable } from "./small-table.js";

/** @typedef {import("./messages.js").Row} Row */

/** @param {Row} row @param {{isMine: boolean, table?: SVGElement}} wish `table` in place of one that is drawn now */
export function entry(row, { isMine, table = smallTable(row.columns, row.off) }) {
  return el(
    "li",
    { class: "entry", "data-game": row.g },
    el("a", { href: `/games/${row.g}` }, table, el("span", { class: "facts" }, ...facts(row, { isMine }))),
  );
}

/** What there is to say of a game. @param {Row} row @param {{isMine: boolean}} wish */
export function facts(row, { isMine }) {
  const state = row.won ? t("list.won") : t("list.on");
  return [
    el("strong", {}, isMine ? t("suits", { n: row.suits }) : row.by.name),
    el("span", {}, isMine ? state : `${t("suits", { n: row.suits })} · ${state}`),
    el("span", {}, t("list.numbers", { score: row.score, n: row.moves })),
    el(
      "span",
      { class: "small" },
      row.off.length > 0 ? `${t("list.off", { n: row.off.length })} · ` : "",
      agoText(row.at),
      row.watching > 0 && el("span", { class: "eyes" }, icon("eye"), t("list.watching", { n: row.watching })),
    ),
  ];
}
