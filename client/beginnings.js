/** The ways in which a game begins: wished for, dealt again, from a version of another, with moves that did not stand. */
import { ApiError, api } from "./api.js";
import { problemSentence } from "./problems.js";
import { Place, forgetLost } from "./waiting.js";
import { sentence } from "./words.js";

export class Beginnings {
  #isUnderWay = false;

  /**
   * @param {() => import("./play.js").Play | null} play the game shown
   * @param {(snapshot: import("./messages.js").GameSnapshot) => void} show opens the new one
   */
  constructor(play, show) {
    this.play = play;
    this.show = show;
  }

  /** @param {import("./api.js").NewGame} wish */
  async start(wish) {
    this.show(await api.newGame(wish));
  }

  /** The same deal once more, as a new game. */
  async again() {
    const snapshot = this.play()?.state.snapshot;
    if (!snapshot) return;
    const { code, g } = snapshot;
    await this.#attempt(async () => this.start(code === null ? { columns: (await api.log(g)).columns } : { code }));
  }

  /** A game of one's own that begins as the one shown did. @param {number} version */
  async playOn(version) {
    const g = this.play()?.g;
    if (g === undefined) return;
    await this.#attempt(async () => {
      await this.start({ from: { g, v: version } });
      this.play()?.tell(sentence("news.played_on", {}, { version }), "news");
    });
  }

  /**
   * What did not stand in a game is played in one of one's own: it waits there, and is sent as it opens.
   * @param {string} g @param {import("./offer.js").Kept} moves
   */
  async keepMoves(g, moves) {
    await this.#attempt(async () => {
      const snapshot = await api.newGame({ from: { g, v: moves.v } });
      const place = new Place(snapshot.g);
      place.keep({ v: snapshot.v, c: snapshot.c, commands: moves.commands });
      place.leave();
      forgetLost(moves.name);
      this.show(snapshot);
    });
  }

  /** Once for a double click, too; says why it cannot be. @param {() => Promise<void>} begin */
  async #attempt(begin) {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    try {
      await begin();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.play()?.tell(problemSentence(error), "refused");
    } finally {
      this.#isUnderWay = false;
    }
  }
}
