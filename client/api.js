/** The HTTP half of the contract: one function a request. A problem becomes an ApiError with its stable code. */

/** @typedef {import("./messages.js").GameSnapshot} GameSnapshot */
/** @typedef {import("./messages.js").GameLog} GameLog */
/** @typedef {import("./messages.js").Me} Me */
/** @typedef {import("./messages.js").Row} Row */
/** @typedef {import("./messages.js").DeviceLink} DeviceLink */
/** @typedef {import("./messages.js").SignedIn} SignedIn */
/** @typedef {import("./messages.js").Settings} Settings */
/** @typedef {import("./messages.js").Origin} Origin */
/** @typedef {import("./messages.js").Visibility} Visibility */
/**
 * @typedef {object} NewGame at most one of the first five
 * @property {number} [suits]
 * @property {string} [code]
 * @property {string[]} [columns]
 * @property {Origin} [from]
 * @property {unknown} [file]
 * @property {Visibility} [visibility]
 */

export class ApiError extends Error {
  /** @param {string} code @param {number} status 0 where no answer came @param {string} detail */
  constructor(code, status, detail) {
    super(detail || code);
    this.code = code;
    this.status = status;
  }
}

/**
 * The answer to what first.js has asked for already, or knew, once.
 * @param {string} what
 * @returns {Promise<Response> | undefined}
 */
export function early(what) {
  // Who asks now asks alone: had the modules come first, first.js would else begin another game, as another player.
  const asked = (/** @type {{early?: Record<string, Promise<Response>>}} */ (window).early ??= {});
  const answer = asked[what];
  delete asked[what];
  return answer;
}

/**
 * @param {string} method @param {string} path @param {unknown} [body]
 * @returns {Promise<any>}
 */
function request(method, path, body) {
  const options =
    body === undefined
      ? { method }
      : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return read(fetch(path, options));
}

/** What an answer has in it. @param {Promise<Response>} answer @returns {Promise<any>} */
export async function read(answer) {
  // It may break off in the middle, too.
  const [response, text] = await answer.then(async (begun) => /** @type {const} */ ([begun, await begun.text()])).catch(() => {
    throw new ApiError("no_answer", 0, "");
  });
  const found = text === "" && response.ok ? null : parsed(response, text);
  if (response.ok) return found;
  throw new ApiError(String(found.code), response.status, String(found.detail ?? ""));
}

/** @param {Response} response @param {string} text */
function parsed({ status }, text) {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy in between answers in its own words, with any status.
    throw new ApiError("unavailable", status, "");
  }
}

export const api = {
  /** @returns {Promise<Me>} */
  me: () => {
    const asked = early("me");
    return asked ? read(asked) : request("GET", "/api/me");
  },
  /** @param {{name?: string, settings?: Partial<Settings>}} change @returns {Promise<Me>} */
  changeMe: (change) => request("PATCH", "/api/me", change),
  /** @param {NewGame} wish @returns {Promise<GameSnapshot>} */
  newGame: (wish) => request("POST", "/api/games", wish),
  /** @param {string} g @returns {Promise<GameSnapshot>} */
  game: (g) => request("GET", `/api/games/${encodeURIComponent(g)}`),
  /**
   * The game that the page brought along, or asked for at once.
   * @returns {Promise<GameSnapshot> | undefined}
   */
  opening: () => {
    const asked = early("game");
    return asked && read(asked);
  },
  /** @param {string} g @returns {Promise<GameLog>} */
  log: (g) => request("GET", `/api/games/${encodeURIComponent(g)}/log?since=0`),
  /** @param {string} g @param {Visibility} visibility */
  show: (g, visibility) => request("PATCH", `/api/games/${encodeURIComponent(g)}`, { visibility }),
  /**
   * @param {number} limit
   * @param {number} before when the last game that is known had been moved in; infinite for the first page
   * @returns {Promise<{games: Row[]}>}
   */
  publicGames: (limit, before) =>
    request("GET", `/api/games?limit=${limit}${Number.isFinite(before) ? `&before=${before}` : ""}`),
  /** @returns {Promise<{games: Row[]}>} */
  myGames: () => request("GET", "/api/me/games"),
  /**
   * The won games of a deal, those after the game `before`.
   * @param {string} code @param {string} [before]
   * @returns {Promise<import("./messages.js").DealGames>}
   */
  deal: (code, before) => request("GET", `/api/deals/${encodeURIComponent(code)}${before ? `?before=${before}` : ""}`),
  /** @returns {Promise<DeviceLink>} */
  newLink: () => request("POST", "/api/me/links", {}),
  /** @param {string} code @returns {Promise<{player: import("./messages.js").Player, current: string | null}>} */
  useLink: (code) => request("POST", "/api/links", { code }),
  /** @returns {Promise<{sessions: SignedIn[]}>} */
  sessions: () => request("GET", "/api/me/sessions"),
  /** @param {string} id */
  signOut: (id) => request("DELETE", `/api/me/sessions/${encodeURIComponent(id)}`),
};
