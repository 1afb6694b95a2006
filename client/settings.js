/** The settings dialog: they take effect at once and travel with the player to every device. */
import { api } from "./api.js";
import { openDialog } from "./dialog.js";
import { el, icon, one, passFocus } from "./dom.js";
import { agoText, t } from "./i18n.js";
import { tellWhyNot } from "./problems.js";

/** @typedef {import("./messages.js").Settings} Settings */
/** @typedef {import("./messages.js").SignedIn} SignedIn */
/** @typedef {import("./preferences.js").Preferences} Preferences */
/** @typedef {(act: () => Promise<unknown>) => Promise<unknown>} Attempt */

const SWITCHES = /** @type {const} */ ([
  "double_click",
  "automatic_placement",
  "placement_help",
  "interactive_rules",
  "four_colours",
  "left_handed",
]);
const CHOICES = /** @type {const} */ ({
  card_size: ["small", "medium", "large"],
  theme: ["system", "light", "dark"],
  language: ["system", "en", "el"],
});

/** @param {Preferences} preferences */
export function openSettings(preferences) {
  const problem = el("p", { class: "problem", role: "alert" });
  /** @type {Attempt} */
  const attempt = (act) => tellWhyNot(problem, act);
  /** @param {Partial<Settings>} change */
  const set = async (change) => {
    await attempt(async () => {
      await preferences.change(change);
      const isRedrawn = "language" in change && problem.isConnected;
      if (isRedrawn) one("[name=language]", HTMLElement, openSettings(preferences)).focus();
    });
    if (problem.textContent && !problem.isConnected) tellElsewhere(problem);
  };
  return openDialog(
    "settings",
    t("settings.title"),
    nameForm(preferences, attempt),
    el("div", { class: "switches" }, ...SWITCHES.map((key) => switchField(key, preferences, set))),
    el(
      "div",
      { class: "choices" },
      ...Object.keys(CHOICES).map((key) => choiceField(/** @type {keyof typeof CHOICES} */ (key), preferences, set)),
    ),
    devices(attempt),
    problem,
  );
}

/** Who has closed the settings meanwhile is told why they are not as they were wished. @param {HTMLElement} problem */
function tellElsewhere(problem) {
  const open = document.querySelector("dialog[open]");
  if (open) open.append(problem);
  else openDialog("question", t("problem.title"), problem);
}

/** @param {Preferences} preferences @param {Attempt} attempt */
function nameForm(preferences, attempt) {
  const field = el("input", {
    name: "name",
    type: "text",
    maxlength: 24,
    required: true,
    autocomplete: "nickname",
    value: preferences.me?.player.name ?? "",
  });
  const said = el("span", { role: "status" });
  const rename = () =>
    attempt(async () => {
      await preferences.rename(field.value.trim());
      said.textContent = t("settings.saved");
    });
  return el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        void rename();
      },
    },
    el(
      "label",
      {},
      t("settings.name"),
      el("span", { class: "with-button" }, field, el("button", { type: "submit" }, t("settings.save"))),
    ),
    said,
  );
}

/** @param {typeof SWITCHES[number]} key @param {Preferences} preferences @param {(change: Partial<Settings>) => Promise<unknown>} set */
function switchField(key, preferences, set) {
  const turn = async () => {
    await set({ [key]: box.checked });
    box.checked = preferences.settings[key];
  };
  const checked = preferences.settings[key];
  const box = el("input", { type: "checkbox", name: key, checked, onchange: () => void turn() });
  return el(
    "label",
    { class: "switch" },
    box,
    el("span", {}, t(`settings.${key}`), el("small", {}, t(`settings.${key}.help`))),
  );
}

/** @param {keyof typeof CHOICES} key @param {Preferences} preferences @param {(change: Partial<Settings>) => Promise<unknown>} set */
function choiceField(key, preferences, set) {
  const choose = async () => {
    await set({ [key]: field.value });
    field.value = preferences.settings[key];
  };
  const field = el(
    "select",
    { name: key, onchange: () => void choose() },
    ...CHOICES[key].map((value) =>
      el("option", { value, selected: value === preferences.settings[key] }, t(`settings.${key}.${value}`)),
    ),
  );
  return el("label", {}, t(`settings.${key}`), field);
}

/** @param {Attempt} attempt */
function devices(attempt) {
  const list = el("ul", { class: "devices" });
  const fill = async () => {
    const { sessions } = await api.sessions();
    passFocus(list, details.firstElementChild);
    list.replaceChildren(...sessions.map((session) => device(session, () => void attempt(() => remove(session)))));
  };
  const remove = (/** @type {SignedIn} */ { id }) => api.signOut(id).then(fill);
  const details = el(
    "details",
    {
      ontoggle: () => {
        if (details.open) void attempt(fill);
      },
    },
    el("summary", {}, t("settings.devices")),
    list,
  );
  return details;
}

/** @param {SignedIn} session @param {() => void} remove */
function device({ agent, seen, current }, remove) {
  return el(
    "li",
    {},
    el("span", {}, deviceName(agent), el("small", {}, current ? t("settings.this_device") : agoText(seen))),
    current
      ? null
      : el(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": t("settings.sign_out", { device: deviceName(agent) }),
            title: t("settings.sign_out", { device: deviceName(agent) }),
            onclick: remove,
          },
          icon("trash"),
        ),
  );
}

/** The browser and system out of a long agent text, or what stands in it. @param {string} agent */
function deviceName(agent) {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)/.exec(agent)?.[1] ?? agent.slice(0, 40);
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent)?.[1];
  return system ? `${browser}, ${system}` : browser;
}
