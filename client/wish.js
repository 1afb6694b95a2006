/** Which games of the list somebody wishes to see, as the address has it, so that it can be passed on. Pure. */

/** @typedef {import("./messages.js").Row} Row */
/** @typedef {{show: "on" | "won" | "all", suits: "any" | "1" | "2" | "4", view: "tables" | "list"}} Wish */

/** The first of each is what an address without it means. */
export const CHOICES = {
  show: /** @type {const} */ (["on", "won", "all"]),
  suits: /** @type {const} */ (["any", "1", "2", "4"]),
  view: /** @type {const} */ (["tables", "list"]),
};

/** @param {string} search the part of an address from its ? on @returns {Wish} */
export function wishIn(search) {
  const query = new URLSearchParams(search);
  const found = Object.entries(CHOICES).map(([name, choices]) => [
    name,
    choices.find((choice) => choice === query.get(name)) ?? choices[0],
  ]);
  return Object.fromEntries(found);
}

/** @param {Wish} wish @returns {string} empty, or from the ? on */
export function searchFor(wish) {
  const named = Object.entries(wish).filter(([name, value]) => value !== CHOICES[/** @type {keyof Wish} */ (name)][0]);
  return named.length > 0 ? `?${new URLSearchParams(named)}` : "";
}

/** @param {Wish} wish @param {Pick<Row, "suits" | "won">} row */
export function fits({ show, suits }, { suits: has, won }) {
  return (show === "all" || won === (show === "won")) && (suits === "any" || has === Number(suits));
}
