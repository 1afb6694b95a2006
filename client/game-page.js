/** The page of one game: puts table, hands, numbers and timeline together around a Play, and draws what it shows. */
import { Address } from "./address.js";
import { Pointer } from "./drag.js";
import { drawIcons, mark, one, passFocus, takeAway } from "./dom.js";
import { Hands } from "./hands.js";
import { t, translate } from "./i18n.js";
import { later } from "./later.js";
import { Cursor, listenToShortcuts, listenToTravelKeys } from "./keyboard.js";
import { Play } from "./play.js";
import { TableView } from "./render.js";
import { Voice } from "./says.js";
import { Tally, showLine, showStatus } from "./tally.js";
import { Taps } from "./taps.js";
import { Timeline } from "./timeline.js";
import { isAllKept } from "./waiting.js";
import { columnName, fullName, sentence } from "./words.js";

/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./render.js").Motion} Motion */
/** @typedef {"undo" | "redo" | "restart" | "new" | "link-device" | "share"} Control */

/**
 * @typedef {object} Wish
 * @property {HTMLElement} root
 * @property {HTMLElement} tally
 * @property {HTMLElement} voice
 * @property {import("./socket.js").Connection} connection
 * @property {import("./preferences.js").Preferences} preferences
 * @property {(control: Control) => void} control what a button outside the rules of the table asks for
 * @property {{same: () => void, fresh: () => void, share: () => void}} choices after a win
 * @property {(g: string, moves: import("./offer.js").Kept) => Promise<void>} keepMoves begins a game of one's own with what did not stand in this one
 * @property {(version: number) => Promise<void>} playOn begins a game of one's own from a version of this one
 */

export class GamePage {
  /** @type {Play | null} */
  play = null;
  #hasWarned = false;
  address = new Address(() => (this.timeline.isPlaying ? undefined : this.play?.state.at));

