/** "Continue on another device": a QR code and a short code that sign one more device in, once, while they hold. */
import { ApiError, api } from "./api.js";
import { openDialog } from "./dialog.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { problemText } from "./problems.js";

/** @typedef {import("./messages.js").DeviceLink} DeviceLink */

export async function openLinkDevice() {
  const place = el("div", { class: "link-place" }, el("p", {}, t("wait")));
  const dialog = openDialog(
    "link-device",
    t("link-device.title"),
    el("p", { class: "lead" }, t("link-device.lead")),
    place,
  );
  try {
    show(place, dialog, await api.newLink());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    place.replaceChildren(el("p", { class: "problem" }, problemText(error)));
  }
}

/** @param {HTMLElement} place @param {HTMLDialogElement} dialog @param {DeviceLink} link */
function show(place, dialog, { code, url, qr, expires_in }) {
  const left = el("span", { role: "timer" });
  place.replaceChildren(
    qrImage(qr, url),
    el("p", {}, t("link-device.or", { address: `${new URL(url, location.origin).host}/link` })),
    el("p", { class: "link-code", "data-link-code": code }, code),
    el("p", {}, left),
  );
  const until = performance.now() + expires_in * 1000;
  const tick = () => {
    const seconds = Math.max(0, Math.round((until - performance.now()) / 1000));
    left.textContent =
      seconds > 0
        ? t("link-device.left", { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` })
        : t("link-device.over");
    place.classList.toggle("over", seconds === 0);
    if (seconds === 0) clearInterval(ticking);
  };
  const ticking = setInterval(tick, 1000);
  tick();
  dialog.addEventListener("close", () => clearInterval(ticking));
}

/**
 * As an image: what the server draws is looked at, and never becomes part of the page. An image must name its
 * namespace.
 * @param {string} qr @param {string} url
 */
function qrImage(qr, url) {
  const drawing = /<svg[^>]*xmlns=/.test(qr) ? qr : qr.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  return el("img", {
    class: "qr",
    alt: t("link-device.qr", { url }),
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`,
  });
}
