// What bench/page.py asks of the page while it is used. Times are those of the browser, in milliseconds.
(() => {
  const FRAME_MS = 1000 / 60;
  const bench = { painted: [], confirmed: [], firstTable: 0, count, stop, dropped, jump };
  window.bench = bench;
  let frames = [];
  let drags = { due: 0, made: 0 };
  let isCounting = false;
  let pressed = 0;

  /** After the next frame has been made: what is asked for in a frame's callback runs before it is painted, a message after. */
  const afterPaint = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(0);
    });

  /** Begins to note every frame that is made. */
  function count() {
    frames = [];
    isCounting = true;
    requestAnimationFrame(function tick(at) {
      frames.push(at);
      if (isCounting) requestAnimationFrame(tick);
    });
  }

  /** Ends it, and adds up how many there should have been. */
  function stop() {
    isCounting = false;
    const gaps = frames.slice(1).map((at, i) => Math.max(1, Math.round((at - frames[i]) / FRAME_MS)));
    drags.made += gaps.length;
    drags.due += gaps.reduce((sum, gap) => sum + gap, 0);
  }

  /** The share of frames that should have been there and were not, in per cent, since it was last asked for. */
  function dropped() {
    const { due, made } = drags;
    drags = { due: 0, made: 0 };
    return (100 * (due - made)) / Math.max(1, due);
  }

  /** Slides to a version; until it is painted. */
  async function jump(version) {
    const from = performance.now();
    const slider = document.querySelector(".timeline input");
    slider.value = version;
    slider.dispatchEvent(new Event("input"));
    while (document.querySelector("#table").dataset.version !== String(version)) await new Promise((then) => setTimeout(then));
    await new Promise(afterPaint);
    return performance.now() - from;
  }

  addEventListener("pointerdown", count, true);
  addEventListener("pointerup", stop, true);

  // The listener is there before the page's own, so a run in hand means: this press puts it down.
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter" || !document.querySelector(".held")) return;
      pressed = event.timeStamp;
      const from = pressed;
      afterPaint(() => bench.painted.push(performance.now() - from));
    },
    true,
  );

  new MutationObserver((changes) => {
    const isNewer = ({ attributeName, oldValue, target }) => attributeName && oldValue !== target.dataset.version;
    if (pressed > 0 && changes.some(isNewer))
      bench.confirmed.push(performance.now() - pressed);
    if (bench.firstTable === 0 && document.querySelectorAll("[data-card]").length === 52) {
      bench.firstTable = -1;
      afterPaint(() => (bench.firstTable = performance.now()));
    }
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-version"], attributeOldValue: true });
})();
