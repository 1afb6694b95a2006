/** What stays on the device through a reload, game by game: moves that wait to be sent, and moves that did not stand. */

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./state.js").Waiting} Waiting */
/** @typedef {{v: number, commands: Command[], why: "overtaken" | "set_back"}} Lost `v`: the version they began at */

/** @template T */
class Shelf {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** @param {string} g @param {T} value */
  keep(g, value) {
    try {
      localStorage.setItem(this.#key(g), JSON.stringify(value));
    } catch {
      // A full or forbidden storage only means that a reload would lose it; the page itself still has it.
    }
  }

  /** @param {string} g @returns {T | null} */
  kept(g) {
    try {
      return JSON.parse(localStorage.getItem(this.#key(g)) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {string} g */
  forget(g) {
    try {
      localStorage.removeItem(this.#key(g));
    } catch {
      // As above.
    }
  }

  /** @param {string} g */
  #key(g) {
    return `simplesimon.${this.name}.${g}`;
  }
}

/** @type {Shelf<Waiting>} */
export const waiting = new Shelf("waiting");
/** @type {Shelf<Lost[]>} */
const lost = new Shelf("lost");

/** Lays more beside what is not answered yet. @param {string} g @param {Lost} moves */
export const keepLost = (g, moves) => lost.keep(g, [...(lost.kept(g) ?? []), moves]);

/** @param {string} g @returns {Lost | undefined} the first that is not answered */
export const firstLost = (g) => lost.kept(g)?.[0];

/** The first is answered. @param {string} g */
export function forgetLost(g) {
  const rest = lost.kept(g)?.slice(1) ?? [];
  if (rest.length > 0) lost.keep(g, rest);
  else lost.forget(g);
}
