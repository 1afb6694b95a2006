/** Tap a run, tap a column; tap twice for the best column. Knows time only as it is told. */

/** @typedef {import("./hands.js").Hands} Hands */
/** @typedef {import("./drag.js").Touched} Touched */

const DOUBLE_MS = 400;
const MUTED_MS = 320;

export class Taps {
  /** @type {{column: number, card: string | undefined, at: number} | null} */
  #last = null;
  /** @type {{column: number, until: number}} the column that a run just left or reached by taps */
  #muted = { column: -1, until: 0 };

  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
  }

  /** @param {Touched} touched @param {number} now in milliseconds */
  tap(touched, now) {
    // The third click right after a double click, and the second on a column that just took a run, mean nothing;
    // whoever has touched another column meanwhile means it.
    if (touched.column === this.#muted.column && now < this.#muted.until) return;
    this.#muted.until = 0;
    const card = this.#cardAt(touched);
    const isDouble =
      this.#last !== null &&
      card !== undefined &&
      this.#last.column === touched.column &&
      this.#last.card === card &&
      now - this.#last.at < DOUBLE_MS;
    this.#last = { column: touched.column, card, at: now };
    if (isDouble && this.hands.player.settings().double_click) this.#double(touched, now);
    else this.#single(touched, now);
  }

  /** @param {Touched} touched @param {number} now */
  #double({ column, index }, now) {
    this.#last = null;
    this.#muted = { column, until: now + MUTED_MS };
    if (index !== null && (this.hands.held?.from === column || this.hands.take({ column, index }, "tap")))
      this.hands.putOntoBest();
  }

  /** @param {Touched} touched @param {number} now */
  #single({ column, index }, now) {
    const { held } = this.hands;
    if (held && held.from !== column) {
      this.hands.put(column);
      this.#muted = { column, until: now + MUTED_MS };
      this.#last = null;
    } else if (held && this.#isHeldFrom(index)) this.hands.letGo();
    else if (index !== null) this.hands.take({ column, index }, "tap");
    else this.hands.letGo();
  }

  /** @param {number | null} index */
  #isHeldFrom(index) {
    const { held, player } = this.hands;
    return held !== null && index === player.position()[held.from].length - held.count;
  }

  /** @param {Touched} touched */
  #cardAt({ column, index }) {
    return index === null ? undefined : this.hands.player.position()[column][index];
  }
}
