// Runs before the first paint, so that a chosen theme never flashes the other one; the rest of the page comes as
// modules.
try {
  const { theme, four_colours, left_handed } = JSON.parse(localStorage.getItem("simplesimon.settings") || "{}");
  if (theme) document.documentElement.dataset.theme = theme;
  document.documentElement.toggleAttribute("data-four-colours", four_colours === true);
  document.documentElement.toggleAttribute("data-left-handed", left_handed === true);
} catch {
  // Storage may be forbidden; the system's theme is then right.
}
