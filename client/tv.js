/**
 * TV: the game most worth watching, and the next one when that ends or falls silent. It stays where somebody has pinned
 * it, and with an earlier version that somebody looks back at.
 */
import { isNoList, soon } from "./again.js";
import { api } from "./api.js";
import { el, icon } from "./dom.js";
import { followButton, followFrom, nameButton } from "./follow.js";
import { t } from "./i18n.js";
import { showStatus } from "./tally.js";
import { SILENT_MS, choose } from "./tv-choice.js";
import { sentence } from "./words.js";

/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */

// The moment of joy is a part of the game.
const WON_MS = 10_000;
const TICK_MS = 1_000;

export class Tv {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** @type {string | null} */
  #current = null;
  /** By the page's clock. */
  #movedAt = 0;
  /** How far the store's clock, of which the rows are, is ahead of the page's. */
  #ahead = -Infinity;
  #isSeeking = false;
  #isListed = false;
  /** @type {"wait" | "tv.nothing" | null} */
  #said = null;
  #isOpening = false;
  #isOver = false;

  /** @param {import("./later.js").Around} around */
  constructor(around) {
    this.around = around;
    this.pin = el("button", {
      type: "button",
      class: "beside",
      "data-action": "pin",
      "aria-pressed": "false",
      onclick: () => this.pin.setAttribute("aria-pressed", String(!this.#isPinned)),
    });
    this.follow = followButton(() => this.#state && followFrom(this.#state.snapshot));
    this.sign = el("span", { class: "on-tv", role: "img" }, icon("tv"));
    this.ticking = setInterval(() => this.#tick(), TICK_MS);
    this.status = el("span", { class: "status small" });
    this.redraw();
    this.#say("wait");
    if (around.connection.status === "live") this.opened();
  }

  redraw() {
    this.pin.replaceChildren(icon("pin"), el("span", {}, t("tv.pin")));
    this.pin.setAttribute("aria-label", t("tv.pin.name"));
    this.pin.title = t("tv.pin.name");
    nameButton(this.follow, this.#state?.snapshot.by.name ?? "");
    this.sign.setAttribute("aria-label", t("tv.sign"));
    this.sign.title = t("tv.sign");
    this.onstatus(this.around.connection.status);
    const said = this.#said;
    this.#said = null;
    if (said) this.#say(said);
  }

  opened() {
    this.#isSeeking = false;
    // Once a game is shown, the next tick decides: it knows whether somebody stays with it, or has left TV.
    if (this.#current === null && !this.#isOver) this.#seek(true);
  }

  /** @param {import("./socket.js").Status} status */
  onstatus(status) {
    showStatus(this.status, status);
  }

  /** A game was opened: by TV, or by somebody who has seen enough of it. @param {GameSnapshot} snapshot */
  shown(snapshot) {
    if (snapshot.g !== this.#current) return this.leave();
    nameButton(this.follow, snapshot.by.name);
    if (!this.pin.isConnected) document.querySelector("[data-by]")?.after(this.sign, this.pin, this.follow);
  }

  leave() {
    this.#isOver = true;
    clearInterval(this.ticking);
    this.#seek(false);
    this.sign.remove();
    this.pin.remove();
    this.follow.remove();
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (this.#isOver) return;
    if (message.t === "listed") {
      this.#isListed = true;
      this.#rows = new Map();
      message.games.forEach((row) => this.#note(row));
      void this.#decide();
    } else if (message.t === "game") {
      this.#note(message);
      void this.#decide();
    } else if (message.t === "unlisted") this.#rows.delete(message.g);
    else if (isNoList(message)) soon(() => this.#isSeeking && !this.#isListed && this.#ask(true));
    else if ("g" in message && message.g === this.#current && ["move", "undo", "redo"].includes(message.t))
      this.#movedAt = performance.now();
  }

  /** @param {Row} row */
  #note(row) {
    this.#ahead = Math.max(this.#ahead, row.at - performance.now());
    if (row.by.id !== this.around.me()) this.#rows.set(row.g, row);
  }

  get #state() {
    return this.around.page()?.play?.state;
  }

  get #isPinned() {
    return this.pin.getAttribute("aria-pressed") === "true";
  }

  /** Whether nobody stays with the game shown, and it is time for another. */
  #isFree() {
    return !this.#isPinned && (this.#state?.isLive ?? true) && this.#isDue();
  }

  #isDue() {
    const silence = performance.now() - this.#movedAt;
    return this.#current === null || silence > (this.#state?.head.won ? WON_MS : SILENT_MS);
  }

  #tick() {
    this.#seek(this.#isFree());
    if (this.#isSeeking) void this.#decide();
    this.#address();
  }

  /** Follows the list of games, which is not needed while one is shown. @param {boolean} isSeeking */
  #seek(isSeeking) {
    if (this.#isSeeking === isSeeking) return;
    this.#isSeeking = isSeeking;
    this.#isListed = false;
    this.#ask(isSeeking);
  }

  /** @param {boolean} isOn */
  #ask(isOn) {
    this.around.connection.send({ t: "lobby", on: isOn });
  }

  async #decide() {
    if (!this.#isSeeking || !this.#isListed || this.#isOpening) return;
    const shown = this.#rows.get(this.#current ?? "");
    if (shown) {
      const at = Math.max(shown.at, this.#movedAt + this.#ahead);
      this.#rows.set(shown.g, { ...shown, at, won: this.#state?.head.won ?? shown.won });
    }
    const now = performance.now() + this.#ahead;
    const chosen = choose([...this.#rows.values()], now, this.#current);
    const next = this.#rows.get(chosen ?? "");
    if (chosen === null) this.#say("tv.nothing");
    if (!next || next.g === this.#current) return;
    this.#isOpening = true;
    await this.#open(next, now);
    this.#isOpening = false;
  }

  /** @param {Row} row @param {number} now by the store's clock */
  async #open(row, now) {
    const snapshot = await api.game(row.g).catch((error) => (error.code === "no_such_game" ? null : undefined));
    // What was shown may have been pinned, looked back in or moved in meanwhile.
    if (this.#isOver || !this.#isFree()) return;
    // Somebody may have hidden it meanwhile; one that could not be asked for is chosen again.
    if (snapshot === null) this.#rows.delete(row.g);
    if (!snapshot) return;
    this.#current = snapshot.g;
    this.#movedAt = performance.now() - Math.max(0, now - snapshot.at);
    this.around.open(snapshot, null);
    const key = this.#isDue() ? "tv.silent" : "tv.now";
    this.around.page()?.play?.tell(sentence(key, {}, { name: snapshot.by.name }), "news");
    this.#seek(this.#isDue());
  }

  /** In place of a table. @param {"wait" | "tv.nothing"} key */
  #say(key) {
    if (this.#current !== null || this.#said === key) return;
    this.#said = key;
    const play = el("p", {}, el("a", { class: "button", href: "/" }, t("watch.none.play")));
    const words = [el("h1", {}, t("tv")), el("p", {}, t(key)), key === "wait" ? null : play, this.status];
    this.around.root.replaceChildren(el("div", { class: "sheet" }, ...words));
  }

  /** TV has an address of its own; an earlier version is one of its game. */
  #address() {
    const path = this.#state && !this.#state.isLive ? `/games/${this.#current}` : "/tv";
    if (location.pathname !== path) history.replaceState(history.state, "", path + location.hash);
  }
}

/** @param {import("./later.js").Around} around */
export const begin = (around) => new Tv(around);
