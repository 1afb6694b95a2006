/**
 * What the first table does not need: asked for when somebody wants it, and before that in a quiet moment, so that
 * it is there when the connection is not.
 */

// Long enough for the cards to be on the table of a slow phone first.
const QUIET_MS = 2_500;

export const later = {
  deal: () => import("./deal.js"),
  games: () => import("./games.js"),
  link: () => import("./link.js"),
  linkDevice: () => import("./link-device.js"),
  newGame: () => import("./new-game.js"),
  rules: () => import("./rules-page.js"),
  settings: () => import("./settings.js"),
  share: () => import("./share.js"),
  watch: () => import("./watch.js"),
  won: () => import("./won.js"),
};

export function fetchTheRest() {
  setTimeout(() => {
    // One that fails now is asked for again when it is wanted.
    for (const part of Object.values(later)) part().catch(() => undefined);
  }, QUIET_MS);
}
