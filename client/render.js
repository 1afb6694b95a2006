/**
 * Draws a position: one element a card, in the column's element in the order of the cards, moved by transforms only.
 * Knows no rules and no game: it is told positions, and finds by itself which elements travel.
 */
import { newCard, paint } from "./card.js";
import { el, mark } from "./dom.js";
import { layoutOf } from "./layout.js";
import { flyAway, timingOf, travel } from "./motion.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").CardSize} CardSize */
/** @typedef {import("./card.js").CardElement} CardElement */
/** @typedef {{column: number, index: number}} Place */
/** @typedef {{name: (card: string) => string, columnName: (position: Position, at: number) => string}} Words */
/** @typedef {import("./motion.js").Motion} Motion */

export class TableView {
  /** @type {Position} */
  position = [];
  /** @type {CardElement[][]} */
  cards = [];
  /** @type {CardElement[]} */
  held = [];
  /** Where the held run's first card was, in the window, and how far the hand has carried it. */
  #carried = { x: 0, y: 0, dx: 0, dy: 0 };
  /** Where the table is in the window, and its size; measured when that changes, not at each move. */
  #frame = { x: 0, y: 0, width: 0, height: 0 };
  /** @type {CardSize} */
  size = "medium";

  /**
   * @param {HTMLElement} root
   * @param {{columns?: number, usual?: number, words: Words, home?: () => Element | null}} wish `home`: where removed
   *   sequences go
   */
  constructor(root, { columns = 10, usual, words, home = () => null }) {
    this.usual = usual;
    this.root = root;
    this.words = words;
    this.home = home;
    this.columns = Array.from({ length: columns }, (_, i) =>
      el("div", { class: "column", "data-column": i, role: "listbox", tabindex: i === 0 ? 0 : -1 }),
    );
    this.root.replaceChildren(...this.columns);
    this.cards = this.columns.map(() => []);
    this.#measure();
    /** @type {Layout} */
    this.layout = this.#fit();
    new ResizeObserver(() => this.refit()).observe(root);
  }

  /**
   * Shows a position. Cards that lie elsewhere now travel there.
   * @param {Position} position @param {Motion} motion
   */
  show(position, motion) {
    const isFirst = this.position.length === 0;
    // Read before anything is written: a question about style or size in between would cost a frame.
    const timing = timingOf(this.root, isFirst ? "none" : motion);
    const from = !isFirst && position.flat().length > this.cards.flat().length ? this.#homeEdge() : { x: 0, y: 0 };
    const loose = this.#takeOut(position);
    this.position = position;
    const moved = position.flatMap((column, at) => this.#fill(column, at, loose, from));
    this.layout = this.#fit();
    this.#place(timing);
    this.#sendHome([...loose.values()].flat(), motion);
    this.#describe();
    if (moved.length > 0 && !isFirst) this.#outline(moved);
  }

  /** Fits the cards into the table's size as it is now; what a hand carries stays under it. */
  refit() {
    this.#measure();
    this.layout = this.#fit();
    this.#place(null);
    if (this.held.some(({ element }) => element.classList.contains("dragged")))
      this.drag(this.#carried.dx, this.#carried.dy);
  }

  /** Names again, after the language changed. */
  rename() {
    for (const card of this.cards.flat()) card.element.setAttribute("aria-label", this.words.name(card.text));
    this.#describe();
  }

  /**
   * What lies under an event's target; index is null on the empty part of a column.
   * @param {EventTarget | null} target
   * @returns {{column: number, index: number | null} | null}
   */
  placeOf(target) {
    const column = this.columns.findIndex((element) => target instanceof Node && element.contains(target));
    if (column < 0) return null;
    const index = this.cards[column].findIndex(({ element }) => target instanceof Node && element.contains(target));
    return { column, index: index < 0 ? null : index };
  }

  /** Marks the run from this place on as held. @param {Place} place */
  hold({ column, index }) {
    this.held = this.cards[column].slice(index);
    const { x, y } = this.#home(column, index);
    this.#carried = { x: this.#frame.x + x, y: this.#frame.y + y, dx: 0, dy: 0 };
    for (const { element } of this.held) {
      element.classList.add("held");
      element.setAttribute("aria-selected", "true");
    }
  }

  /** Moves what is held along with the hand. @param {number} dx @param {number} dy from where it was taken */
  drag(dx, dy) {
    this.#carried = { ...this.#carried, dx, dy };
    const x = this.#carried.x + dx - this.#frame.x;
    const y = this.#carried.y + dy - this.#frame.y;
    for (const [i, card] of this.held.entries()) {
      card.element.classList.add("dragged");
      this.#paint(card, x, y + i * this.layout.strip(this.cards[card.column].length));
    }
  }

  /** What was held goes home. @param {Motion} [motion] */
  letGo(motion = "return") {
    const timing = timingOf(this.root, motion);
    this.release();
    this.#place(timing);
  }

  /** What was held stays where the hand left it, until the next position is shown: it travels on from there. */
  release() {
    for (const { element } of this.held) {
      element.classList.remove("held", "dragged");
      element.setAttribute("aria-selected", "false");
    }
    this.held = [];
  }

  /** Marks the columns that accept what is held. @param {readonly number[]} accepting */
  mark(accepting) {
    for (const [i, element] of this.columns.entries()) element.classList.toggle("accepts", accepting.includes(i));
  }

  #measure() {
    const { left, top } = this.root.getBoundingClientRect();
    this.#frame = { x: left, y: top, width: this.root.clientWidth, height: this.root.clientHeight };
  }

  #fit() {
    const longest = Math.max(0, ...this.position.map((column) => column.length));
    return layoutOf(this.#frame, { columns: this.columns.length, longest, size: this.size, usual: this.usual });
  }

  /**
   * Takes out the elements that do not stay where they are.
   * @param {Position} position
   * @returns {Map<string, CardElement[]>} by card
   */
  #takeOut(position) {
    const loose = new Map();
    for (const [at, cards] of this.cards.entries()) {
      const differs = cards.findIndex((card, i) => card.text !== position[at][i]);
      for (const card of differs < 0 ? [] : cards.splice(differs))
        loose.set(card.text, [...(loose.get(card.text) ?? []), card]);
    }
    return loose;
  }

