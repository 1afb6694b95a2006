/** The bar that goes through the versions of a game: step, slide, play, back to live. Knows nothing of cards. */
import { icon, mark, one, write } from "./dom.js";
import { t } from "./i18n.js";
import { later } from "./later.js";

/**
 * @typedef {object} Travels
 * @property {() => {version: number, head: number, isLive: boolean, isMine: boolean, isWon: boolean,
 *   from: number | null}} where
 * @property {() => readonly import("./rules.js").Game[]} versions from the deal on, as far as they are known
 * @property {() => readonly number[]} times when each version happened
 * @property {() => Promise<void>} learn reads what is not known of them
 * @property {(version: number, motion: import("./render.js").Motion) => Promise<void>} lookAt
 * @property {() => void} followLive
 * @property {(version: number) => Promise<void>} playOn begins a game of one's own
 * @property {(text: string) => void} announce
 */

const SPEEDS = [1, 2, 4, 8, 16, 32, 64];

export class Timeline {
  /** @type {import("./playback.js").Playback | null} */
  #playing = null;
  #speed = 1;
  /** @type {import("./track.js").Track | null} */
  #track = null;
  /** @type {{last: import("./rules.js").Game | undefined, head: number} | null} what the track shows */
  #drawn = null;

  /** @param {HTMLElement} root @param {Travels} travels */
  constructor(root, travels) {
    this.root = root;
    this.travels = travels;
    this.slider = one("input", HTMLInputElement, root);
    this.live = one("[data-action=live]", HTMLButtonElement, root);
    this.newer = one("[data-newer]", HTMLElement, root);
    this.speed = one("[data-speed]", HTMLButtonElement, root);
    this.play = one("[data-action=play]", HTMLButtonElement, root);
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    this.speed.addEventListener("click", () => this.#faster());
    root.addEventListener("click", (event) => this.#clicked(event));
    // Whoever comes near is about to jump: the log is on its way by then.
    for (const sign of ["pointerenter", "focusin"]) root.addEventListener(sign, () => void this.travels.learn());
  }

  get isPlaying() {
    return this.#playing !== null;
  }

  show() {
    const { version, head, isLive, isMine, isWon } = this.travels.where();
    this.slider.max = String(head);
    this.slider.value = String(version);
    mark(this.slider, { "aria-valuetext": this.#track?.saying(version) ?? t("timeline.at", { version, head }) });
    write(this.newer, isLive || head === version ? "" : t("live.newer", { n: head - version }));
    this.root.classList.toggle("back", !isLive);
    for (const action of ["first", "previous"]) this.#enable(action, version > 1);
    for (const action of ["next", "last", "live"]) this.#enable(action, !isLive);
    this.#enable("play", head > 1);
    this.#enable("play-on", !isWon && !(isMine && isLive));
    write(this.speed, `${this.#speed}×`);
    mark(this.speed, { "aria-label": t("timeline.speed", { speed: this.#speed }) });
    void this.#draw();
  }

  /** After the language changed. */
  rename() {
    this.#drawn = null;
    this.#name();
  }

  /** Plays the whole game from the deal. */
  async replay() {
    await this.travels.lookAt(1, "none");
    this.play.focus({ preventScroll: true });
    await this.#start();
  }

  /** To the version before the one shown, from where one may play on. */
  back() {
    this.press("previous");
    one("[data-action=play-on]", HTMLButtonElement, this.root).focus();
  }

  stop() {
    this.#playing?.stop();
    this.#playing = null;
    this.#name();
  }

  /** What a button does, or the key that stands for it. @param {string | undefined} action */
  press(action) {
    const { version, head } = this.travels.where();
    switch (action) {
      case "first":
        return this.#go(1);
      case "previous":
        return this.#go(version - 1);
      case "next":
        return this.#go(version + 1);
      case "last":
      case "live":
        return this.#go(head);
      case "play":
        return this.isPlaying ? this.stop() : void this.#playFrom(version, head);
      case "play-on":
        return void this.#playOn(version);
    }
  }

  /** @param {string} action @param {boolean} enabled */
  #enable(action, enabled) {
    mark(one(`[data-action=${action}]`, HTMLButtonElement, this.root), { "aria-disabled": !enabled });
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button && button.getAttribute("aria-disabled") !== "true") this.press(button.dataset.action);
  }

  /** @param {number} version */
  #go(version) {
    this.stop();
    const { version: before, head } = this.travels.where();
    if (version >= head) return this.travels.followLive();
    const motion = Math.abs(version - before) === 1 ? "glide" : "none";
    void this.travels.lookAt(Math.max(1, version), motion).then(() => this.root.isConnected && this.#say());
  }

  #say() {
    const { version } = this.travels.where();
    // Who moves the slider hears its own value.
    if (this.#track && document.activeElement !== this.slider) this.travels.announce(this.#track.saying(version));
  }

  /** @param {number} version */
  async #playOn(version) {
    this.stop();
    this.#enable("play-on", false);
    await this.travels.playOn(version);
    this.show();
  }

  /** @param {number} version @param {number} head */
  async #playFrom(version, head) {
    if (version >= head) await this.travels.lookAt(1, "none");
    await this.#start();
  }

  async #start() {
    const found = await later.playback().catch(() => null);
    if (!found) return;
    this.stop();
    this.#playing = new found.Playback(
      this.travels,
      () => this.#speed,
      () => this.#go(this.travels.where().head),
    );
    this.#playing.start();
    this.#name();
  }

  #faster() {
    this.#speed = SPEEDS[(SPEEDS.indexOf(this.#speed) + 1) % SPEEDS.length];
    this.show();
  }

  /** The track comes later; where it cannot be had it is asked for again with the next version. */
  async #draw() {
    const { head } = this.travels.where();
    const last = this.travels.versions().at(-1);
    const isDrawn = this.#drawn !== null && this.#drawn.last === last && this.#drawn.head === head;
    if (isDrawn || (head === 1 && !this.#track)) return;
    this.#drawn = { last, head };
    const found = await later.track().catch(() => null);
    // The table may have given way to something else meanwhile.
    if (!this.root.isConnected) return;
    if (found) this.#show((this.#track ??= new found.Track(one(".track", HTMLElement, this.root))));
    else this.#drawn = null;
  }

  /** @param {import("./track.js").Track} track */
  #show(track) {
    const { version, head, from } = this.travels.where();
    track.show(this.travels.versions(), head, from);
    this.slider.setAttribute("aria-valuetext", track.saying(version));
  }

  #name() {
    const name = t(this.isPlaying ? "action.pause" : "action.play");
    this.play.replaceChildren(icon(this.isPlaying ? "pause" : "play"));
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
  }
}
