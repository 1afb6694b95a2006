/** Plays a game as a film, frame by frame of the screen: what is too fast to be seen is passed over, never late. */
import { filmOf, versionAt } from "./film.js";

/** @typedef {import("./timeline.js").Travels} Travels */

// Who comes back to a hidden page goes on where they were.
const LONGEST_FRAME_MS = 250;
// Faster, cards would not arrive before they leave again.
const GLIDE_MS = 200;

export class Playback {
  #frame = 0;
  /** @type {number[]} */
  #film = [];

  /** @param {Travels} travels @param {() => number} speed @param {() => void} onend when the newest version is on */
  constructor(travels, speed, onend) {
    this.travels = travels;
    this.speed = speed;
    this.onend = onend;
  }

  /** From the version shown on. */
  start() {
    const { version } = this.travels.where();
    let at = this.#known()[version - 1] ?? 0;
    let last = performance.now();
    /** @param {number} now */
    const tick = (now) => {
      at += Math.min(LONGEST_FRAME_MS, Math.max(0, now - last)) * this.speed();
      last = now;
      if (this.#show(at)) this.#frame = requestAnimationFrame(tick);
    };
    this.#frame = requestAnimationFrame(tick);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
  }

  /** The film; the game may go on while it is played. */
  #known() {
    const times = this.travels.times();
    if (times.length !== this.#film.length) this.#film = filmOf(times);
    return this.#film;
  }

  /** @param {number} at ms of the film @returns {boolean} whether there is more to come */
  #show(at) {
    const { version, head } = this.travels.where();
    const film = this.#known();
    const next = versionAt(film, at);
    if (next >= head) {
      this.onend();
      return false;
    }
    if (next <= version) return true;
    const isSlow = (film[next] - film[next - 1]) / this.speed() >= GLIDE_MS;
    void this.travels.lookAt(next, isSlow && next === version + 1 ? "glide" : "none");
    return true;
  }
}
