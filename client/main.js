/** Wires the page: who this is, which page the address means, the one connection, and what the buttons ask for. */
import { ApiError, api } from "./api.js";
import { Beginnings } from "./beginnings.js";
import { ask, openDialog } from "./dialog.js";
import { drawIcons, el, one } from "./dom.js";
import { GamePage } from "./game-page.js";
import { languageInUse, t } from "./i18n.js";
import { fetchTheRest, later } from "./later.js";
import { Preferences } from "./preferences.js";
import { problemSheet, problemText } from "./problems.js";
import { Connection } from "./socket.js";

/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */

const SIGNED_OUT = 4501;

const root = one("#page", HTMLElement);
const tally = one("#tally", HTMLElement);
const preferences = new Preferences();
const connection = new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, {
  onopen,
  onmessage,
  onstatus,
});
/** @type {GamePage | null} */
let page = null;
/** What stands in place of a page. @type {ApiError | null} */
let problem = null;
/** @type {import("./later.js").Beside | null} */
let beside = null;
/** The path of what is shown. What the page changes in its address by itself is still the same page. */
let opened = location.pathname;
/** The language that the page was opened in. */
let spoken = "";

const beginnings = new Beginnings(
  () => page?.play ?? null,
  (snapshot) => {
    history.pushState(null, "", `/games/${snapshot.g}`);
    openGame(snapshot, null);
  },
);

function onopen() {
  page?.play?.follow();
  beside?.opened();
}

/** @param {ServerMessage} message */
function onmessage(message) {
  beside?.receive(message);
  if (page?.play && (!("g" in message) || message.g === page.play.g)) page.play.receive(message);
}

/** @param {import("./socket.js").Status} status @param {number} code */
function onstatus(status, code) {
  page?.showStatus();
  beside?.onstatus(status);
  if (code === SIGNED_OUT) page?.voice.tell({ shown: t("news.signed_out"), spoken: t("news.signed_out") }, "news");
}

const versionInAddress = () => {
  const found = /^#v=(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : null;
};

/** The page of a game, built when the first one is opened. */
function gamePage() {
  if (page) return page;
  document.body.classList.add("plays");
  page = new GamePage({
    root,
    tally,
    connection,
    preferences,
    voice: one("#voice", HTMLElement),
    control,
    playOn: (version) => beginnings.playOn(version),
    keepMoves: (g, moves) => beginnings.keepMoves(g, moves),
    choices: { same: () => void beginnings.again(), fresh: () => control("new"), share: () => control("share") },
  });
  page.showStatus();
  return page;
}

/** @param {string} path */
function markCurrent(path) {
  for (const link of document.querySelectorAll("nav a"))
    link.setAttribute("aria-current", link.getAttribute("href") === path ? "page" : "false");
}

/** @param {GameSnapshot} snapshot @param {number | null} version */
function openGame(snapshot, version) {
  opened = location.pathname;
  markCurrent(snapshot.mine ? "/" : "/watch");
  document.title = t("title.game", { name: snapshot.by.name });
  void gamePage().open(snapshot, version).catch(failed);
  if (beside) beside.shown(snapshot);
  else if (!snapshot.mine) void goOn("follow").catch(() => undefined);
}

/** @param {"follow" | "tv" | "watch"} what */
async function goOn(what) {
  const { begin } = await later[what]();
  const parts = { root, connection, page: () => page, me: () => preferences.me?.player.id };
  if (!beside || what !== "follow") beside = begin({ ...parts, open: openGame });
}

/** @param {import("./game-page.js").Control} action */
function control(action) {
  const state = page?.play?.state;
  if (!state) return;
  const isOn = state.isMine && !state.foreseen.won && state.foreseen.moves > 0;
  const start = (/** @type {import("./api.js").NewGame} */ wish) => beginnings.start(wish);
  if (action === "new") use(later.newGame(), ({ openNewGame }) => openNewGame({ isOn, start }));
  if (action === "share") use(later.share(), ({ openShare }) => openShare(state.snapshot, state.at));
  if (action === "link-device") use(later.linkDevice(), ({ openLinkDevice }) => openLinkDevice());
  if (action === "restart")
    ask({ title: t("restart.title"), text: t("restart.text"), yes: t("restart.yes"), no: t("restart.no") }, () =>
      page?.play?.do({ t: "restart" }),
    );
}

