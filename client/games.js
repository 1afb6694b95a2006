/** My games: the unfinished ones to go on with, the finished ones to look at. */
import { api } from "./api.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { entry } from "./lists.js";

/** @typedef {import("./messages.js").Row} Row */

/** @param {HTMLElement} root */
export async function showGames(root) {
  const { games } = await api.myGames();
  const on = games.filter((row) => !row.won);
  const won = games.filter((row) => row.won);
  root.replaceChildren(
    el(
      "div",
      { class: "sheet wide" },
      el("h1", {}, t("games.title")),
      games.length === 0
        ? el("p", { class: "notice" }, t("games.none"), " ", el("a", { href: "/" }, t("nav.play")))
        : null,
      ...part("games.on", on),
      ...part("games.won", won),
    ),
  );
}

/** @param {string} key @param {Row[]} rows */
const part = (key, rows) =>
  rows.length === 0
    ? []
    : [
        el("h2", {}, t(key, { n: rows.length })),
        el("ul", { class: "entries" }, ...rows.map((row) => entry(row, { isMine: true }))),
      ];
