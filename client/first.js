// Runs before the first paint, so that a chosen theme never flashes the other one, and asks for what the modules will
// need as soon as they are there: on a slow line they come a second later.
{
  let settings = /** @type {Record<string, any>} */ ({});
  try {
    settings = JSON.parse(localStorage.getItem("simplesimon.settings") || "{}");
  } catch {
    // Storage may be forbidden; the system's theme and the browser's language are then right.
  }
  const root = document.documentElement;
  if (settings.theme) root.dataset.theme = settings.theme;
  root.toggleAttribute("data-four-colours", settings.four_colours === true);
  root.toggleAttribute("data-left-handed", settings.left_handed === true);

  const language = ["en", "el"].includes(settings.language) ? settings.language : navigator.language.slice(0, 2);
  const texts = `/client/locales/${language === "el" ? "el" : "en"}.json`;
  const game = /^\/games\/[\w-]+$/.exec(location.pathname)?.[0];
  const me = fetch("/api/me", { priority: "high" });
  /** @type {Record<string, Promise<Response>>} */
  const early = { "/api/me": me, [texts]: fetch(texts, { priority: "high" }) };
  if (game) early.game = fetch(`/api${game}`, { priority: "high" });
  if (location.pathname === "/") early.game = me.then(async (answer) => currentGame(await answer.clone().json()));
  for (const answer of Object.values(early)) answer.catch(() => undefined);
  Object.assign(window, { early });

  /** The game that this player is in, or a first one. @param {{current: string | null}} me */
  function currentGame({ current }) {
    if (current) return fetch(`/api/games/${current}`, { priority: "high" });
    return fetch("/api/games", { method: "POST", headers: { "content-type": "application/json" }, body: "{}", priority: "high" });
  }
}
