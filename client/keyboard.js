/**
 * The keyboard's hand: a cursor over columns and cards. The ten columns are one stop of the tab key; the arrows move
 * within. In assistive technology a column is a list box and the cursor its active option.
 */
import { mark } from "./dom.js";

/** @typedef {import("./render.js").TableView} TableView */
/** @typedef {import("./hands.js").Hands} Hands */
/** @typedef {"undo" | "redo"} Shortcut */

export class Cursor {
  #column = 0;
  /** How many cards from the top the cursor stands; 0 is the card on top. */
  #depth = 0;
  /** @type {HTMLElement | undefined} that the cursor is on */
  #card;

  /** @param {TableView} view @param {Hands} hands */
  constructor(view, hands) {
    this.view = view;
    this.hands = hands;
    view.root.addEventListener("keydown", (event) => this.#pressed(event));
    view.root.addEventListener("focusin", (event) => this.#focused(event));
    view.root.addEventListener("focusout", () => view.root.classList.remove("cursor-on"));
  }

  /** After the table changed: the cursor stays in its column, on a card that is there. */
  refresh() {
    const length = this.view.cards[this.#column].length;
    this.#depth = Math.min(this.#depth, Math.max(0, length - 1));
    const card = this.view.cards[this.#column][length - 1 - this.#depth]?.element;
    for (const [i, element] of this.view.columns.entries()) {
      const isHere = i === this.#column;
      mark(element, { tabindex: isHere ? 0 : -1 });
      if (isHere && card) mark(element, { "aria-activedescendant": card.id });
      else element.removeAttribute("aria-activedescendant");
    }
    if (card !== this.#card) this.#card?.classList.remove("cursor");
    card?.classList.add("cursor");
    this.#card = card;
  }

  /** @param {number} column @param {number} [depth] */
  moveTo(column, depth = 0) {
    this.#column = (column + this.view.columns.length) % this.view.columns.length;
    this.#depth = depth;
    this.refresh();
    this.view.columns[this.#column].focus({ preventScroll: true });
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const place = this.view.placeOf(event.target);
    if (!place) return;
    if (place.column !== this.#column) [this.#column, this.#depth] = [place.column, 0];
    // A press of the mouse focuses too; the ring is for those who use keys.
    this.view.root.classList.toggle("cursor-on", this.view.columns[place.column].matches(":focus-visible"));
    this.refresh();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    this.view.root.classList.add("cursor-on");
    const act = this.#keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @type {Record<string, () => void>} */
  #keys = {
    ArrowLeft: () => this.moveTo(this.#column - 1),
    ArrowRight: () => this.moveTo(this.#column + 1),
    Home: () => this.moveTo(0),
    End: () => this.moveTo(this.view.columns.length - 1),
    ArrowUp: () => this.moveTo(this.#column, this.#depth + 1),
    ArrowDown: () => this.moveTo(this.#column, Math.max(0, this.#depth - 1)),
    Enter: () => this.#takeOrPut(),
    " ": () => this.#takeOrPut(),
    Escape: () => this.hands.letGo(),
  };

  #takeOrPut() {
    const { held } = this.hands;
    if (held && held.from !== this.#column) this.hands.put(this.#column);
    else if (held) this.hands.letGo();
    else this.#take();
    this.refresh();
  }

  #take() {
    const index = this.view.cards[this.#column].length - 1 - this.#depth;
    if (index >= 0) this.hands.take({ column: this.#column, index }, "key");
  }
}

/** By what the key writes, in Greek too: where it lies is another matter on other keyboards. @type {Record<string, Shortcut>} */
const SHORTCUTS = { z: "undo", ζ: "undo", y: "redo", υ: "redo" };

/**
 * Z and Ctrl+Z, Y and Ctrl+Y and Ctrl+Shift+Z, wherever nothing is being typed.
 * @param {(shortcut: Shortcut) => void} act
 */
export function listenToShortcuts(act) {
  document.addEventListener("keydown", (event) => {
    if (isForSomethingElse(event)) return;
    const shortcut = SHORTCUTS[event.key.toLowerCase()];
    if (!shortcut) return;
    event.preventDefault();
    act(event.shiftKey && (event.ctrlKey || event.metaKey) ? "redo" : shortcut);
  });
}

/** @type {Record<string, "previous" | "next" | "first" | "live" | "play">} */
const TRAVEL_KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "live", Enter: "play" };

/**
 * Shift with an arrow, Home, End or Enter goes through the versions.
 * @param {(action: string) => void} act
 */
export function listenToTravelKeys(act) {
  document.addEventListener("keydown", (event) => {
    const action = TRAVEL_KEYS[event.key];
    if (!action || !event.shiftKey || event.ctrlKey || event.metaKey || isForSomethingElse(event)) return;
    if (event.key === "Enter" && isPressable(event.target)) return;
    event.preventDefault();
    act(action);
  });
}

/** Enter there is a press of it, and with Shift on a link a window of its own. @param {EventTarget | null} target */
const isPressable = (target) => target instanceof Element && target.closest("a, button, summary") !== null;

/** @param {KeyboardEvent} event */
const isForSomethingElse = ({ target, altKey }) =>
  altKey ||
  document.querySelector("dialog[open]") !== null ||
  (target instanceof HTMLElement && target.closest("input:not([type=range]), textarea, select") !== null);
