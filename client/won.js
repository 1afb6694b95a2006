/**
 * The moment of joy: a rosette of the fair on the empty table, with what can be done next. It comes when the last
 * sequence has left; the style waits for that.
 */
import { el, icon, svg } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {object} Choices
 * @property {() => void} replay
 * @property {() => void} same
 * @property {() => void} fresh
 * @property {() => void} share
 * @property {() => void} back to where one may play on from
 */

const PLEATS = 24;

/** @param {number} score */
function rosette(score) {
  const pleats = Array.from({ length: PLEATS }, (_, i) =>
    svg("path", {
      class: i % 2 ? "pleat" : "pleat odd",
      d: "M0 0-14-90Q0-100 14-90z",
      transform: `rotate(${(360 / PLEATS) * i})`,
    }),
  );
  const number = svg("text", { class: "points", "text-anchor": "middle", y: 12 });
  number.textContent = String(score);
  return svg(
    "svg",
    { class: "rosette", viewBox: "-105 -105 210 290", "aria-hidden": "true" },
    svg("path", { class: "ribbon", d: "M-40 60-62 178l32-18 22 22 16-120z" }),
    svg("path", { class: "ribbon odd", d: "M40 60 62 178l-32-18-22 22-16-120z" }),
    svg("g", { class: "pleats" }, ...pleats),
    svg("circle", { class: "rim", r: 62 }),
    svg("circle", { class: "heart", r: 54 }),
    number,
  );
}

/**
 * @param {HTMLElement} root @param {import("./rules.js").Game} game
 * @param {{code: string | null, isMine: boolean, choices: Choices}} wish
 */
export function showWon(root, { score, moves }, { code, isMine, choices }) {
  root.replaceChildren(
    rosette(score),
    el(
      "div",
      {},
      el("h2", { id: "won-title" }, t(isMine ? "won.title" : "won.watched")),
      el("p", {}, t("won.line", { score, n: moves })),
      code && el("p", {}, el("a", { class: "code", href: `/deals/${code}`, title: t("deal.link") }, code)),
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "button", class: "main", "data-won": "new", onclick: choices.fresh }, t("won.new")),
        el("button", { type: "button", "data-won": "same", onclick: choices.same }, t("won.same")),
        el("button", { type: "button", "data-won": "replay", onclick: choices.replay }, t("won.replay")),
        el("button", { type: "button", "data-won": "back", onclick: choices.back }, icon("fork"), t("won.back")),
        el("button", { type: "button", "data-won": "share", onclick: choices.share }, icon("share"), t("won.share")),
      ),
    ),
  );
}
