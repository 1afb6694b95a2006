/**
 * What stays on the device through a reload, game by game: moves that wait to be sent, and moves that did not stand.
 * Law: nothing is written over by another tab. Each page keeps what waits under a name of its own, and holds a lock of
 * that name while it is there: what nobody holds was left by a page that is gone, or rests for the way back.
 */

/** @typedef {import("./messages.js").Command} Command */
/** @typedef {import("./state.js").Waiting} Waiting */
/** @typedef {{v: number, commands: Command[], why: "overtaken" | "set_back"}} Lost `v`: the version they began at */

/** What the storage is too full for, or forbidden: it goes with the page. @type {Map<string, string>} */
const unkept = new Map();

/** Whether all that was to stay on the device does. */
export const isAllKept = () => unkept.size === 0;

/** The place of one page for what waits of one game. */
export class Place {
  #left = new AbortController();
  /** @type {Set<string>} the names that were seen */
  #seen = new Set();
  /** @type {{moves: Waiting, settle: () => void}[]} what pages that are gone had waiting */
  #legacy = [];
  #isTaking = false;
  #hasLooked = false;

  /** @param {string} g */
  constructor(g) {
    this.g = g;
    this.name = newName(g);
    this.#hold();
    // A page that rests may never wake, and is not kept with a lock: others take up what it has waiting. Should it wake
    // nevertheless, no harm is in both sending the same, for a version is taken once.
    window.addEventListener("pagehide", this.#letGo);
    window.addEventListener("pageshow", this.#wake);
  }

  /** @param {Waiting} moves */
  keep(moves) {
    write(this.name, moves);
  }

  forget() {
    remove(this.name);
  }

  /** The page has another game now; what still waits is for the next page of this one. */
  leave() {
    this.#letGo();
    window.removeEventListener("pagehide", this.#letGo);
    window.removeEventListener("pageshow", this.#wake);
  }

  #hold() {
    this.#seen = new Set([this.name]);
    this.#hasLooked = false;
    const left = this.#left.signal;
    void withLock(this.name, left, () => leaving(left));
  }

  #letGo = () => this.#left.abort();

  /** @param {PageTransitionEvent} event */
  #wake = ({ persisted }) => {
    if (!persisted) return;
    this.#left = new AbortController();
    this.#legacy = [];
    this.#hold();
  };

  /**
   * What other pages had waiting is taken up, one after the other, when they are gone; what cannot be taken up now
   * stays where it is, until this is asked for again.
   * @param {(moves: Waiting) => Promise<boolean>} take whether it is clear now what becomes of them
   */
  inherit(take) {
    // Where a browser has no locks, on a page without TLS, what another tab has meanwhile looks like what one has left.
    const names = navigator.locks || !this.#hasLooked ? namesOf("waiting", this.g) : [];
    this.#hasLooked = true;
    for (const name of names.filter((other) => !this.#seen.has(other))) {
      this.#seen.add(name);
      const left = this.#left.signal;
      void withLock(name, left, () => this.#inherit(name, take, left));
    }
    void this.#takeUp(take);
  }

  /** @param {string} name @param {(moves: Waiting) => Promise<boolean>} take @param {AbortSignal} left */
  async #inherit(name, take, left) {
    const moves = read(name);
    if (!moves || left.aborted) return;
    const isSettled = new Promise((settle) => this.#legacy.push({ moves, settle: () => settle(remove(name)) }));
    void this.#takeUp(take);
    await Promise.race([isSettled, leaving(left)]);
  }

  /** @param {(moves: Waiting) => Promise<boolean>} take */
  async #takeUp(take) {
    if (this.#isTaking) return;
    this.#isTaking = true;
    const legacy = this.#legacy;
    try {
      while (legacy.length > 0 && (await take(legacy[0].moves))) legacy.shift()?.settle();
    } finally {
      this.#isTaking = false;
    }
  }
}

/**
 * Keeps moves on the device until something was done about them; where nothing could be, they were left here.
 * @param {string} g @param {Waiting} moves @param {() => Promise<boolean>} act @returns {Promise<boolean>} what that gave
 */
export async function keptWhile(g, moves, act) {
  const place = new Place(g);
  place.keep(moves);
  try {
    const isDone = await act();
    if (isDone) place.forget();
    return isDone;
  } finally {
    place.leave();
  }
}

/** Lays moves beside what is not answered yet; the same ones are there once, though each tab lost them. @param {string} g @param {Lost} moves */
export const keepLost = (g, moves) => write(`${prefix("lost", g)}${JSON.stringify(moves)}`, moves);

/** The first that are not answered. @param {string} g @returns {(Lost & {name: string}) | undefined} */
export function firstLost(g) {
  const [name] = namesOf("lost", g);
  const moves = name && read(name);
  return moves ? { ...moves, name } : undefined;
}

/** Whether they are not answered yet. @param {string} name */
export const isLost = (name) => read(name) !== null;

/** They are answered. @param {string} name */
export const forgetLost = (name) => remove(name);

/** @param {AbortSignal} left */
const leaving = (left) => new Promise((leave) => left.addEventListener("abort", leave));

/**
 * While nobody else holds it.
 * @param {string} name @param {AbortSignal} signal ends the waiting @param {() => Promise<unknown>} act
 */
async function withLock(name, signal, act) {
  if (!navigator.locks) return void (await act());
  return navigator.locks.request(name, { signal }, act).catch((error) => {
    if (!signal.aborted) throw error;
  });
}

/** @param {"waiting" | "lost"} kind @param {string} g */
const prefix = (kind, g) => `simplesimon.${kind}.${g}.`;

/** In the order in which pages came. @param {string} g */
const newName = (g) => `${prefix("waiting", g)}${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** @param {"waiting" | "lost"} kind @param {string} g */
const namesOf = (kind, g) =>
  [...new Set([...unkept.keys(), ...stored()])].filter((name) => name.startsWith(prefix(kind, g))).sort();

function stored() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** @param {string} name @param {Waiting | Lost} moves */
function write(name, moves) {
  const text = JSON.stringify(moves);
  unkept.delete(name);
  try {
    localStorage.setItem(name, text);
  } catch {
    unkept.set(name, text);
  }
}

/** @param {string} name */
function read(name) {
  try {
    return JSON.parse(unkept.get(name) ?? localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name */
function remove(name) {
  unkept.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // Where it is forbidden, nothing is there.
  }
}
