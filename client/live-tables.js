/**
 * Games that are live while they are in sight: those are followed, move by move and quietly, and all others are left.
 * Law: what is in sight now decides; what rushes past is not asked for.
 */
import { isForNow, soon } from "./again.js";
import { afterDiff, gameOf } from "./diffs.js";

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */
/** @typedef {import("./rules.js").Game} Game */

/**
 * @typedef {object} Watcher
 * @property {(g: string, isInSight: boolean) => void} seen
 * @property {(g: string, change: Partial<Row>) => void} changed
 * @property {(g: string) => void} gone there is no such game any more
 */

const REST_MS = 120;
// The server lets a socket follow 200.
const MOST = 120;

export class LiveTables {
  /** @type {Map<string, Game | null>} what is followed; null until its state has come */
  #followed = new Map();
  /** @type {Set<string>} */
  #inSight = new Set();
  /** @type {number | undefined} */
  #resting;

  /** @param {import("./socket.js").Connection} connection @param {Watcher} watcher */
  constructor(connection, watcher) {
    this.connection = connection;
    this.watcher = watcher;
    // A little more than the screen, so that what comes into sight next is there already.
    this.observer = new IntersectionObserver((seen) => this.#saw(seen), { rootMargin: "15% 0px" });
  }

  /** @param {string} g */
  isInSight(g) {
    return this.#inSight.has(g);
  }

  /** Looks at these elements, each with its `data-game`, and no others. @param {Iterable<Element>} elements */
  lookAt(elements) {
    this.observer.disconnect();
    this.#inSight.clear();
    for (const element of elements) this.observer.observe(element);
    this.#restSoon();
  }

  /** One more. @param {Element} element */
  add(element) {
    this.observer.observe(element);
  }

  /** A new connection follows nothing yet. */
  opened() {
    this.#followed.clear();
    this.#restSoon();
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (!("g" in message) || message.g === undefined || !this.#followed.has(message.g)) return;
    const { g } = message;
    const game = this.#followed.get(g);
    if (message.t === "state") this.#advance(g, gameOf(message), { at: message.at, watching: message.watching });
    else if (message.t === "watching") this.watcher.changed(g, { watching: message.n });
    else if (message.t === "move" || message.t === "undo" || message.t === "redo") {
      if (game && message.v === game.version + 1) this.#advance(g, afterDiff(game, message), { at: Date.now() });
    } else if (message.t === "error") {
      this.#followed.delete(g);
      if (message.code === "no_such_game") this.watcher.gone(g);
      else if (isForNow(message.code)) soon(() => this.#restSoon());
    }
  }

  /** @param {string} g @param {Game} game @param {Partial<Row>} change */
  #advance(g, game, change) {
    this.#followed.set(g, game);
    const { version: v, columns, off, score, moves, won } = game;
    this.watcher.changed(g, { v, columns, off: [...off], score, moves, won, ...change });
  }

  /** @param {IntersectionObserverEntry[]} seen */
  #saw(seen) {
    for (const { target, isIntersecting } of seen) {
      const g = target.getAttribute("data-game") ?? "";
      if (isIntersecting) this.#inSight.add(g);
      else this.#inSight.delete(g);
      this.watcher.seen(g, isIntersecting);
    }
    this.#restSoon();
  }

  #restSoon() {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), REST_MS);
  }

  /** Asks for what is in sight, then leaves the rest, no faster than the connection takes it. */
  #rest() {
    if (this.connection.status !== "live") return;
    while (this.connection.hasRoom) {
      const wanted = this.#followed.size < MOST && [...this.#inSight].find((g) => !this.#followed.has(g));
      const left = [...this.#followed.keys()].find((g) => !this.#inSight.has(g));
      if (wanted) this.#follow(wanted);
      else if (left) this.#leave(left);
      else return;
    }
    this.#restSoon();
  }

  /** @param {string} g */
  #follow(g) {
    this.#followed.set(g, null);
    this.connection.send({ t: "watch", g, quiet: true });
  }

  /** @param {string} g */
  #leave(g) {
    this.#followed.delete(g);
    this.connection.send({ t: "leave", g });
  }
}
