/**
 * A game as its player thought: a line of what stands, and the branches that were tried and taken back. Pure.
 * A state is its own node: undo leads to the parent, redo, or the same action again, to the very state that was left.
 */

/** @typedef {import("./messages.js").Suit} Suit */
/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./rules.js").State} State */

/**
 * One version. `depth` counts the actions between it and what stands at the end: 0 stands, more was taken back later.
 * @typedef {object} Step
 * @property {"deal" | "move" | "restart" | "undo" | "redo"} kind
 * @property {number} depth
 * @property {Suit | null} off the suit of the sequence that left with it
 */
/**
 * Versions `from` to `to` in a row that did not come to stand, at most `depth` actions away from what does.
 * @typedef {{from: number, to: number, depth: number}} Branch
 */

/** @param {readonly Game[]} versions from the deal on @returns {Step[]} one for each */
export function stepsOf(versions) {
  const depths = depthsOf(versions);
  return versions.map((game, i) => {
    const before = i > 0 ? versions[i - 1] : null;
    const kind = kindOf(before, game);
    const hasLeft = before !== null && kind !== "undo" && game.off.length > before.off.length;
    return { kind, depth: depths[i], off: hasLeft ? game.off[game.off.length - 1] : null };
  });
}

/** @param {readonly Step[]} steps @returns {Branch[]} in order */
export function branchesOf(steps) {
  /** @type {Branch[]} */
  const branches = [];
  for (const [i, { depth }] of steps.entries()) {
    const last = branches[branches.length - 1];
    if (depth === 0) continue;
    if (last?.to === i) Object.assign(last, { to: i + 1, depth: Math.max(last.depth, depth) });
    else branches.push({ from: i + 1, to: i + 1, depth });
  }
  return branches;
}

/** @param {Game | null} before @param {Game} game @returns {Step["kind"]} */
function kindOf(before, game) {
  if (before === null) return "deal";
  if (game.state === before.state.parent) return "undo";
  if (game.state === before.future?.state) return "redo";
  return game.state.action?.t ?? "restart";
}

/** @param {readonly Game[]} versions */
function depthsOf(versions) {
  /** @type {Map<State, number>} */
  const known = new Map();
  for (let state = versions.at(-1)?.state ?? null; state; state = state.parent) known.set(state, 0);
  return versions.map(({ state }) => {
    // A parent was met before its child, and so is known.
    const depth = known.get(state) ?? (state.parent ? (known.get(state.parent) ?? 0) + 1 : 0);
    known.set(state, depth);
    return depth;
  });
}
