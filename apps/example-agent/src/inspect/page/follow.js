/** How near to its end, in pixels, the page counts as being there. */
const NEAR_END = 16;
/** How long, in milliseconds, a scroll that was under way when following was switched on may still move the page. */
const SETTLE_MS = 400;

/**
 * Keeps the end of a list in sight while it grows. Scrolling up switches that off, scrolling to the end or the button
 * switches it on.
 *
 * @param {HTMLElement} list The growing list.
 * @param {HTMLButtonElement} button Shown while it is off.
 */
export function followEnd(list, button) {
  const page = document.documentElement;
  const isShown = () => list.checkVisibility();
  let isOn = true;
  let last = { top: 0, height: 0 };
  let settled = 0;

  const set = (on) => {
    isOn = on;
    button.hidden = on;
    // The browser keeps the visible rows in place when rows above them grow. Here the end stays in place instead.
    page.style.overflowAnchor = on ? "none" : "auto";
    if (!on) return;
    settled = performance.now() + SETTLE_MS;
    goAlong();
  };
  const goAlong = () => {
    if (!isOn || !isShown()) return;
    scrollTo(0, page.scrollHeight);
    last = { top: scrollY, height: page.scrollHeight };
  };
  set(true);
  addEventListener("scroll", () => {
    if (!isShown()) return;
    const [top, height] = [scrollY, page.scrollHeight];
    const isAtEnd = top + innerHeight >= height - NEAR_END;
    // A page that becomes shorter moves up too, but nobody scrolled.
    const isMovedUp = top < last.top && height >= last.height;
    last = { top, height };
    if (isAtEnd && !isOn) set(true);
    else if (!isAtEnd && isOn && isMovedUp && performance.now() > settled) set(false);
    // Also near the end: the rest of a scroll that was under way would leave the page some pixels above it.
    else if (!isAtEnd || performance.now() <= settled) goAlong();
  });
  for (const type of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    // A new gesture is no scroll that was under way.
    addEventListener(type, () => (settled = 0), { capture: true, passive: true });
  }
  new ResizeObserver(goAlong).observe(list);
  addEventListener("resize", goAlong);
  button.addEventListener("click", () => set(true));
  return { set, goAlong, isOn: () => isOn };
}
