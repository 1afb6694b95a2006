/**
 * What the four hands share (drag, tap, double tap, keys): taking a run, putting it down, sending it to its best
 * column. One run is held at a time, by one hand.
 */
import { acceptingColumns, bestColumn, isRun, refusal, whyNotTaken } from "./position.js";
import { refusalSentence, runName, sentence } from "./words.js";
import { t } from "./i18n.js";

/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./messages.js").Rule} Rule */
/** @typedef {import("./messages.js").Settings} Settings */
/** @typedef {import("./render.js").Place} Place */
/** @typedef {import("./words.js").Sentence} Sentence */
/** @typedef {"drag" | "tap" | "key"} Hand */
/** @typedef {{from: number, count: number, hand: Hand, cards: readonly string[]}} Held */

/**
 * What the hands need of the game that is played.
 * @typedef {object} Player
 * @property {() => import("./position.js").Position} position
 * @property {() => Settings} settings
 * @property {() => Sentence | null} whyNot why no card may be touched now, or null
 * @property {(move: Move) => void} play
 * @property {(sentence: Sentence, kind: "rule" | "refused") => void} tell
 * @property {(text: string) => void} announce
 */

export class Hands {
  /** @type {Held | null} */
  held = null;

  /** @param {import("./render.js").TableView} view @param {Player} player */
  constructor(view, player) {
    this.view = view;
    this.player = player;
  }

  /**
   * Takes the card and all that lie on it.
   * @param {Place} place
   * @param {Hand} hand
   * @returns {boolean} false when they may not be taken; the reason is told
   */
  take({ column, index }, hand) {
    const position = this.player.position();
    const count = position[column].length - index;
    const whyNot = this.player.whyNot();
    if (whyNot) this.player.tell(whyNot, "refused");
    const rule = whyNotTaken(position, column, count);
    if (!whyNot && rule) this.#refuse(rule, [column, count, column]);
    if (whyNot || rule) return false;
    this.letGo();
    this.held = { from: column, count, hand, cards: position[column].slice(index) };
    this.view.hold({ column, index });
    if (this.player.settings().placement_help) this.view.mark(this.accepting());
    if (hand !== "drag") this.player.announce(t("said.held", { cards: runName(this.held.cards) }));
    return true;
  }

  accepting() {
    return this.held ? acceptingColumns(this.player.position(), this.held.from, this.held.count) : [];
  }

  /** Puts down what is held. @param {number} to */
  put(to) {
    if (!this.held) return;
    const { from, count } = this.held;
    const rule = refusal(this.player.position(), [from, count, to]);
    if (!rule) this.#play([from, count, to]);
    else {
      this.letGo();
      this.#refuse(rule, [from, count, to]);
    }
  }

  /** Puts what is held onto its best column, or lets it go and says that none takes it. */
  putOntoBest() {
    if (!this.held) return;
    const { from, count, cards } = this.held;
    const to = bestColumn(this.player.position(), from, count);
    if (to !== null) this.#play([from, count, to]);
    else {
      this.letGo();
      this.player.tell(sentence("refused.no_place", { card: cards[0] }), "rule");
    }
  }

  /** @param {import("./render.js").Motion} [motion] */
  letGo(motion) {
    this.held = null;
    this.view.mark([]);
    this.view.letGo(motion);
  }

  /**
   * The table changed under the hand: what is held stays if it is still a run there.
   * @returns {boolean} whether it had to be let go
   */
  holdOn() {
    if (!this.held) return false;
    const { from, count, cards } = this.held;
    const now = this.player.position()[from].slice(-count);
    if (isRun(now) && now.join() === cards.join()) {
      if (this.player.settings().placement_help) this.view.mark(this.accepting());
      return false;
    }
    this.letGo();
    return true;
  }

  /** @param {Move} move */
  #play(move) {
    this.held = null;
    this.view.mark([]);
    this.view.release();
    this.player.play(move);
  }

  /** @param {Rule} rule @param {Move} move */
  #refuse(rule, move) {
    this.player.tell(refusalSentence(rule, this.player.position(), move), "rule");
  }
}
