/**
 * The pointer's hand: mouse, pen and finger through pointer events. Tells a drag from a tap; knows no rules.
 * Law: every press ends exactly once, by a drop, a tap or going home, whatever the browser does in between.
 */
import { mostOverlapped, nearestColumn } from "./layout.js";

/** @typedef {import("./render.js").TableView} TableView */
/** @typedef {import("./hands.js").Hands} Hands */
/** @typedef {{column: number, index: number | null}} Touched */
/** @typedef {{id: number, x: number, y: number, touched: Touched, phase: "pressed" | "dragging" | "dead"}} Press */

const THRESHOLD_PX = { mouse: 4, pen: 5, touch: 6 };

/**
 * @param {TableView} view @param {Hands} hands
 * @param {(touched: Touched) => void} tap a press that did not move
 */
export function listenToPointer(view, hands, tap) {
  /** @type {Press | null} */
  let press = null;

  /** @param {PointerEvent} event @returns {Touched} */
  const touchedBy = (event) =>
    view.placeOf(event.target) ?? {
      column: nearestColumn(view.layout, event.clientX - view.root.getBoundingClientRect().left),
      index: null,
    };

  /** @param {PointerEvent} event */
  function pressed(event) {
    if (press || !event.isPrimary || event.button !== 0) return;
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, touched: touchedBy(event), phase: "pressed" };
    view.root.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function moved(event) {
    if (press?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (
      press.phase === "pressed" &&
      Math.hypot(dx, dy) > (THRESHOLD_PX[/** @type {"mouse"} */ (event.pointerType)] ?? 5)
    )
      lift(press);
    if (press.phase !== "dragging") return;
    if (hands.held?.hand === "drag") view.drag(dx, dy);
    else press.phase = "dead";
  }

  /** @param {Press} press */
  function lift(press) {
    const { column, index } = press.touched;
    const isTaken = index !== null && hands.take({ column, index }, "drag");
    press.phase = isTaken ? "dragging" : "dead";
  }

  /** @param {PointerEvent} event */
  function released(event) {
    if (press?.id !== event.pointerId) return;
    const { phase, touched } = press;
    press = null;
    if (phase === "pressed") tap(touched);
    if (phase === "dragging" && hands.held?.hand === "drag") drop();
  }

  function drop() {
    if (hands.player.settings().automatic_placement) return hands.putOntoBest();
    const { x } = view.held[0];
    const accepting = mostOverlapped(view.layout, x, hands.accepting());
    // Nothing that accepts lies beneath: a column that does not accept tells why, the own column is simply home.
    const others = view.layout.x.map((_, i) => i);
    const to = accepting ?? mostOverlapped(view.layout, x, others);
    if (to === null || to === hands.held?.from) hands.letGo();
    else hands.put(to);
  }

  function goHome() {
    if (press?.phase === "dragging" && hands.held?.hand === "drag") hands.letGo();
    if (press) press.phase = "dead";
  }

  /** @param {PointerEvent} event */
  function lost(event) {
    if (press?.id !== event.pointerId) return;
    goHome();
    press = null;
  }

  const { root } = view;
  root.addEventListener("pointerdown", pressed);
  root.addEventListener("pointermove", moved);
  root.addEventListener("pointerup", released);
  root.addEventListener("pointercancel", lost);
  root.addEventListener("lostpointercapture", lost);
  root.addEventListener("contextmenu", (event) => {
    if (press) event.preventDefault();
  });
  window.addEventListener("blur", goHome);
  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape") goHome();
  });
}
