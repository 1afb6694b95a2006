// Asks for what the modules will need, before they are there. A page that was told nothing of its reader takes the look
// that this device remembers. Browsers run it when they have it: where the modules were faster, nothing is left to do.
if (!("early" in window)) {
  /** What the server knew: nothing where it is null, and that this is a new device where it is empty. */
  const known = JSON.parse(document.querySelector("#known")?.textContent ?? "null");
  const settings = /** @type {Record<string, any>} */ (known?.me?.settings ?? kept());
  const root = document.documentElement;
  if (settings.theme) root.dataset.theme = settings.theme;
  root.toggleAttribute("data-four-colours", settings.four_colours === true);
  root.toggleAttribute("data-left-handed", settings.left_handed === true);

  const language = ["en", "el"].includes(settings.language) ? settings.language : navigator.language.slice(0, 2);
  const texts = `locales/${language === "el" ? "el" : "en"}.json`;
  const script = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const game = openedGame();
  /** @type {Record<string, Promise<Response> | undefined>} */
  const early = { [texts]: fetch(new URL(texts, script), { priority: "high" }), game, me: oneself() };
  for (const answer of Object.values(early)) answer?.catch(() => undefined);
  Object.assign(window, { early });

  /** As last known on this device. */
  function kept() {
    try {
      return JSON.parse(localStorage.getItem("simplesimon.settings") ?? "{}");
    } catch {
      // Storage may be forbidden; the system's theme and the browser's language are then right.
      return {};
    }
  }

  /** The game of this page, as far as it is known or can be asked for already. */
  function openedGame() {
    if (known?.game) return Promise.resolve(Response.json(known.game));
    const isNew = known && !known.me;
    if (location.pathname !== "/" || !isNew) return undefined;
    const headers = { "content-type": "application/json" };
    return fetch("/api/games", { method: "POST", headers, body: "{}", priority: "high" });
  }

  /** A new device becomes a player by its first request that needs one, and by one only. */
  async function oneself() {
    if (known?.me) return Response.json(known.me);
    await game;
    return fetch("/api/me");
  }
}
