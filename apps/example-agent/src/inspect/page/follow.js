/** How near to its end, in pixels, the page counts as being there. */
const NEAR_END = 16;

/**
 * Keeps the end of a list in sight while it grows. Scrolling up switches that off, scrolling to the end or the button
 * switches it on.
 *
 * @param {HTMLElement} list What grows.
 * @param {HTMLButtonElement} button Shown while it is off.
 */
export function followEnd(list, button) {
  const page = document.documentElement;
  const isShown = () => list.checkVisibility();
  let isOn = true;
  let last = { top: 0, height: 0 };

  const set = (on) => {
    isOn = on;
    button.hidden = on;
    // The browser keeps what is in sight where it is, but for a page that goes along with its end.
    page.style.overflowAnchor = on ? "none" : "auto";
    if (on) goAlong();
  };
  const goAlong = () => {
    if (isOn && isShown()) scrollTo(0, page.scrollHeight);
  };
  set(true);
  addEventListener("scroll", () => {
    if (!isShown()) return;
    const [top, height] = [scrollY, page.scrollHeight];
    const isAtEnd = top + innerHeight >= height - NEAR_END;
    // A page that becomes shorter moves up too, but nobody scrolled.
    if (isAtEnd && !isOn) set(true);
    else if (!isAtEnd && isOn && top < last.top && height >= last.height) set(false);
    last = { top, height };
  });
  new ResizeObserver(goAlong).observe(list);
  addEventListener("resize", goAlong);
  button.addEventListener("click", () => set(true));
  return { set, goAlong, isOn: () => isOn };
}
