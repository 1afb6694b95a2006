/** What is being played: the public games as small live tables, which are a list for assistive technology too. */
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { entry } from "./lists.js";

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */

export class WatchPage {
  /** @type {Map<string, Row>} in the order shown */
  #rows = new Map();
  #filter = "all";

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.list = el("ul", { class: "entries" });
    this.empty = el("p", { class: "notice" });
  }

  /** Anew, also after the language changed. */
  show() {
    const choices = ["all", "on", "1", "2", "4"].map((value) =>
      el(
        "option",
        { value, selected: value === this.#filter },
        Number(value) ? t("suits", { n: Number(value) }) : t(`watch.${value}`),
      ),
    );
    const filter = el(
      "select",
      {
        name: "filter",
        onchange: () => {
          this.#filter = filter.value;
          this.#fill();
        },
      },
      ...choices,
    );
    this.root.replaceChildren(
      el(
        "div",
        { class: "sheet wide" },
        el("h1", {}, t("watch.title")),
        el("div", { class: "above" }, el("p", {}, t("watch.lead")), el("label", {}, t("watch.filter"), filter)),
        this.empty,
        this.list,
      ),
    );
    this.#fill();
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (message.t === "listed") {
      this.#rows = new Map(message.games.map((row) => [row.g, row]));
      this.#fill();
    } else if (message.t === "game") this.#changed(message);
    else if (message.t === "unlisted") {
      this.#rows.delete(message.g);
      this.#elementOf(message.g)?.remove();
      this.#tellEmpty();
    }
  }

  /**
   * A game that moves keeps its place, so that nothing slips away under a finger; a new one comes first.
   * @param {Row} row
   */
  #changed(row) {
    const isKnown = this.#rows.has(row.g);
    this.#rows = isKnown ? this.#rows.set(row.g, row) : new Map([[row.g, row], ...this.#rows]);
    const shown = this.#elementOf(row.g);
    if (!this.#fits(row)) shown?.remove();
    else if (shown) this.#refresh(shown, row);
    else this.list.prepend(entry(row, { isMine: false }));
    this.#tellEmpty();
  }

  /**
   * Changes what stands inside the link only: who has the focus on it keeps it.
   * @param {Element} shown
   * @param {Row} row
   */
  #refresh(shown, row) {
    const link = entry(row, { isMine: false }).querySelector("a");
    shown.querySelector("a")?.replaceChildren(...(link?.childNodes ?? []));
  }

  #fill() {
    this.list.replaceChildren(
      ...[...this.#rows.values()].filter((row) => this.#fits(row)).map((row) => entry(row, { isMine: false })),
    );
    this.#tellEmpty();
  }

  #tellEmpty() {
    this.empty.hidden = this.list.childElementCount > 0;
    this.empty.textContent = t("watch.empty");
  }

  /** @param {Row} row */
  #fits({ suits, won }) {
    if (this.#filter === "all") return true;
    return this.#filter === "on" ? !won : suits === Number(this.#filter);
  }

  /** @param {string} g */
  #elementOf(g) {
    return this.list.querySelector(`[data-game="${CSS.escape(g)}"]`);
  }
}
