/**
 * What the first table does not need: asked for when somebody wants it, and before that in a quiet moment, so that
 * it is there when the connection is not.
 */

// Long enough for the cards to be on the table of a slow phone first.
const QUIET_MS = 2_500;

/**
 * What goes on in place of a table, or beside one: the list of games, TV, following a player. One at a time, for each
 * follows the list of games in its own way.
 *
 * @typedef {object} Around what it may ask of the page
 * @property {HTMLElement} root
 * @property {import("./socket.js").Connection} connection
 * @property {() => import("./game-page.js").GamePage | null} page
 * @property {() => string | undefined} me the id of the player here
 * @property {(snapshot: import("./messages.js").GameSnapshot, version: null) => void} open shows another game
 */
/**
 * @typedef {object} Beside what the page tells it
 * @property {() => void} opened the connection is there, and follows nothing yet
 * @property {(status: import("./socket.js").Status) => void} onstatus
 * @property {(message: import("./messages.js").ServerMessage) => void} receive
 * @property {(snapshot: import("./messages.js").GameSnapshot) => void} shown a game was opened, by it or by hand
 * @property {() => void} leave somebody goes back by hand
 * @property {() => void} redraw the language changed
 */

export const later = {
  follow: () => import("./follow.js"),
  deal: () => import("./deal.js"),
  games: () => import("./games.js"),
  link: () => import("./link.js"),
  linkDevice: () => import("./link-device.js"),
  newGame: () => import("./new-game.js"),
  offer: () => import("./offer.js"),
  playback: () => import("./playback.js"),
  rules: () => import("./rules-page.js"),
  settings: () => import("./settings.js"),
  share: () => import("./share.js"),
  track: () => import("./track.js"),
  tv: () => import("./tv.js"),
  watch: () => import("./watch.js"),
  won: () => import("./won.js"),
};

export function fetchTheRest() {
  setTimeout(() => {
    // One that fails now is asked for again when it is wanted.
    for (const part of Object.values(later)) part().catch(() => undefined);
  }, QUIET_MS);
}
