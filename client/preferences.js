/**
 * The player's own: name and settings, kept on the server, shown on the document at once.
 * Theme and language are kept on the device as well, so that the next page starts in them before the server has
 * answered.
 */
import { api } from "./api.js";
import { translate, useLanguage } from "./i18n.js";

/** @typedef {import("./messages.js").Me} Me */
/** @typedef {import("./messages.js").Settings} Settings */

/** @type {Settings} */
const DEFAULTS = {
  double_click: true,
  automatic_placement: false,
  placement_help: true,
  interactive_rules: true,
  four_colours: false,
  card_size: "medium",
  left_handed: false,
  theme: "system",
  language: "system",
};
const NAMES = /** @type {(keyof Settings)[]} */ (Object.keys(DEFAULTS));
const KEPT = "simplesimon.settings";

export class Preferences {
  /** @type {Me | null} */
  me = null;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** The last wish for each setting. @type {Map<string, Partial<Settings>>} */
  #wishes = new Map();
  /** @type {Promise<Me> | null} */
  #loading = null;

  constructor() {
    /** @type {Settings} */
    this.settings = { ...DEFAULTS, ...kept() };
  }

  /** @param {() => void} listener called when settings, name or language changed */
  onchange(listener) {
    this.#listeners.add(listener);
  }

  /** Asks the server who this is, once; a new device becomes a new player by asking. @returns {Promise<Me>} */
  load() {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load() {
    this.me = await api.me();
    await this.#use(this.me.settings);
    return this.me;
  }

  /** Shows the change at once, and keeps it; what cannot be kept is what it was. @param {Partial<Settings>} settings */
  async change(settings) {
    const before = this.settings;
    for (const name of Object.keys(settings)) this.#wishes.set(name, settings);
    await this.#use(settings);
    try {
      this.me = { ...(await api.changeMe({ settings })) };
    } catch (error) {
      const saved = this.me?.settings ?? before;
      // What was chosen anew meanwhile is another wish.
      const refused = NAMES.filter((name) => this.#wishes.get(name) === settings);
      await this.#use(Object.fromEntries(refused.map((name) => [name, saved[name]])));
      throw error;
    }
  }

  /** @param {string} name */
  async rename(name) {
    this.me = await api.changeMe({ name });
    this.#tell();
  }

  /** Texts and look as last known on this device. */
  start() {
    return this.#use(this.settings);
  }

  /** Nothing is in use, or kept, before its texts are there. @param {Partial<Settings>} settings */
  async #use(settings) {
    const isOtherLanguage = await useLanguage(settings.language ?? this.settings.language);
    const before = this.settings;
    this.settings = { ...before, ...settings };
    keep(this.settings);
    const root = document.documentElement;
    root.dataset.theme = this.settings.theme;
    colourTheBrowser(this.settings.theme);
    root.toggleAttribute("data-four-colours", this.settings.four_colours);
    root.toggleAttribute("data-left-handed", this.settings.left_handed);
    if (isOtherLanguage) translate();
    if (NAMES.some((name) => this.settings[name] !== before[name])) this.#tell();
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }
}

/** The browser's own bars take the colour of the scheme in use, which a setting may choose. @param {string} theme */
function colourTheBrowser(theme) {
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    const scheme = meta.getAttribute("data-scheme");
    const chosen = scheme === theme ? "all" : "not all";
    meta.setAttribute("media", theme === "system" ? `(prefers-color-scheme: ${scheme})` : chosen);
  }
}

/** @param {Settings} settings */
function keep(settings) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch {
    // Full or forbidden: the next page begins in the system's theme, until the server has answered.
  }
}

/** @returns {Partial<Settings>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}
