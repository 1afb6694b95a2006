/** Parts of the list of public games that stand still: what one may choose, and what is said where there is nothing. */
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { CHOICES } from "./wish.js";

/** @typedef {import("./wish.js").Wish} Wish */

/**
 * @param {Wish} wish
 * @param {(wish: Wish) => void} chosen
 */
export function choicesFor(wish, chosen) {
  const field = (/** @type {"show" | "suits"} */ name) => {
    const select = el(
      "select",
      { name, onchange: () => choose({ [name]: select.value }) },
      ...CHOICES[name].map((value) => el("option", { value, selected: value === wish[name] }, choiceText(name, value))),
    );
    return el("label", {}, t(`watch.${name}`), select);
  };
  const views = CHOICES.view.map((view) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(view === wish.view),
        "data-view": view,
        onclick: () => choose({ view }),
      },
      icon(view),
      t(`watch.${view}`),
    ),
  );
  /** @param {object} change */
  function choose(change) {
    wish = { ...wish, ...change };
    for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.view === wish.view));
    chosen(wish);
  }
  return el(
    "div",
    { class: "wishes" },
    field("show"),
    field("suits"),
    el("a", { class: "button", href: "/tv" }, icon("tv"), t("tv")),
    el("div", { class: "views", role: "group", "aria-label": t("watch.view") }, ...views),
  );
}

/** @param {"show" | "suits"} name @param {string} value */
const choiceText = (name, value) => (Number(value) ? t("suits", { n: Number(value) }) : t(`watch.${name}.${value}`));

/** @param {number} others games that are there and do not fit @param {() => void} showAll @returns {Node[]} */
export function emptyNotice(others, showAll) {
  return others === 0
    ? [el("p", {}, t("watch.none")), el("a", { class: "button", href: "/" }, icon("new"), t("watch.none.play"))]
    : [
        el("p", {}, t("watch.no_fit", { n: others })),
        el("button", { type: "button", onclick: showAll }, t("watch.no_fit.all")),
      ];
}
