/** The link to watch. It never gives control, and looks nothing like the way to go on playing elsewhere. */
import { api } from "./api.js";
import { copyField, openDialog } from "./dialog.js";
import { el, icon } from "./dom.js";
import { languageInUse, t } from "./i18n.js";
import { tellWhyNot } from "./problems.js";

/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").Visibility} Visibility */

const VISIBILITIES = /** @type {const} */ (["public", "unlisted", "private"]);

/** @param {GameSnapshot} game @param {number | null} at the version looked back at */
export function openShare(game, at) {
  const link = `${location.origin}/games/${game.g}`;
  openDialog(
    "share",
    t("share.title"),
    el("p", { class: "lead" }, icon("eye"), t("share.lead")),
    copyField(link, t("share.link")),
    at === null
      ? null
      : el(
          "div",
          {},
          el("p", {}, t("share.at", { version: at })),
          copyField(`${link}#v=${at}`, t("share.at", { version: at })),
        ),
    "share" in navigator
      ? el(
          "button",
          { type: "button", class: "main", onclick: () => void sendLink(link) },
          icon("share"),
          t("share.send"),
        )
      : null,
    game.mine ? visibilityField(game) : null,
    game.code === null
      ? null
      : el(
          "div",
          {},
          el("p", {}, t("share.code")),
          copyField(game.code, t("code")),
          el("p", {}, el("a", { href: `/deals/${game.code}` }, t("deal.link"))),
        ),
    filesOf(game.g),
  );
}

/** @param {string} link */
async function sendLink(link) {
  // Rejects when the person closes the system's own sheet, which is no error.
  await navigator.share({ title: document.title, url: link }).catch(() => undefined);
}

/** Says what holds: a wish that was not granted is taken back. @param {GameSnapshot} game */
function visibilityField(game) {
  const problem = el("p", { class: "problem", role: "alert" });
  const field = el(
    "select",
    { name: "visibility", onchange: () => void change() },
    ...VISIBILITIES.map((value) =>
      el("option", { value, selected: value === game.visibility }, t(`visibility.${value}`)),
    ),
  );
  async function change() {
    const wished = /** @type {Visibility} */ (field.value);
    const isDone = await tellWhyNot(problem, async () => {
      await api.show(game.g, wished);
      game.visibility = wished;
    });
    if (!isDone) field.value = game.visibility;
  }
  return el("div", {}, el("label", {}, t("share.visibility"), field), problem);
}

/** The whole game to keep: for programs, and to be read. @param {string} g */
const filesOf = (g) =>
  el(
    "div",
    {},
    el("p", {}, t("share.take")),
    el(
      "p",
      { class: "buttons" },
      el("a", { class: "button", href: `/api/games/${g}/file`, download: "" }, t("share.file")),
      el("a", { class: "button", href: `/api/games/${g}/text?language=${languageInUse()}`, download: "" }, t("share.text")),
    ),
  );
