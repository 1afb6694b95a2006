/**
 * One game on the page, played or watched: messages go into its GameState, what that shows goes onto the table,
 * and what the hands do becomes commands. Law: the table is drawn from the state only, in `show`.
 */
import { isForNow, soon } from "./again.js";
import { later } from "./later.js";
import { Past } from "./past.js";
import { problemSentence } from "./problems.js";
import { Refused } from "./rules.js";
import { GameState } from "./state.js";
import { Place, firstLost, keptWhile } from "./waiting.js";
import { happened, refusalSentence, sentence, whyNot } from "./words.js";

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */
/** @typedef {import("./render.js").Motion} Motion */
/** @typedef {import("./state.js").Outcome} Outcome */
/** @typedef {import("./waiting.js").Lost["why"]} Why */
/** @typedef {import("./words.js").Sentence} Sentence */

/**
 * What a game on the page needs around it.
 * @typedef {object} Surroundings
 * @property {import("./socket.js").Connection} connection
 * @property {import("./preferences.js").Preferences} preferences
 * @property {import("./says.js").Voice} voice
 * @property {(motion: Motion) => void} draw shows the state on the page
 * @property {() => void} offer what did not stand, to be kept as a game of one's own
 */

const SOON_MS = 3_000;

export class Play {
  watching = 0;
  #isFollowed = false;
  /** Whether all that happened meanwhile is here: else a move might fit a version that it was not decided on. */
  #isLevel = false;
  /** Whether moves were made that could not be sent at once: who was away is not told of them in passing. */
  #wasAway = false;
  #past;
  #again = /** @type {number | undefined} */ (undefined);
  #place;
  /** What was known when the last message came. @type {import("./rescue.js").Had} */
  #had = { versions: [], count: 0 };

  /** @param {GameSnapshot} snapshot @param {Surroundings} around */
  constructor(snapshot, around) {
    this.g = snapshot.g;
    this.around = around;
    this.state = new GameState(snapshot);
    this.watching = snapshot.watching;
    this.#past = new Past(this.state, () => this.around.draw("none"));
    this.#place = snapshot.mine ? new Place(snapshot.g) : null;
  }

  /** Follows the game over the connection, from what is known already. What waits is sent when that is level. */
  follow() {
    this.#isFollowed = true;
    this.#isLevel = false;
    this.state.pending.forgetUnderWay();
    this.around.connection.send({ t: "watch", g: this.g, since: this.state.head.version, c: this.state.c });
  }

  leave() {
    this.#isFollowed = false;
    this.#place?.leave();
    clearTimeout(this.#again);
    this.around.connection.send({ t: "leave", g: this.g });
  }

  /** The past of the game, for looking back and for foreseeing undo. */
  learn() {
    return this.#past.learn();
  }

  /** For the clock: many spectators may come at the same moment, and none of them is in a hurry. */
  learnSoon() {
    setTimeout(() => void (this.#isFollowed && this.learn()), SOON_MS * (0.2 + Math.random()));
  }

  /** Takes up what this device had not been able to send before a reload, or in a tab that is closed. */
  resume() {
    if (this.state.isMine && firstLost(this.g)) this.around.offer();
    this.#place?.inherit(this.#takeUp);
  }

  /** @param {ServerMessage} message */
  receive(message) {
    const { head } = this.state;
    this.#had = { versions: this.state.versions, count: head.version };
    switch (message.t) {
      case "state":
        return this.#came(head, this.state.receiveSnapshot(message), message);
      case "move":
      case "undo":
      case "redo":
        return this.#came(head, this.state.receiveDiff(message), message);
      case "refused":
        return this.#refused(message, this.state.receiveRefused());
      case "synced":
        this.#isLevel = this.#isFollowed = true;
        if (!this.state.isMine) this.learnSoon();
        this.resume();
        return this.#flush();
      case "stale":
        return this.#stale(message.v, this.state.receiveStale(message.v));
      case "watching":
        this.watching = message.n;
        return this.around.draw("glide");
      case "error":
        return this.#failed(message);
    }
  }

  /** Does it at once, and sends it. @param {Command} command */
  do(command) {
    const whyNot = this.whyNot();
    if (whyNot) return this.tell(whyNot, "refused");
    try {
      this.state.command(command);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const move = command.t === "move" ? command.m : undefined;
      return this.tell(refusalSentence(error.rule, this.state.foreseen.position, move), "rule");
    }
    this.around.voice.hush();
    this.#wasAway ||= this.around.connection.status !== "live";
    this.#keep();
    this.around.draw("glide");
    this.#flush();
  }

  /** Why no card may be touched now. @returns {Sentence | null} */
  whyNot = () => whyNot(this.state);

  /** @param {number} version @param {Motion} [motion] */
  async lookAt(version, motion = "none") {
    await this.learn();
    if (!this.state.lookAt(version)) return;
    this.around.voice.hush();
    this.around.draw(motion);
  }

  followLive() {
    this.state.followLive();
    this.around.voice.hush();
    this.around.draw("glide");
  }

  /** @param {Sentence} what @param {import("./says.js").Kind} kind */
  tell(what, kind) {
    if (kind === "rule" && !this.around.preferences.settings.interactive_rules) return;
    this.around.voice.tell(what, kind);
  }

  /** @param {import("./rules.js").Game} before @param {Outcome} outcome @param {GameSnapshot | import("./messages.js").Diff} message */
  #came(before, outcome, message) {
    const isLost = message.t === "state" && message.set_back && !["none", "confirmed"].includes(outcome.news);
    if (isLost) this.tell(sentence("news.set_back", {}), "news");
    else if (outcome.dropped.length > 0)
      this.tell(sentence("news.overtaken", {}, { n: outcome.dropped.length }), "news");
    else if (outcome.news !== "none" && this.state.isLive)
      this.around.voice.announce(happened(message.t, before, this.state.head));
    this.#settle(outcome, isLost ? "set_back" : "overtaken");
  }

  /** @param {import("./messages.js").RefusedMessage} message @param {Outcome} outcome */
  #refused({ rule, m }, outcome) {
    if (outcome.dropped.length > 0) this.tell(refusalSentence(rule, this.state.head.position, m), "rule");
    this.#settle(outcome);
  }

  /** @param {number} v @param {Outcome} outcome */
  #stale(v, outcome) {
    if (outcome.dropped.length > 0) this.tell(sentence("news.overtaken", {}, { n: outcome.dropped.length }), "news");
    this.#settle(outcome);
    if (v !== this.state.head.version) this.follow();
  }

