/** Lets the page be used from the keyboard alone. Keys are those of the list on the page. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select") !== null) return;
    const onStop = event.target.closest("[data-stop]") !== null;
    const act = KEYS[event.key] ?? (onStop ? ARROWS[event.key] : undefined) ?? answerBy(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  q: () => focusOn(document.querySelector("#cards [data-stop]")),
  1: () => (location.hash = "#/transcript"),
  2: () => (location.hash = "#/tools"),
  3: () => (location.hash = "#/memory"),
};
const ARROWS = { ArrowDown: () => move(1), ArrowUp: () => move(-1) };

/** In a question alone: what has no focus is not answered by a key. */
function answerBy({ key, target }) {
  const card = target.closest(".card");
  const button = [...(card?.querySelectorAll("button[aria-keyshortcuts]") ?? [])].find(
    (one) => one.getAttribute("aria-keyshortcuts") === key,
  );
  return button === undefined ? undefined : () => button.click();
}

function move(by) {
  const stops = [...document.querySelectorAll("main [data-stop]")].filter((one) => one.checkVisibility());
  const at = stops.indexOf(document.activeElement?.closest("[data-stop]"));
  focusOn(stops[at < 0 ? (by > 0 ? 0 : stops.length - 1) : Math.min(Math.max(at + by, 0), stops.length - 1)]);
}

function focusOn(element) {
  element?.focus();
  element?.scrollIntoView({ block: "nearest" });
}