/**
 * A part of the page that comes later; where it is not to be had now, that is told.
 * @template T
 * @param {Promise<T>} part @param {(part: T) => void} act
 */
function use(part, act) {
  void part.then(act, (error) => {
    const text = problemText(error);
    if (page?.play) page.play.tell({ shown: text, spoken: text }, "refused");
    else openDialog("question", t("problem.title"), el("p", { class: "problem", role: "alert" }, text));
  });
}

/** The game that this player is in, or a first one. */
async function openCurrent() {
  const snapshot = (await api.opening()) ?? (await current());
  history.replaceState(null, "", `/games/${snapshot.g}`);
  openGame(snapshot, null);
}

async function current() {
  const me = await preferences.load();
  return (me.current && (await api.game(me.current).catch(ifGone))) || api.newGame({});
}

/** @param {unknown} error @returns {null} */
function ifGone(error) {
  if (error instanceof ApiError && error.code === "no_such_game") return null;
  throw error;
}

/** @param {string} path @returns {Promise<void>} */
async function openPage(path) {
  spoken = languageInUse();
  const game = /^\/games\/([^/]+)$/.exec(path)?.[1];
  if (game) {
    const isReplay = location.hash === "#replay";
    openGame(await (api.opening() ?? api.game(decodeURIComponent(game))), isReplay ? 1 : versionInAddress());
    return isReplay ? page?.timeline.replay() : undefined;
  }
  const deal = /^\/deals\/([^/]+)$/.exec(path)?.[1];
  if (deal) return later.deal().then(({ showDeal }) => showDeal(root, decodeURIComponent(deal)));
  switch (path) {
    case "/":
      return openCurrent();
    case "/tv":
      markCurrent("/watch");
      return goOn("tv");
    case "/watch":
      return goOn("watch");
    case "/games":
      return later.games().then(({ showGames }) => showGames(root));
    case "/link":
      return later.link().then(({ showLink }) => showLink(root));
    case "/rules":
      return later.rules().then(({ showRules }) => showRules(root));
    default:
      throw new ApiError("no_such_page", 404, path);
  }
}

/** @param {unknown} error */
function failed(error) {
  if (!(error instanceof ApiError)) throw error;
  problem = error;
  root.replaceChildren(problemSheet(error));
  page?.close();
  page = null;
  tally.replaceChildren();
  document.body.classList.remove("plays");
}

/** Pages that hold no game are drawn anew in another language; the table only changes its words. */
function relabel() {
  if (page) page.redraw();
  else if (problem) failed(problem);
  beside?.redraw();
  if (!problem && spoken !== languageInUse() && /^\/(rules|games$|link$|deals\/)/.test(location.pathname))
    void openPage(location.pathname).catch(failed);
}

/** A step in the browser's history. One within the page, such as that of the skip link, changes its address behind the # only. */
function goBack() {
  const path = location.pathname;
  if (path === opened || path === `/games/${page?.play?.g}`) return;
  if (!page || !path.startsWith("/games/")) return location.reload();
  beside?.leave();
  beside = null;
  opened = path;
  void openPage(path).catch(failed);
}

async function begin() {
  drawIcons(one("header", HTMLElement));
  markCurrent(location.pathname);
  one("[data-action=settings]", HTMLElement).addEventListener(
    "click",
    () => use(later.settings(), ({ openSettings }) => openSettings(preferences)),
  );
  preferences.onchange(relabel);
  try {
    await preferences.start();
    // The table does not wait to be told whose it is.
    await Promise.all([openPage(location.pathname), preferences.load().then(() => connection.start())]);
  } catch (error) {
    failed(error);
  }
  window.addEventListener("popstate", goBack);
  window.addEventListener("hashchange", () => {
    const version = versionInAddress();
    if (version !== null && version !== page?.play?.state.at) void page?.play?.lookAt(version);
  });
}

void begin();
fetchTheRest();
