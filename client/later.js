/**
 * What the first table does not need: asked for when somebody wants it, and before that in a quiet moment, so that
 * it is there when the connection is not.
 */
import { ApiError } from "./api.js";

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

/**
 * A file is imported once it is known to be there, with all that it imports itself: a module that could not be had
 * once, Firefox does not ask for again as long as the page is open.
 * @template T
 * @param {string} name @param {() => Promise<T>} load
 */
function once(name, load) {
  /** @type {Promise<T> | null} */
  let had = null;
  return () =>
    (had ??= reach(name)
      .then(load)
      .catch(() => {
        had = null;
        throw new ApiError("no_answer", 0, name);
      }));
}

/**
 * Fetches a file, which the browser keeps, and those that it imports and the table has not.
 * @param {string} name
 * @returns {Promise<unknown>}
 */
async function reach(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name} cannot be had now: ${response.status}`);
  const imported = [...(await response.text()).matchAll(/ from "\.\/([\w-]+\.js)"/g)].map(([, other]) => other);
  return Promise.all(imported.filter((other) => other !== "main.js").map(reach));
}

export const later = {
  follow: once("follow.js", () => import("./follow.js")),
  deal: once("deal.js", () => import("./deal.js")),
  games: once("games.js", () => import("./games.js")),
  link: once("link.js", () => import("./link.js")),
  linkDevice: once("link-device.js", () => import("./link-device.js")),
  newGame: once("new-game.js", () => import("./new-game.js")),
  offer: once("offer.js", () => import("./offer.js")),
  playback: once("playback.js", () => import("./playback.js")),
  rules: once("rules-page.js", () => import("./rules-page.js")),
  settings: once("settings.js", () => import("./settings.js")),
  share: once("share.js", () => import("./share.js")),
  track: once("track.js", () => import("./track.js")),
  tv: once("tv.js", () => import("./tv.js")),
  watch: once("watch.js", () => import("./watch.js")),
  won: once("won.js", () => import("./won.js")),
};

export function fetchTheRest() {
  setTimeout(() => {
    // One that fails now is asked for again when it is wanted.
    for (const fetched of Object.values(later)) fetched().catch(() => undefined);
  }, QUIET_MS);
}
