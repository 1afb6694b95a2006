/**
 * The pointer's hand: mouse, pen and finger through pointer events. Tells a drag from a tap; knows no rules.
 * Law: every press ends exactly once, by a drop, a tap or going home, whatever the browser does in between.
 */
import { mostOverlapped, nearestColumn } from "./layout.js";

/** @typedef {{column: number, index: number | null}} Touched */
/** @typedef {{id: number, x: number, y: number, touched: Touched, phase: "pressed" | "dragging" | "dead"}} Press */

/** @type {Record<string, number>} */
const THRESHOLD_PX = { mouse: 4, pen: 5, touch: 6 };

export class Pointer {
  /** @type {Press | null} */
  #press = null;

  /**
   * @param {import("./render.js").TableView} view
   * @param {import("./hands.js").Hands} hands
   * @param {(touched: Touched, at: number) => void} tap a press that did not move, and when it ended: a page that is
   *   busy hears of it later
   */
  constructor(view, hands, tap) {
    this.view = view;
    this.hands = hands;
    this.tap = tap;
  }

  listen() {
    const { root } = this.view;
    root.addEventListener("pointerdown", (event) => this.#pressed(event));
    root.addEventListener("pointermove", (event) => this.#moved(event));
    root.addEventListener("pointerup", (event) => this.#released(event));
    root.addEventListener("pointercancel", (event) => this.#lost(event));
    root.addEventListener("lostpointercapture", (event) => this.#lost(event));
    // A long press of a finger would open the browser's menu over the cards.
    root.addEventListener("contextmenu", (event) => this.#press && event.preventDefault());
    window.addEventListener("blur", () => this.#goHome());
    window.addEventListener("keydown", (event) => event.key === "Escape" && this.#goHome());
  }

  get #isDragging() {
    return this.#press?.phase === "dragging" && this.hands.held?.hand === "drag";
  }

  /** A second finger, and every button but the first, mean nothing. @param {PointerEvent} event */
  #pressed(event) {
    if (this.#press || !event.isPrimary || event.button !== 0) return;
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.#press = { id, x, y, touched: this.#touchedBy(event), phase: "pressed" };
    this.view.root.setPointerCapture(id);
  }

  /** @param {PointerEvent} event @returns {Touched} */
  #touchedBy({ target, clientX }) {
    const place = this.view.placeOf(target);
    if (place) return place;
    const x = clientX - this.view.root.getBoundingClientRect().left;
    return { column: nearestColumn(this.view.layout, x), index: null };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    if (this.#press?.id !== event.pointerId) return;
    // The button was let go where nobody could tell: behind a system's window, or another page's.
    if (event.pointerType === "mouse" && event.buttons === 0) return this.#lost(event);
    const [dx, dy] = [event.clientX - this.#press.x, event.clientY - this.#press.y];
    const isFar = Math.hypot(dx, dy) > (THRESHOLD_PX[event.pointerType] ?? THRESHOLD_PX.touch);
    if (this.#press.phase === "pressed" && isFar) this.#lift(this.#press);
    if (this.#isDragging) this.view.drag(dx, dy);
  }

  /** @param {Press} press */
  #lift(press) {
    const { column, index } = press.touched;
    press.phase = index !== null && this.hands.take({ column, index }, "drag") ? "dragging" : "dead";
  }

  /** @param {PointerEvent} event */
  #released(event) {
    if (this.#press?.id !== event.pointerId) return;
    // Where the hand let go counts, not where it was last heard of.
    if (this.#isDragging) this.view.drag(event.clientX - this.#press.x, event.clientY - this.#press.y);
    const { phase, touched } = this.#press;
    const isDragging = this.#isDragging;
    this.#press = null;
    if (phase === "pressed") this.tap(touched, event.timeStamp);
    if (isDragging) this.#drop();
  }

  /** A column that accepts comes first; one that does not tells why; the own column is simply home. */
  #drop() {
    if (this.hands.player.settings().automatic_placement) return this.hands.putOntoBest();
    const { x } = this.view.held[0];
    const all = this.view.layout.x.map((_, i) => i);
    const to = mostOverlapped(this.view.layout, x, this.hands.accepting()) ?? mostOverlapped(this.view.layout, x, all);
    if (to === null || to === this.hands.held?.from) this.hands.letGo();
    else this.hands.put(to);
  }

  #goHome() {
    if (this.#isDragging) this.hands.letGo();
    if (this.#press) this.#press.phase = "dead";
  }

  /** @param {PointerEvent} event */
  #lost(event) {
    if (this.#press?.id !== event.pointerId) return;
    this.#goHome();
    this.#press = null;
  }
}
