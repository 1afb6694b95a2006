/**
 * The drawing under the slider: what stands as a line, what was taken back as thinner branches below it, undo dashed,
 * a suit where its sequence left; and the same in words. Knows versions, nothing of buttons.
 */
import { el, printed, svg } from "./dom.js";
import { t } from "./i18n.js";
import { branchesOf, stepsOf } from "./tree.js";
import { happened } from "./words.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./tree.js").Step} Step */
/** @typedef {"stands" | "tried" | "taken-back" | "unknown"} Line */

const LINES = /** @type {const} */ (["unknown", "taken-back", "tried", "stands"]);
const STANDS_Y = 13;
const LANE = 3.4;
const LANES = 4;
const PIP = 10;
// Closer together, dots and bars would be one grey band.
const APART = 7;

export class Track {
  /** @type {readonly Game[]} */
  #versions = [];
  /** @type {Step[]} */
  #steps = [];
  #head = 1;
  /** @type {number | null} */
  #from = null;
  #width = 0;

  /** @param {HTMLElement} root that holds the slider */
  constructor(root) {
    this.drawing = svg("svg", { class: "tree", "aria-hidden": "true" });
    this.words = el("p", { hidden: true, id: "track-words" });
    root.prepend(this.drawing);
    root.append(this.words);
    root.querySelector("input")?.setAttribute("aria-describedby", "track-words");
    new ResizeObserver(([{ contentRect }]) => {
      this.#width = contentRect.width;
      this.#draw();
    }).observe(this.drawing);
  }

  /**
   * @param {readonly Game[]} versions from the deal on, as far as they are known
   * @param {number} head
   * @param {number | null} from the version where the game left another
   */
  show(versions, head, from) {
    this.#versions = versions;
    this.#steps = stepsOf(versions);
    this.#head = head;
    this.#from = from;
    this.#draw();
    this.words.textContent = summaryOf(this.#steps);
  }

  /** What happened in a version, for the ear. @param {number} version */
  saying(version) {
    const [step, game, before] = [this.#steps[version - 1], this.#versions[version - 1], this.#versions[version - 2]];
    if (!step || !before) return t("timeline.at", { version, head: this.#head });
    const kind = step.kind === "restart" ? "state" : /** @type {"move" | "undo" | "redo"} */ (step.kind);
    const what = step.kind === "restart" ? t("action.restart") : happened(kind, before, game);
    return t(step.depth > 0 ? "timeline.tried" : "timeline.said", { version, head: this.#head, what });
  }

  #draw() {
    if (this.#width === 0) return;
    const paths = this.#lines();
    this.drawing.replaceChildren(
      svg("path", { class: "through", d: this.#through() }),
      ...LINES.map((name) => svg("path", { class: name, d: paths[name] })),
      svg("path", { class: "dots", d: this.#dots() }),
      svg("path", { class: "bars", d: this.#bars() }),
      ...this.#pips(),
    );
  }

  /** @param {number} version */
  #x(version) {
    return Math.round(((version - 1) / Math.max(1, this.#head - 1)) * this.#width * 10) / 10;
  }

  /** One path for each kind of line. */
  #lines() {
    /** @type {Record<Line, string>} */
    const paths = { stands: "", tried: "", "taken-back": "", unknown: "" };
    /** @type {Line | null} */
    let last = null;
    for (const [i, step] of this.#steps.entries()) {
      if (i === 0) continue;
      const line = step.kind === "undo" ? "taken-back" : step.depth > 0 ? "tried" : "stands";
      if (line !== last) paths[line] += `M${this.#x(i)} ${laneOf(this.#steps[i - 1])}`;
      paths[line] += `L${this.#x(i + 1)} ${laneOf(step)}`;
      last = line;
    }
    const known = Math.max(1, this.#steps.length);
    if (known < this.#head) paths.unknown = `M${this.#x(known)} ${STANDS_Y}H${this.#x(this.#head)}`;
    return paths;
  }

  /** What stands goes on while a branch is tried. */
  #through() {
    const spans = branchesOf(this.#steps).map(({ from, to }) => [from - 1, Math.min(to + 1, this.#head)]);
    return spans.map(([from, to]) => `M${this.#x(from)} ${STANDS_Y}H${this.#x(to)}`).join("");
  }

  /** A dot for each version, where there is room. */
  #dots() {
    if (this.#width / this.#head < APART) return "";
    return this.#steps.map((step, i) => `M${this.#x(i + 1)} ${laneOf(step)}h0`).join("");
  }

  /** A bar where the cards were dealt again, and where the game left another. */
  #bars() {
    const dealt = this.#steps.flatMap(({ kind }, i) => (kind === "restart" ? [i + 1] : []));
    return [...dealt, ...(this.#from ? [this.#from] : [])].map((v) => `M${this.#x(v)} 5V21`).join("");
  }

  #pips() {
    return this.#steps.flatMap(({ off, depth }, i) => {
      if (off === null) return [];
      const pip = printed(`suit-${off}`, "0 0 100 100", depth > 0 ? `pip tried suit-${off}` : `pip suit-${off}`);
      const place = { x: this.#x(i + 1) - PIP / 2, y: 0, width: PIP, height: PIP };
      for (const [name, value] of Object.entries(place)) pip.setAttribute(name, String(value));
      return [pip];
    });
  }
}

/** @param {Step} step */
const laneOf = ({ depth }) => STANDS_Y + Math.min(depth, LANES) * LANE;

/** @param {readonly Step[]} steps */
function summaryOf(steps) {
  /** @param {Step["kind"]} wanted */
  const count = (wanted) => steps.filter(({ kind }) => kind === wanted).length;
  const left = steps.flatMap(({ off, depth }, i) => (off && depth === 0 ? [i + 1] : []));
  const parts = [
    t("moves.n", { n: count("move") }),
    count("undo") > 0 && t("track.undos", { n: count("undo") }),
    branchesOf(steps).length > 0 && t("track.branches", { n: branchesOf(steps).length }),
    left.length > 0 && t("track.removed", { n: left.length, versions: left.join(", ") }),
  ];
  return parts.filter(Boolean).join(", ");
}
