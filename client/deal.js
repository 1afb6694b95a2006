/** The page of a deal: its cards, everybody's won games of it, and a way to play it oneself. */
import { ApiError, api } from "./api.js";
import { el, leaveFor, passFocus } from "./dom.js";
import { agoText, t } from "./i18n.js";
import { attempt, problemText } from "./problems.js";
import { smallTable } from "./small-table.js";
import { clockText } from "./tally.js";

/** @typedef {import("./messages.js").DealGames} DealGames */
/** @typedef {import("./messages.js").DealRow} DealRow */

const PAGE = 50;

/** @param {HTMLElement} root @param {string} code */
export async function showDeal(root, code) {
  document.title = t("title.game", { name: code });
  const parts = await api.deal(code).then(results, (error) => closed(error, code));
  root.replaceChildren(el("div", { class: "sheet deal" }, el("h1", {}, t("deal.title"), " ", el("span", { class: "code" }, code)), ...parts));
}

/** @param {DealGames} deal @returns {HTMLElement[]} */
function results({ code, suits, columns, best, games }) {
  const list = el("ol", { class: "results" }, ...games.map(result));
  const [notBegun, notRead] = [1, 2].map(() => el("p", { class: "problem", role: "alert" }));
  const play = attempt(notBegun, () => begin(code));
  const fill = attempt(notRead, addMore);
  const more = el("button", { type: "button", onclick: () => void fill() }, t("deal.more"));
  let last = games;
  const tellWhetherMore = () => (more.hidden = last.length < PAGE);
  async function addMore() {
    last = (await api.deal(code, last[last.length - 1].g)).games;
    const added = last.map(result);
    list.append(...added);
    if (last.length < PAGE) passFocus(more, (added[0] ?? list.lastElementChild)?.querySelector("a"));
    tellWhetherMore();
  }
  tellWhetherMore();
  return [
    el("div", { class: "dealt" }, smallTable(columns, [])),
    el(
      "p",
      { class: "buttons" },
      el("button", { type: "button", class: "main", "data-deal": "play", onclick: () => void play() }, t("deal.play")),
      t("suits", { n: suits }),
    ),
    notBegun,
    el(
      "section",
      {},
      el("h2", {}, t("deal.games")),
      el("p", { class: "best" }, best ? t("deal.best", { score: best.score, n: best.moves }) : t("deal.none")),
      list,
      more,
      notRead,
    ),
  ];
}

/** @param {DealRow} row */
const result = ({ g, by, score, moves, time, at }) =>
  el(
    "li",
    { "data-game": g },
    el("strong", {}, by.name),
    el("span", {}, t("list.numbers", { score, n: moves })),
    el("span", { class: "small" }, t("deal.time", { time: clockText(time) }), " · ", agoText(at)),
    el("a", { class: "button", href: `/games/${g}#replay`, "aria-label": t("deal.replay.of", { name: by.name }) }, t("deal.replay")),
  );

/** Why nothing is shown, and the way to the game that is to be won first. @param {unknown} error @param {string} code */
async function closed(error, code) {
  if (!(error instanceof ApiError) || error.code !== "unfinished_game") throw error;
  const { games } = await api.myGames();
  const own = games.find((row) => row.code === code && !row.won);
  return [
    el("p", { class: "notice" }, problemText(error)),
    el("p", { class: "buttons" }, el("a", { class: "button", href: own ? `/games/${own.g}` : "/games" }, t("deal.go_on"))),
  ];
}

/** @param {string} code */
async function begin(code) {
  const { g } = await api.newGame({ code });
  await leaveFor(`/games/${g}`);
}
