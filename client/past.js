/** The past of a game on the page, from its log. */
import { ApiError, api } from "./api.js";

export class Past {
  /** @type {Promise<void> | null} */
  #reading = null;

  /** @param {import("./state.js").GameState} state @param {() => void} known called when it is */
  constructor(state, known) {
    this.state = state;
    this.known = known;
  }

  /** Asked for once, and again after a gap. @returns {Promise<void>} */
  async learn() {
    if (this.state.knowsPast) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
      if (this.state.knowsPast) this.known();
    });
    return this.#reading;
  }

  /** Where the log cannot be read, the past stays unknown. */
  async #read() {
    // A version that comes while the log is on its way makes that log too short; the next answer has it.
    for (let attempt = 0; attempt < 3; attempt++) {
      const log = await api.log(this.state.snapshot.g).catch((error) => {
        if (error instanceof ApiError) return null;
        throw error;
      });
      if (log === null || this.state.learn(log)) return;
    }
  }
}