  /** @param {Wish} wish */
  constructor(wish) {
    this.wish = wish;
    fill(wish.root, "#play-parts");
    fill(wish.tally, "#tally-parts");
    this.table = one("#table", HTMLElement, wish.root);
    this.won = one(".won", HTMLElement, wish.root);
    this.status = one("[data-status]", HTMLElement, wish.root);
    this.voice = new Voice(one("[data-message]", HTMLElement, wish.root), wish.voice);
    this.tally = new Tally(wish.tally);
    this.view = new TableView(this.table, { words: { name: fullName, columnName }, home: () => this.tally.removed });
    this.hands = new Hands(this.view, this.#player());
    this.cursor = new Cursor(this.view, this.hands);
    this.timeline = new Timeline(one(".timeline", HTMLElement, wish.root), this.#travels());
    const taps = new Taps(this.hands);
    new Pointer(this.view, this.hands, (touched, at) => taps.tap(touched, at)).listen();
    listenToShortcuts((shortcut) => this.#withFreeHands()?.do({ t: shortcut }));
    listenToTravelKeys((action) => this.play && this.timeline.press(action));
    one(".actions", HTMLElement, wish.root).addEventListener("click", (event) => this.#pressed(event));
    setInterval(() => this.#tick(), 1000);
  }

  /** @param {GameSnapshot} snapshot @param {number | null} version to open at; null follows the game */
  async open(snapshot, version) {
    this.play?.leave();
    this.#withdraw();
    passFocus(this.won);
    this.timeline.stop();
    this.won.hidden = true;
    this.hands.letGo("none");
    const { connection, preferences } = this.wish;
    const play = new Play(snapshot, {
      connection,
      preferences,
      voice: this.voice,
      draw: (motion) => void (this.play === play && this.draw(motion)),
      offer: () => void this.#offer(play),
    });
    this.play = play;
    this.draw("glide");
    play.follow();
    if (version !== null) await play.lookAt(version);
    play.resume();
    // A player needs the past for the next undo; a spectator's clock can wait for it until all is level.
    if (snapshot.mine) await play.learn();
  }

  /** Where it cannot be had now, it is asked for again with the next connection. @param {Play} play */
  async #offer(play) {
    const part = await later.offer().catch(() => null);
    if (part && this.play === play)
      part.showOffer(one(".field", HTMLElement, this.wish.root), play.g, this.wish.keepMoves);
  }

  #withdraw() {
    const bar = this.wish.root.querySelector(".of-moves");
    if (bar) takeAway(bar);
    return bar !== null;
  }

  /** The table gives way to something else: from now on no key and no message reaches the game. */
  close() {
    this.timeline.stop();
    this.play?.leave();
    this.play = null;
  }

  /** Shows all that the state says. @param {Motion} motion */
  draw(motion) {
    if (!this.play) return;
    const { state, watching } = this.play;
    const { shown, snapshot } = state;
    this.view.size = this.wish.preferences.settings.card_size;
    this.view.show(shown.position, motion);
    if (this.hands.holdOn()) this.play.tell(sentence("news.taken_away", {}), "news");
    this.cursor.refresh();
    this.tally.show(shown);
    this.#tick();
    this.showStatus();
    mark(this.table, {
      "data-version": state.version,
      "data-head": state.head.version,
      "data-role": snapshot.mine ? "player" : "spectator",
    });
    this.#line(snapshot, watching);
    this.#controls(shown);
    this.timeline.show();
    this.#showWon(shown, snapshot);
    this.address.show();
  }

  /** Whether the page is connected, and what waits for that; and, once, that it would not outlive the page. */
  showStatus() {
    const { status } = this.wish.connection;
    const waiting = this.play?.state.pending.length ?? 0;
    showStatus(this.status, status, waiting);
    if (waiting === 0 || status === "live" || isAllKept() || this.#hasWarned) return;
    this.#hasWarned = true;
    this.play?.tell(sentence("news.not_kept", {}), "news");
  }

  /** After the language or a setting changed. */
  redraw() {
    translate(this.wish.root);
    this.voice.hush();
    if (this.#withdraw()) this.play?.around.offer();
    this.view.rename();
    this.view.size = this.wish.preferences.settings.card_size;
    this.view.refit();
    this.timeline.rename();
    this.won.hidden = true;
    this.draw("none");
  }

  /** @param {GameSnapshot} snapshot @param {number} watching */
  #line({ by, mine, code, from }, watching) {
    const name = mine ? (this.wish.preferences.me?.player.name ?? by.name) : t("you_watch", { name: by.name });
    showLine(this.wish.root, { name, code, from, watching });
  }

  /** @param {import("./rules.js").Game} shown */
  #controls(shown) {
    const { isMine, isLive, head } = /** @type {Play} */ (this.play).state;
    const enabled = {
      undo: shown.undo > 0 && !shown.won,
      redo: shown.redo > 0 && !shown.won,
      restart: head.version > 1 && !shown.won,
    };
    for (const [action, isPossible] of Object.entries(enabled)) {
      const button = one(`[data-action=${action}]`, HTMLButtonElement, this.wish.root);
      button.hidden = !isMine;
      mark(button, { "aria-disabled": !(isPossible && isLive) });
    }
  }

  /** @param {import("./rules.js").Game} shown @param {GameSnapshot} snapshot */
  #showWon(shown, { code, mine }) {
    if (shown.won === !this.won.hidden) return;
    if (!shown.won) passFocus(this.won);
    this.won.hidden = !shown.won;
    if (!shown.won) return;
    const choices = { ...this.wish.choices, replay: () => void this.timeline.replay(), back: () => this.timeline.back() };
    const { play } = this;
    void later.won().then(
      ({ showWon }) => this.play === play && showWon(this.won, shown, { code, isMine: mine, choices }),
      () => (this.won.hidden = true), // asked for again with the next drawing
    );
  }

  #tick() {
    if (!this.play) return;
    const { times, at, head, isLive, knowsPast } = this.play.state;
    const shown = times.slice(0, at ?? head.version);
    const now = isLive && !head.won ? Date.now() : shown[shown.length - 1];
    this.tally.showTime(knowsPast || !isLive ? shown : null, now);
  }

  /** @param {Event} event */
  #pressed(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const action = /** @type {Control} */ (button.dataset.action);
    if (action === "undo" || action === "redo") this.#withFreeHands()?.do({ t: action });
    else this.wish.control(action);
  }

  /** What one asks for oneself takes a run out of one's own hand without a word. */
  #withFreeHands() {
    if (this.hands.held) this.hands.letGo("none");
    return this.play;
  }

  /** @returns {import("./hands.js").Player} */
  #player() {
    return {
      position: () => this.play?.state.shown.position ?? [],
      settings: () => this.wish.preferences.settings,
      whyNot: () => this.play?.whyNot() ?? null,
      play: (move) => this.play?.do({ t: "move", m: move }),
      tell: (what, kind) => this.play?.tell(what, kind),
      announce: (text) => this.voice.announce(text),
    };
  }

  /** @returns {import("./timeline.js").Travels} */
  #travels() {
    return {
      where: () => {
        const { version, head, isLive, isMine, shown, snapshot } = /** @type {Play} */ (this.play).state;
        const from = snapshot.from?.v ?? null;
        return { version, head: head.version, isLive, isMine, isWon: shown.won, from };
      },
      versions: () => this.play?.state.versions ?? [],
      times: () => this.play?.state.times ?? [],
      learn: async () => this.play?.learn(),
      lookAt: async (version, motion) => this.#withFreeHands()?.lookAt(version, motion),
      followLive: () => this.#withFreeHands()?.followLive(),
      playOn: (version) => this.wish.playOn(version),
      announce: (text) => this.voice.announce(text),
    };
  }
}

/** @param {HTMLElement} root @param {string} template */
function fill(root, template) {
  root.replaceChildren(one(template, HTMLTemplateElement).content.cloneNode(true));
  drawIcons(root);
  translate(root);
}
