/**
 * What the page says: the line under the table for the eye, and a polite live region for the ear.
 * Announced at most once a second, the latest wins; the same text twice is spoken twice.
 */

/** @typedef {import("./words.js").Sentence} Sentence */
/**
 * A rule of the game, another reason why nothing moves, or something that happened.
 * @typedef {"rule" | "refused" | "news"} Kind
 */

const SHOWN_MS = 8_000;
const BETWEEN_MS = 1_000;

export class Voice {
  #spokenAt = -BETWEEN_MS;
  /** @type {number | undefined} */
  #speaking;
  /** @type {number | undefined} */
  #shown;

  /** @param {HTMLElement} line @param {HTMLElement} region */
  constructor(line, region) {
    this.line = line;
    this.region = region;
  }

  /** Shows a sentence and speaks it. @param {Sentence} sentence @param {Kind} kind */
  tell({ shown, spoken }, kind) {
    clearTimeout(this.#shown);
    this.line.textContent = shown;
    this.line.dataset.kind = kind;
    this.#shown = setTimeout(() => this.hush(), SHOWN_MS);
    this.announce(spoken);
  }

  hush() {
    clearTimeout(this.#shown);
    this.line.textContent = "";
  }

  /** @param {string} text */
  announce(text) {
    clearTimeout(this.#speaking);
    const wait = Math.max(0, this.#spokenAt + BETWEEN_MS - performance.now());
    this.#speaking = setTimeout(() => this.#speak(text), wait);
  }

  /** @param {string} text */
  #speak(text) {
    this.#spokenAt = performance.now();
    // A no-break space makes the same text another one, which screen readers then speak again.
    this.region.textContent = this.region.textContent === text ? `${text}\u00A0` : text;
  }
}