  /** @param {Outcome} outcome @param {Why} [why] */
  #settle(outcome, why = "overtaken") {
    const { dropped } = outcome;
    const isLost = why === "set_back" || (this.#wasAway && dropped.length > 0);
    if (isLost && this.state.isMine) void this.#rescueAll(this.#had, dropped, why);
    this.#wasAway &&= this.state.pending.length > 0;
    this.#keep();
    this.around.draw(dropped.length > 0 ? "return" : "glide");
    if (outcome.news !== "none" && (this.state.isMine || !this.state.isLive)) void this.learn();
    else if (outcome.news === "replaced") this.learnSoon();
    this.#flush();
  }

  /** @param {import("./messages.js").ErrorMessage} error */
  #failed({ code, detail, g }) {
    const n = this.state.pending.length;
    const isForGood = !isForNow(code) && (this.#isLevel || code !== "internal");
    // On a game of one's own that is level it answers a command, and else the following.
    const isOfGame = g !== undefined && !(this.#isLevel && this.state.isMine);
    if (n === 0 && (isForGood ? !isOfGame : this.#isLevel)) return;
    if (n > 0 && !isForGood) this.tell(sentence("news.unavailable", {}, { n }), "news");
    if (!isForGood) return void this.#followSoon();
    this.#isFollowed &&= !isOfGame;
    if (isOfGame) this.tell(problemSentence({ code, message: detail }), "refused");
    else this.tell(sentence("news.not_taken", {}, { n }), "news");
    if (n > 0) this.#settle({ news: "overtaken", dropped: this.state.dropPending().dropped });
  }

  #followSoon() {
    clearTimeout(this.#again);
    if (this.#isFollowed) this.#again = soon(() => this.follow());
    return false;
  }

  /**
   * In a game that has gone on, only its past tells what still waits: without it, all stays as it is.
   * @param {import("./state.js").Waiting} moves @returns {Promise<boolean>} whether it is clear what becomes of them
   */
  #takeUp = async (moves) => {
    if (!this.state.isAt(moves)) await this.learn();
    if (!this.#isFollowed) return false;
    const { knowsPast, versions } = this.state;
    if (!knowsPast && !this.state.isAt(moves)) return this.#followSoon();
    this.#wasAway = true;
    const isRescued = this.state.resume(moves) || this.#rescue({ versions, count: moves.v }, moves.commands, "overtaken");
    if (!(await isRescued)) return this.#followSoon();
    this.#keep();
    this.around.draw("none");
    this.#flush();
    return true;
  };

  /** @param {import("./rescue.js").Had} had @param {Command[]} commands @param {Why} why */
  #rescueAll = async (had, commands, why) =>
    (await keptWhile(this.g, { v: had.count, c: "", commands }, () => this.#rescue(had, commands, why))) || this.#followSoon();

  /** @param {import("./rescue.js").Had} had @param {Command[]} dropped @param {Why} why */
  #rescue = (had, dropped, why) => later.offer().then(({ rescue }) => rescue(this, had, dropped, why), () => false);

  #flush() {
    if (this.around.connection.status !== "live" || !this.#isLevel) return;
    for (const frame of this.state.takeFrames()) this.around.connection.send(frame);
  }

  #keep() {
    if (this.state.pending.length > 0) this.#place?.keep(this.state.waiting);
    else this.#place?.forget();
  }
}
