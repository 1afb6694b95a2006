/** The address of a game's page: it names the version looked back at, so that it can be passed on as it stands. */

// Browsers take a few changes of the address a second, and a slider makes more.
const BETWEEN_MS = 300;

export class Address {
  /** @type {number | undefined} */
  #resting;

  /** @param {() => number | null | undefined} version what to name; null for none, undefined for what it is */
  constructor(version) {
    this.version = version;
  }

  show() {
    const version = this.version();
    if (version === undefined || this.#resting !== undefined) return;
    const hash = version === null ? "" : `#v=${version}`;
    if (location.hash === hash) return;
    history.replaceState(history.state, "", location.pathname + hash);
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.show();
    }, BETWEEN_MS);
  }
}
