/**
 * Following a player: who watches is taken to that player's next public game when it is dealt or moved in, and told so.
 * Law: never away from an earlier version that somebody looks back at; there it is offered.
 */
import { isNoList, soon } from "./again.js";
import { ApiError, api } from "./api.js";
import { el, icon, takeAway } from "./dom.js";
import { t } from "./i18n.js";
import { problemSentence } from "./problems.js";
import { sentence } from "./words.js";

/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */

// What was moved in less long ago is being played, as far as a clock that may be wrong can tell.
const NOW_MS = 5 * 60_000;
const KEPT = "simplesimon.follow";

export class Follow {
  /** @type {GameSnapshot | null} */
  #shown = null;
  /** @type {string | null} the id of the player who is followed, also after a reload */
  #player = kept();
  /** Whether the list was asked for on this connection, and has not come. */
  #isAwaited = false;
  /** When the player last moved in a public game, as far as it was heard. */
  #newest = 0;
  /** @type {{row: Row, bar: HTMLElement} | null} */
  #offer = null;
  /** @type {string | null} the id of the game that is on its way here */
  #coming = null;

  /** @param {import("./later.js").Around} around */
  constructor(around) {
    this.around = around;
    this.button = followButton(() => this.#choose(this.#player ? null : (this.#shown?.by.id ?? null)));
    const snapshot = around.page()?.play?.state.snapshot;
    if (snapshot) this.shown(snapshot);
  }

  /** A game was opened. Whoever goes to somebody else's follows no more. @param {GameSnapshot} snapshot */
  shown(snapshot) {
    this.#shown = snapshot;
    this.#coming = null;
    this.#withdraw();
    if (snapshot.mine) this.button.remove();
    else if (!this.button.isConnected) document.querySelector("[data-by]")?.after(this.button);
    this.#newest = Math.max(this.#newest, snapshot.at);
    if (this.#player && this.#player !== snapshot.by.id) this.#keep(null);
    this.redraw();
    this.opened();
  }

  redraw() {
    nameButton(this.button, this.#shown?.by.name ?? "");
    this.button.setAttribute("aria-pressed", String(this.#player !== null));
    if (this.#offer) this.#lay(this.#offer.row);
  }

  opened() {
    this.#isAwaited = this.#player !== null;
    if (this.#player) this.around.connection.send({ t: "lobby", on: true, by: this.#player });
  }

  onstatus() {}

  /** Going back by hand is to leave. */
  leave() {
    this.#keep(null);
    this.button.remove();
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (!this.#player) return;
    if (message.t === "game") this.#heard(message);
    else if (isNoList(message)) soon(() => this.#isAwaited && this.opened());
    else if (message.t === "listed") {
      this.#isAwaited = false;
      const played = message.games.filter((row) => row.by.id === this.#player && !row.won);
      const [last] = played.sort((a, b) => b.at - a.at);
      if (last && Date.now() - last.at < NOW_MS) this.#heard(last);
    }
  }

  /** @param {Row} row */
  #heard(row) {
    if (row.by.id !== this.#player || row.at <= this.#newest) return;
    this.#newest = row.at;
    this.#withdraw();
    if (row.g === this.#coming) return;
    this.#coming = null;
    if (row.g !== this.#shown?.g) this.#take(row);
  }

  /** There, or offers it to whoever looks back. @param {Row} row */
  #take(row) {
    if (this.#isLive) void this.#go(row, () => this.#isLive);
    else this.#propose(row);
  }

  get #isLive() {
    return this.around.page()?.play?.state.isLive ?? false;
  }

  /** @param {Row} row @param {() => boolean} isWanted whether it still is when the game has come */
  async #go(row, isWanted) {
    this.#coming = row.g;
    const snapshot = await api.game(row.g).catch((error) => this.#lacks(error));
    if (this.#coming !== row.g) return;
    this.#coming = null;
    if (!snapshot) return;
    if (!isWanted()) return this.#propose(row);
    history.pushState(null, "", `/games/${snapshot.g}`);
    this.around.open(snapshot, null);
    this.around.page()?.play?.tell(sentence(keyFor(row), {}, { name: row.by.name }), "news");
  }

  /** @param {unknown} error @returns {null} */
  #lacks(error) {
    if (!(error instanceof ApiError)) throw error;
    // Somebody may have hidden it meanwhile.
    if (error.code !== "no_such_game") this.around.page()?.play?.tell(problemSentence(error), "refused");
    return null;
  }

  /** @param {Row} row */
  #propose(row) {
    this.#lay(row);
    this.around.page()?.voice.announce(t(keyFor(row), { name: row.by.name }));
  }

  /** The bar of the offer. @param {Row} row */
  #lay(row) {
    this.#withdraw();
    const bar = el(
      "div",
      { class: "offer" },
      el("p", {}, t(keyFor(row), { name: row.by.name })),
      el("button", { type: "button", class: "main", onclick: () => void this.#go(row, () => true) }, t("follow.go")),
      el("button", { type: "button", onclick: () => this.#withdraw() }, t("follow.stay")),
    );
    this.#offer = { row, bar };
    document.querySelector(".field")?.append(bar);
  }

  #withdraw() {
    if (!this.#offer) return;
    takeAway(this.#offer.bar);
    this.#offer = null;
  }

  /** @param {string | null} player */
  #choose(player) {
    this.#keep(player);
    this.redraw();
    const key = player ? "follow.begun" : "follow.ended";
    this.around.page()?.play?.tell(sentence(key, {}, { name: this.#shown?.by.name ?? "" }), "news");
    this.opened();
  }

  /** @param {string | null} player */
  #keep(player) {
    if (this.#player && !player) this.around.connection.send({ t: "lobby", on: false });
    this.#player = player;
    keep(player);
    if (!player) {
      this.#coming = null;
      this.#withdraw();
    }
    this.redraw();
  }
}

/** @param {() => void} onclick */
export const followButton = (onclick) =>
  el("button", { type: "button", class: "beside", "data-action": "follow", onclick });

/** @param {HTMLButtonElement} button @param {string} name of the player */
export function nameButton(button, name) {
  button.replaceChildren(icon("follow"), el("span", {}, t("follow")));
  button.title = t("follow.player", { name });
  button.setAttribute("aria-label", button.title);
}

/** Goes to the game under its own address, and on from there with its player. @param {GameSnapshot} snapshot */
export function followFrom({ g, by }) {
  keep(by.id);
  location.assign(`/games/${g}`);
}

/** @param {string | null} player */
function keep(player) {
  try {
    if (player) sessionStorage.setItem(KEPT, player);
    else sessionStorage.removeItem(KEPT);
  } catch {
    // Full or forbidden: the player is followed until the next page is loaded.
  }
}

function kept() {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {Row} row */
const keyFor = (row) => (row.v === 1 ? "follow.dealt" : "follow.moved");

/** @param {import("./later.js").Around} around */
export const begin = (around) => new Follow(around);
