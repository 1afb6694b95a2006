/**
 * Everything that travels over the socket and HTTP, as types, and the one place where text becomes a message.
 * Pure. The server's word is the contract at `/docs`: what a message does not promise here is not relied on anywhere else.
 */

/** @typedef {[from: number, count: number, to: number]} Move columns count from 0 */
/** @typedef {{id: string, name: string}} Player */
/** @typedef {"S" | "H" | "D" | "C"} Suit */
/** @typedef {{g: string, v: number}} Origin the version of another game that this one begins with */
/** @typedef {"public" | "unlisted" | "private"} Visibility */

/**
 * A command, and the event that it becomes: both have this form.
 * @typedef {{t: "move", m: Move} | {t: "undo"} | {t: "redo"} | {t: "restart"}} Command
 */

/** @typedef {{t: "hello", player: Player | null}} Hello */
/**
 * @typedef {object} GameSnapshot the `state` message: the whole game
 * @property {"state"} t
 * @property {string} g
 * @property {number} v
 * @property {string | null} code
 * @property {number} suits
 * @property {string[]} columns ten lines of cards
 * @property {Suit[]} off
 * @property {number} score
 * @property {number} moves
 * @property {number} undo how many actions can be taken back
 * @property {number} redo
 * @property {boolean} won
 * @property {Player} by
 * @property {boolean} mine
 * @property {number} watching
 * @property {Visibility} visibility
 * @property {number} at milliseconds since 1970
 * @property {string} c the chain value
 * @property {boolean} [set_back] the store lost what this page had seen
 * @property {Origin} [from]
 */
/**
 * @typedef {object} Diff what one event changed
 * @property {"move" | "undo" | "redo"} t
 * @property {string} g
 * @property {number} v
 * @property {Move} m
 * @property {Suit} [off] the suit of the sequence that left, or that came back
 * @property {number} score
 * @property {number} moves
 * @property {string} c
 */
/** @typedef {{t: "synced", g: string, v: number}} Synced */
/** @typedef {{t: "refused", g: string, v: number, rule: Rule, m?: Move}} RefusedMessage */
/** @typedef {{t: "stale", g: string, v: number}} Stale */
/** @typedef {{t: "watching", g: string, n: number}} Watching */
/** @typedef {{t: "listed", games: Row[]}} Listed */
/** @typedef {{t: "game"} & Row} Listing */
/** @typedef {{t: "unlisted", g: string}} Unlisted */
/** @typedef {{t: "pong", n: number}} Pong */
/** @typedef {{t: "error", code: string, detail: string, g?: string}} ErrorMessage */
/**
 * @typedef {Hello | GameSnapshot | Diff | Synced | RefusedMessage | Stale | Watching | Listed | Listing | Unlisted
 *   | Pong | ErrorMessage} ServerMessage
 */

/**
 * @typedef {{t: "watch", g: string, since?: number, c?: string, quiet?: boolean} | {t: "leave", g: string}
 *   | {t: "lobby", on: boolean, by?: string, moves?: boolean} | {t: "ping", n: number} | ({g: string, v: number} & Command)} ClientMessage
 */

/**
 * @typedef {object} Row one game in a list
 * @property {string} g
 * @property {string | null} code
 * @property {number} suits
 * @property {Player} by
 * @property {number} v
 * @property {number} score
 * @property {number} moves
 * @property {Suit[]} off
 * @property {boolean} won
 * @property {number} watching
 * @property {number} at
 * @property {string[]} columns
 * @property {Visibility} [visibility] only in one's own list
 * @property {Origin} [from]
 */
/** @typedef {Row & {time: number}} DealRow a won game of a deal, and how long it was played, in ms */
/**
 * @typedef {{code: string, suits: number, columns: string[], best: {score: number, moves: number} | null,
 *   games: DealRow[]}} DealGames
 */

/**
 * @typedef {{v: number, at: number, t: "deal" | "move" | "undo" | "redo" | "restart", m?: Move, line: string}} LogEvent
 */
/** @typedef {{g: string, code: string | null, columns: string[], events: LogEvent[], chain: string}} GameLog */

/**
 * @typedef {object} Settings
 * @property {boolean} double_click
 * @property {boolean} automatic_placement
 * @property {boolean} placement_help
 * @property {boolean} interactive_rules
 * @property {boolean} four_colours
 * @property {"small" | "medium" | "large"} card_size
 * @property {boolean} left_handed
 * @property {"system" | "light" | "dark"} theme
 * @property {"system" | "en" | "el"} language
 */
/** @typedef {{player: Player, settings: Settings, current: string | null}} Me */
/** @typedef {{code: string, url: string, qr: string, expires_in: number}} DeviceLink */
/** @typedef {{id: string, agent: string, created: number, seen: number, current: boolean}} SignedIn */

/**
 * Why a move is refused, by its stable name.
 * @typedef {"no_such_column" | "same_column" | "no_such_cards" | "not_in_sequence" | "mixed_suits" | "onto_ace"
 *   | "king_needs_empty_column" | "wrong_rank" | "nothing_to_undo" | "nothing_to_redo" | "game_over"} Rule
 */

const KNOWN = new Set([
  "hello",
  "state",
  "move",
  "undo",
  "redo",
  "synced",
  "refused",
  "stale",
  "watching",
  "listed",
  "game",
  "unlisted",
  "pong",
  "error",
]);

/**
 * One frame as a message, or null for what this version of the page does not know (an addition of a newer server).
 * @param {string} text
 * @returns {ServerMessage | null}
 */
export function parse(text) {
  try {
    const message = JSON.parse(text);
    return KNOWN.has(message?.t) ? message : null;
  } catch {
    return null;
  }
}
