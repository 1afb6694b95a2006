/** The bar that goes through the versions of a game: step, slide, play, back to live. Knows nothing of cards. */
import { icon, mark, one, write } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {object} Travels
 * @property {() => {version: number, head: number, isLive: boolean}} where
 * @property {() => readonly number[]} times when each version happened
 * @property {(version: number) => Promise<void>} lookAt a version from the head on means: follow again
 * @property {() => void} followLive
 */

const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
const PAUSE_MS = { shortest: 300, longest: 2_000 };

export class Timeline {
  /** @type {number | undefined} */
  #playing;
  #speed = 1;

  /** @param {HTMLElement} root @param {Travels} travels */
  constructor(root, travels) {
    this.root = root;
    this.travels = travels;
    this.slider = one("input", HTMLInputElement, root);
    this.live = one("[data-action=live]", HTMLButtonElement, root);
    this.speed = one("[data-speed]", HTMLButtonElement, root);
    this.play = one("[data-action=play]", HTMLButtonElement, root);
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    this.speed.addEventListener("click", () => this.#faster());
    root.addEventListener("click", (event) => this.#clicked(event));
  }

  get isPlaying() {
    return this.#playing !== undefined;
  }

  show() {
    const { version, head, isLive } = this.travels.where();
    this.slider.max = String(head);
    this.slider.value = String(version);
    mark(this.slider, { "aria-valuetext": t("timeline.at", { version, head }) });
    const newer = head - version;
    write(this.live, isLive || newer === 0 ? t("live") : t("live.newer", { n: newer }));
    this.root.classList.toggle("back", !isLive);
    for (const action of ["first", "previous"]) this.#enable(action, version > 1);
    for (const action of ["next", "last", "live"]) this.#enable(action, !isLive);
    this.#enable("play", head > 1);
    write(this.speed, `${this.#speed}×`);
    mark(this.speed, { "aria-label": t("timeline.speed", { speed: this.#speed }) });
  }

  /** Plays the whole game from the deal. */
  async replay() {
    await this.travels.lookAt(1);
    this.#start();
  }

  stop() {
    clearTimeout(this.#playing);
    this.#playing = undefined;
    this.#name();
  }

  /** @param {string} action @param {boolean} enabled */
  #enable(action, enabled) {
    mark(one(`[data-action=${action}]`, HTMLButtonElement, this.root), { "aria-disabled": !enabled });
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const { version, head } = this.travels.where();
    switch (button.dataset.action) {
      case "first":
        return this.#go(1);
      case "previous":
        return this.#go(version - 1);
      case "next":
        return this.#go(version + 1);
      case "last":
        return this.#go(head);
      case "live":
        return this.#go(head);
      case "play":
        return this.isPlaying ? this.stop() : void this.#playOn(version, head);
    }
  }

  /** @param {number} version */
  #go(version) {
    this.stop();
    if (version >= this.travels.where().head) this.travels.followLive();
    else void this.travels.lookAt(Math.max(1, version));
  }

  /** @param {number} version @param {number} head */
  async #playOn(version, head) {
    if (version >= head) await this.travels.lookAt(1);
    this.#start();
  }

  #start() {
    clearTimeout(this.#playing);
    const { version } = this.travels.where();
    const times = this.travels.times();
    const pause = Math.min(
      PAUSE_MS.longest,
      Math.max(PAUSE_MS.shortest, (times[version] ?? 0) - (times[version - 1] ?? 0)),
    );
    this.#playing = setTimeout(() => this.#step(), pause / this.#speed);
    this.#name();
  }

  #step() {
    const { version, head } = this.travels.where();
    if (version + 1 >= head) {
      this.stop();
      return this.travels.followLive();
    }
    void this.travels.lookAt(version + 1);
    this.#start();
  }

  #faster() {
    this.#speed = SPEEDS[(SPEEDS.indexOf(this.#speed) + 1) % SPEEDS.length];
    this.show();
  }

  #name() {
    const name = t(this.isPlaying ? "action.pause" : "action.play");
    this.play.replaceChildren(icon(this.isPlaying ? "pause" : "play"));
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
  }
}