  /**
   * @param {readonly string[]} column
   * @param {number} at
   * @param {Map<string, CardElement[]>} loose
   * @param {import("./motion.js").Spot} from where a card comes from that was not on the table
   * @returns {CardElement[]} what came to lie here
   */
  #fill(column, at, loose, from) {
    const arrived = column.slice(this.cards[at].length).map((text) => {
      const card = loose.get(text)?.shift() ?? newCard(text, this.words.name(text), from);
      card.column = at;
      return card;
    });
    this.columns[at].append(...arrived.map(({ element }) => element));
    this.cards[at].push(...arrived);
    return arrived;
  }

  /** Where removed sequences lie, seen from the table. */
  #homeEdge() {
    const home = this.home()?.getBoundingClientRect();
    const table = this.root.getBoundingClientRect();
    return home
      ? { x: home.right - table.left - this.layout.width, y: home.top - table.top }
      : { x: 0, y: -this.layout.height };
  }

  /** @param {number} column @param {number} index */
  #home(column, index) {
    return { x: this.layout.x[column], y: index * this.layout.strip(this.cards[column].length) };
  }

  /** @param {import("./motion.js").Timing | null} timing */
  #place(timing) {
    this.root.style.setProperty("--card-width", `${this.layout.width}px`);
    for (const [at, element] of this.columns.entries()) element.style.left = `${this.layout.x[at]}px`;
    for (const [at, cards] of this.cards.entries()) {
      for (const [index, card] of cards.entries()) {
        if (card.element.classList.contains("dragged")) continue;
        const { x, y } = this.#home(at, index);
        const from = { x: card.x - x, y: card.y - y };
        this.#paint(card, x, y);
        if (timing && Math.abs(from.x) + Math.abs(from.y) > 0.5) travel(card.element, from, timing);
      }
    }
  }

  /** @param {CardElement} card @param {number} x @param {number} y */
  #paint(card, x, y) {
    paint(card, { x, y }, this.layout.x[card.column]);
  }

  /** A removed sequence leaves card by card. @param {CardElement[]} cards @param {Motion} motion */
  #sendHome(cards, motion) {
    for (const { element } of cards) element.remove();
    if (motion === "none" || cards.length !== 13) return;
    const to = this.#homeEdge();
    for (const [order, { element, x, y }] of cards.entries())
      flyAway(this.root, [...element.children], { from: { x, y }, to, order });
  }

  #describe() {
    for (const [at, element] of this.columns.entries()) {
      mark(element, { "aria-label": this.words.columnName(this.position, at) });
      element.classList.toggle("empty", this.position[at].length === 0);
    }
  }

  /** The last move stays outlined until the next. @param {CardElement[]} moved */
  #outline(moved) {
    const isOneMove = new Set(moved.map((card) => card.column)).size === 1;
    for (const card of this.cards.flat()) card.element.classList.toggle("last-move", isOneMove && moved.includes(card));
  }
}
