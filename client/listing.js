/**
 * The public games that are known, in the order shown: the list as the server gave it, page by page, new ones first. A
 * game that moves keeps its place, so that nothing slips away under a finger. Pure.
 */

/** @typedef {import("./messages.js").Row} Row */

/** How many rows the first page has; one with fewer is the last. */
export const PAGE = 100;

export class Listing {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** @type {number} when the last row of the pages had been moved in */
  oldest = Infinity;
  /** There is no further page. */
  isWhole = false;
  #isAgain = false;

  get size() {
    return this.#rows.size;
  }

  /** @param {string} g */
  get(g) {
    return this.#rows.get(g);
  }

  /** @param {(row: Row) => boolean} fits */
  those(fits) {
    return [...this.#rows.values()].filter(fits);
  }

  /**
   * The first page, at the beginning or after the connection was lost. Further pages are kept; what belongs to the
   * first and is not there is gone.
   * @param {Row[]} page
   */
  begin(page) {
    const oldest = page.at(-1)?.at ?? 0;
    const isWhole = page.length < PAGE;
    const further = isWhole ? [] : this.those((row) => row.at < oldest);
    this.#rows = new Map([...page, ...further.filter((row) => !page.some(({ g }) => g === row.g))].map((row) => [row.g, row]));
    this.isWhole = isWhole || (this.isWhole && further.length > 0);
    this.#isAgain &&= further.length > 0;
    this.oldest = further.length > 0 ? this.oldest : oldest;
  }

  /**
   * The next page. After the last one the first is asked for again, and on until nothing is new: a game that is moved
   * in while somebody turns the pages is before all that is still to come.
   * @param {Row[]} page @returns {Row[]} those that were not known
   */
  extend(page) {
    const added = page.filter((row) => !this.#rows.has(row.g));
    for (const row of added) this.#rows.set(row.g, row);
    const isLast = page.length < PAGE;
    this.isWhole = this.#isAgain && (isLast || added.length === 0);
    this.#isAgain ||= isLast;
    this.oldest = isLast ? Infinity : page[page.length - 1].at;
    return added;
  }

  /** A row that is new comes first. @param {Row} row */
  put(row) {
    if (this.#rows.has(row.g)) this.#rows.set(row.g, row);
    else this.#rows = new Map([[row.g, row], ...this.#rows]);
  }

  /** @param {string} g @param {Partial<Row>} change @returns {Row | undefined} the row as it is now */
  change(g, change) {
    const row = this.#rows.get(g);
    if (!row) return undefined;
    const changed = { ...row, ...change };
    this.#rows.set(g, changed);
    return changed;
  }

  /** @param {string} g */
  remove(g) {
    this.#rows.delete(g);
  }
}
