/**
 * One connection to the server that comes back by itself. Knows no game: whoever uses it says again what it follows
 * when `onopen` is called. Figures: a ping after 20 s of silence and at once on waking up, 3 s for its pong, 0.2 to
 * 10 s of fully random delay, growing, forgotten after 30 s of health.
 */
import { parse } from "./messages.js";

/** @typedef {import("./messages.js").ClientMessage} ClientMessage */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */
/** @typedef {"live" | "reconnecting" | "offline"} Status */
/** @typedef {"silence" | "pong" | "retry" | "healthy" | "pace"} Timer */

/**
 * @typedef {object} Listener
 * @property {() => void} onopen
 * @property {(message: ServerMessage) => void} onmessage
 * @property {(status: Status, code: number) => void} onstatus `code` is that of the close, or 0
 */

const SILENCE_MS = 20_000;
const PONG_MS = 3_000;
// Of a hundred who lost a server for two seconds 99 are back after five; if the delay doubled, after eight.
const DELAY_MS = { first: 200, longest: 10_000, grows: 1.5 };
const HEALTHY_MS = 30_000;
const FOR_GOOD = 4500;
// The server takes 10 frames a second and bursts of 40 from a socket; staying below never strikes.
const PACE = { burst: 25, everyMs: 125 };

export class Connection {
  /** @type {Status} */
  status = "reconnecting";
  /** @type {WebSocket | null} */
  #socket = null;
  #longestDelay = DELAY_MS.first;
  #pings = 0;
  /** @type {ClientMessage[]} */
  #queue = [];
  #tokens = PACE.burst;
  /** @type {Partial<Record<Timer, number>>} */
  #timers = {};
  #isEnded = false;

  /**
   * @param {string} url
   * @param {Listener} listener
   */
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
  }

  start() {
    for (const name of ["online", "pageshow", "focus"]) window.addEventListener(name, () => this.#wake());
    window.addEventListener("offline", () => this.#wake());
    window.addEventListener("pagehide", () => this.#rest());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#wake();
    });
    this.#connect();
  }

  /**
   * Frames leave in order; those that wait when the connection breaks are forgotten, for `onopen` says everything
   * anew.
   * @param {ClientMessage} message
   */
  send(message) {
    if (this.status !== "live") return;
    this.#queue.push(message);
    this.#flush();
  }

  /** Whether what is sent now leaves at once, for those who would rather wait than queue what may be old by then. */
  get hasRoom() {
    return this.status === "live" && this.#queue.length === 0 && this.#tokens > 0;
  }

  #connect() {
    if (this.#isEnded || this.#socket) return;
    this.#clear("retry");
    const socket = new WebSocket(this.url, "simplesimon.v1");
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#received(event.data);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#closed(event.code);
    };
    // A handshake that hangs is as dead as one that fails.
    this.#after("pong", PONG_MS * 2, () => this.#abandon());
  }

  /** @param {string} text */
  #received(text) {
    this.#clear("pong");
    this.#after("silence", SILENCE_MS, () => this.#ping());
    const message = parse(text);
    if (message?.t === "hello") this.#opened();
    if (message) this.listener.onmessage(message);
  }

  #opened() {
    this.#queue = [];
    this.#tokens = PACE.burst;
    this.#after("healthy", HEALTHY_MS, () => {
      this.#longestDelay = DELAY_MS.first;
    });
    this.#become("live", 0);
    this.listener.onopen();
  }

  /** @param {number} code */
  #closed(code) {
    this.#socket = null;
    this.#queue = [];
    for (const name of /** @type {const} */ (["silence", "pong", "healthy", "pace"])) this.#clear(name);
    this.#isEnded ||= code >= FOR_GOOD;
    this.#become(this.#isEnded || !navigator.onLine ? "offline" : "reconnecting", code);
    if (this.#isEnded) return;
    this.#after("retry", Math.random() * this.#longestDelay, () => this.#connect());
    this.#longestDelay = Math.min(this.#longestDelay * DELAY_MS.grows, DELAY_MS.longest);
  }

  /** Leaves a connection that does not answer; its close may take minutes to be noticed, so it is not waited for. */
  #abandon() {
    const socket = this.#socket;
    this.#closed(1006);
    socket?.close();
  }

  /** A page that is left may be kept for the way back, but not with an open socket; `pageshow` wakes it. */
  #rest() {
    if (this.#socket) this.#abandon();
    this.#clear("retry");
  }

  #wake() {
    if (this.#isEnded) return;
    if (this.#socket === null) this.#connect();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#ping();
  }

  #ping() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ t: "ping", n: ++this.#pings }));
    if (this.#timers.pong === undefined) this.#after("pong", PONG_MS, () => this.#abandon());
  }

  #flush() {
    while (this.#queue.length > 0 && this.#tokens > 0) {
      this.#tokens--;
      this.#socket?.send(JSON.stringify(this.#queue.shift()));
    }
    if (this.#tokens < PACE.burst && this.#timers.pace === undefined)
      this.#after("pace", PACE.everyMs, () => this.#refill());
  }

  #refill() {
    this.#tokens++;
    this.#flush();
  }

  /** @param {Status} status @param {number} code */
  #become(status, code) {
    this.status = status;
    this.listener.onstatus(status, code);
  }

  /** @param {Timer} name @param {number} ms @param {() => void} act */
  #after(name, ms, act) {
    this.#clear(name);
    this.#timers[name] = setTimeout(() => {
      this.#timers[name] = undefined;
      act();
    }, ms);
  }

  /** @param {Timer} name */
  #clear(name) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = undefined;
  }
}
