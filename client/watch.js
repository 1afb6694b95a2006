/** What is being played: the public games as small live tables, or as the same list in words. */
import { isNoList, soon } from "./again.js";
import { api } from "./api.js";
import { el, passFocus, takeAway, write } from "./dom.js";
import { t } from "./i18n.js";
import { Listing, PAGE } from "./listing.js";
import { entry, facts } from "./lists.js";
import { LiveTables } from "./live-tables.js";
import { drawTable, emptyTable } from "./small-table.js";
import { showStatus } from "./tally.js";
import { choicesFor, emptyNotice } from "./watch-parts.js";
import { fits, searchFor, wishIn } from "./wish.js";

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */

// The words for how long ago grow old.
const AGE_MS = 30_000;
// What making the drawings may take of a frame, for laying them out takes thrice that; the rest waits for the next one.
const DRAWING_MS = 2;

export class WatchPage {
  #listing = new Listing();
  #wish = wishIn(location.search);
  #isListed = false;
  /** Whether the list was asked for on this connection, and has not come. */
  #isAwaited = false;
  #isTurning = false;
  /** @type {Set<string>} what came while somebody was looking at the others */
  #coming = new Set();
  /** @type {Set<string>} what is drawn anew with the next frame */
  #changed = new Set();

  /** @param {import("./later.js").Around} around */
  constructor({ root, connection }) {
    this.root = root;
    this.connection = connection;
    this.list = el("ul", { class: "entries" });
    this.empty = el("div", { class: "notice" });
    this.count = el("span", { role: "status" });
    this.status = el("span", { class: "status" });
    this.fresh = el("button", { type: "button", class: "main fresh", onclick: () => this.#showFresh() });
    this.end = el("button", { type: "button", onclick: () => void this.#more() });
    this.tables = new LiveTables(connection, {
      seen: (g, isInSight) => this.#seen(g, isInSight),
      changed: (g, change) => void (this.#listing.change(g, change) && this.#redrawSoon(g)),
      gone: (g) => this.#remove(g),
    });
    this.ends = new IntersectionObserver((seen) => void (seen.some((end) => end.isIntersecting) && this.#more()));
    setInterval(() => this.#shown().forEach((shown) => this.#redrawSoon(gameOf(shown))), AGE_MS);
    this.redraw();
    if (connection.status === "live") this.opened();
  }

  /** Anew, also after the language changed. */
  redraw() {
    this.end.textContent = t("watch.more");
    this.onstatus(this.connection.status);
    this.root.replaceChildren(
      el(
        "div",
        { class: "sheet wide" },
        el("h1", {}, t("watch.title")),
        el("p", {}, t("watch.lead")),
        choicesFor(this.#wish, (wish) => this.#choose(wish)),
        el("p", { class: "small above" }, this.count, this.status),
        this.fresh,
        this.empty,
        this.list,
        el("p", { class: "buttons" }, this.end),
      ),
    );
    this.#fill();
  }

  shown() {}
  leave() {}

  opened() {
    this.tables.opened();
    this.#ask();
  }

  #ask() {
    this.#isAwaited = true;
    this.connection.send({ t: "lobby", on: true, moves: false });
  }

  /** @param {import("./socket.js").Status} status */
  onstatus(status) {
    showStatus(this.status, status);
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (message.t === "listed") {
      this.#isListed = true;
      this.#isAwaited = false;
      this.#listing.begin(message.games);
      this.#fill();
    } else if (message.t === "game") this.#came(message);
    else if (message.t === "unlisted") this.#remove(message.g);
    else if (isNoList(message)) soon(() => this.#isAwaited && this.#ask());
    else this.tables.receive(message);
  }

  /** @param {import("./wish.js").Wish} wish */
  #choose(wish) {
    this.#wish = wish;
    history.replaceState(history.state, "", location.pathname + searchFor(wish));
    this.#fill();
  }

  #chooseAll() {
    this.#choose({ ...this.#wish, show: "all", suits: "any" });
    this.redraw();
    this.#first()?.focus();
  }

  #showFresh() {
    this.#fill();
    this.#first()?.focus();
  }

  #first = () => this.list.querySelector("a");

  /** @param {Row} row */
  #came(row) {
    const isShown = this.#elementOf(row.g) !== null;
    this.#listing.put(row);
    if (isShown) return this.#redrawSoon(row.g);
    if (!fits(this.#wish, row)) return;
    if (this.#isLookedAt()) this.#coming.add(row.g);
    else {
      const shown = this.#entry(row);
      this.list.prepend(shown);
      this.tables.add(shown);
    }
    this.#tell();
  }

  /** Whether what stands here would slip away under somebody's finger, eye or focus if something came before it. */
  #isLookedAt() {
    return this.list.matches(":hover, :focus-within") || this.list.getBoundingClientRect().top < 0;
  }

  /** @param {string} g */
  #remove(g) {
    this.#listing.remove(g);
    this.#coming.delete(g);
    const gone = this.#elementOf(g);
    if (gone) takeAway(gone, (gone.nextElementSibling ?? gone.previousElementSibling)?.querySelector("a"));
    this.#tell();
  }

  #fill() {
    this.#coming.clear();
    this.list.classList.toggle("in-words", this.#wish.view === "list");
    const focused = this.list.querySelector(":focus-within");
    this.list.replaceChildren(...this.#listing.those((row) => fits(this.#wish, row)).map((row) => this.#entry(row)));
    // Who came to a game by keys is still there, also when the list came anew with a new connection.
    if (focused) (this.#elementOf(gameOf(focused)) ?? this.list).querySelector("a")?.focus({ preventScroll: true });
    this.tables.lookAt(this.#shown());
    this.#tell();
    this.ends.disconnect();
    this.ends.observe(this.end);
  }

  async #more() {
    if (!this.#isListed || this.#listing.isWhole || this.#isTurning) return;
    this.#isTurning = true;
    const page = await api.publicGames(PAGE, this.#listing.oldest).catch(() => null);
    this.#isTurning = false;
    if (!page) return;
    const { size } = this.#listing;
    const added = this.#listing.extend(page.games).filter((row) => fits(this.#wish, row));
    const shown = added.map((row) => this.list.appendChild(this.#entry(row)));
    for (const entry of shown) this.tables.add(entry);
    if (this.#listing.isWhole) passFocus(this.end, (shown[0] ?? this.list.lastElementChild)?.querySelector("a"));
    this.#tell();
    // Asks on by itself only while that brings something to see.
    this.ends.disconnect();
    if (added.length > 0 || this.#listing.size === size) this.ends.observe(this.end);
  }

  /** Says how many there are, and what is not to be seen in the list. */
  #tell() {
    write(this.count, this.#isListed ? t("watch.count", { n: this.list.childElementCount }) : t("wait"));
    this.fresh.hidden = this.#coming.size === 0;
    this.fresh.textContent = t("watch.coming", { n: this.#coming.size });
    this.end.hidden = !this.#isListed || this.#listing.isWhole;
    this.empty.hidden = !this.#isListed || this.list.childElementCount > 0;
    if (this.empty.hidden) return;
    this.empty.replaceChildren(...emptyNotice(this.#listing.size, () => this.#chooseAll()));
  }

  /** @param {Row} row */
  #entry(row) {
    return entry(row, { isMine: false, table: emptyTable(row.columns.length) });
  }

  /** Off the screen a table is but its place. @param {string} g @param {boolean} isInSight */
  #seen(g, isInSight) {
    if (isInSight) this.#redrawSoon(g);
    else this.#elementOf(g)?.querySelector(".small-table")?.replaceChildren();
  }

  /** @param {string} g */
  #redrawSoon(g) {
    if (this.#changed.size === 0) requestAnimationFrame(() => this.#redrawChanged());
    this.#changed.add(g);
  }

  #redrawChanged() {
    const begun = performance.now();
    for (const g of this.#changed) {
      this.#changed.delete(g);
      this.#redraw(g);
      if (performance.now() - begun > DRAWING_MS) break;
    }
    if (this.#changed.size > 0) requestAnimationFrame(() => this.#redrawChanged());
  }

  /** Only what stands inside the link changes: who has the focus on it keeps it. @param {string} g */
  #redraw(g) {
    const row = this.#listing.get(g);
    const shown = this.#elementOf(g);
    if (!row || !shown) return;
    shown.querySelector(".facts")?.replaceChildren(...facts(row, { isMine: false }));
    const table = shown.querySelector(".small-table");
    if (table instanceof SVGElement && this.tables.isInSight(g) && this.#wish.view === "tables")
      drawTable(table, row.columns, row.off);
  }

  #shown() {
    return [...this.list.children];
  }

  /** @param {string} g */
  #elementOf(g) {
    return this.list.querySelector(`[data-game="${CSS.escape(g)}"]`);
  }
}

/** @param {import("./later.js").Around} around */
export const begin = (around) => new WatchPage(around);

/** @param {Element} shown */
const gameOf = (shown) => shown.getAttribute("data-game") ?? "";
