/**
 * The numbers about the game shown: score, moves, time, removed sequences; and the line under it: who plays, which deal,
 * how many watch, and whether the page is connected.
 */
import { mark, one, printed, write } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./messages.js").Suit} Suit */
/** @typedef {import("./socket.js").Status} Status */

// A longer pause is somebody having tea, not thinking.
const LONGEST_THOUGHT_MS = 60_000;

/** How long a game has been played. @param {readonly number[]} times of its versions @param {number} now */
export const playedMs = (times, now) =>
  [...times, now].reduce(
    (sum, at, i, all) => (i === 0 ? 0 : sum + Math.min(LONGEST_THOUGHT_MS, Math.max(0, at - all[i - 1]))),
    0,
  );

/** @param {number} ms */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(":")}` : `${Number(parts[0])}:${parts[1]}`;
}

export class Tally {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.score = one("[data-score]", HTMLElement, root);
    this.moves = one("[data-moves]", HTMLElement, root);
    this.time = one("[data-time]", HTMLElement, root);
    this.clock = one(".clock", HTMLElement, root);
    this.removed = one("[data-removed]", HTMLElement, root);
  }

  /** @param {import("./rules.js").Game} game */
  show({ score, moves, off }) {
    write(this.score, String(score));
    write(this.moves, String(moves));
    const shown = [...this.removed.children].map((element) => element.getAttribute("data-suit"));
    if (shown.join() !== off.join()) this.removed.replaceChildren(...off.map(sequenceMark));
    const suits = off.map((suit) => t(`suit_whole.${suit}`)).join(", ");
    const name = off.length > 0 ? t("removed", { n: off.length, suits }) : t("removed.none");
    if (this.removed.parentElement) mark(this.removed.parentElement, { "aria-label": name });
  }

  /** @param {readonly number[] | null} times null while they are not known: then the clock keeps its place @param {number} now */
  showTime(times, now) {
    this.clock.classList.toggle("unknown", times === null);
    if (times) write(this.time, clockText(playedMs(times, now)));
  }
}

/** @param {Suit} suit */
function sequenceMark(suit) {
  const mark = printed(`suit-${suit}`, "0 0 100 100", `suit-${suit}`);
  mark.setAttribute("data-suit", suit);
  return mark;
}

/**
 * @param {HTMLElement} root
 * @param {{name: string, code: string | null, from?: import("./messages.js").Origin, watching: number}} game
 */
export function showLine(root, { name, code, from, watching }) {
  const [who, deal, origin, eyes] = ["by", "code", "from", "watching"].map((part) => one(`[data-${part}]`, HTMLElement, root));
  write(who, name);
  mark(who, { title: name }); // whole, where there is room for its beginning alone
  write(deal, code ?? "");
  mark(deal, { title: t("deal.link"), href: `/deals/${code}` });
  deal.hidden = code === null;
  nameOrigin(origin, from);
  showWatching(eyes, watching);
}

/** @param {HTMLElement} link to the game that this one was played on from @param {import("./messages.js").Origin} [from] */
function nameOrigin(link, from) {
  link.hidden = !from;
  if (!from) return;
  const name = t("from", { version: from.v });
  mark(link, { href: `/games/${from.g}#v=${from.v}`, title: name, "aria-label": name });
}

/** @param {HTMLElement} element @param {Status} status @param {number} [waiting] moves that are not sent yet */
export function showStatus(element, status, waiting = 0) {
  const isHeldUp = status !== "live" && waiting > 0;
  mark(element, { "data-status": status });
  write(element, isHeldUp ? t(`status.${status}.waiting`, { n: waiting }) : t(`status.${status}`));
}

/** @param {HTMLElement} element @param {number} watching spectators */
function showWatching(element, watching) {
  write(element, String(watching));
  mark(element, { "data-watching": watching });
  if (element.parentElement) mark(element.parentElement, { "aria-label": t("list.watching", { n: watching }) });
}
