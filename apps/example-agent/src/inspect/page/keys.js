import { openQuestions } from "./entries.js";

/**
 * Makes the page usable from the keyboard alone. The keys are those of the list on the page.
 *
 * @param {{ toEnd: () => void }} acts Actions of keys that belong to one part.
 */
export function listenForKeys({ toEnd }) {
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    q: goToQuestion,
    e: toEnd,
    "/": () => {
      const find = document.querySelector("#find");
      // At once, because letters that come before the focus would act as keys.
      if (!document.querySelector("#transcript").hidden) return find.focus();
      location.hash = "#/transcript";
      setTimeout(() => find.focus());
    },
    1: () => (location.hash = "#/transcript"),
    2: () => (location.hash = "#/tools"),
    3: () => (location.hash = "#/memory"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select") !== null) return;
    const onStop = event.target.closest("[data-stop]") !== null;
    const act = keys[event.key] ?? (onStop ? ARROWS[event.key] : undefined) ?? answerBy(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

const ARROWS = { ArrowDown: () => move(1), ArrowUp: () => move(-1) };

/** Puts the focus on the next question that is open, one of the part that is shown before one of another part. */
export function goToQuestion() {
  const cards = [...document.querySelectorAll("main .card[data-open]")].filter((one) => one.checkVisibility());
  const at = cards.indexOf(document.activeElement?.closest(".card"));
  const next = cards[(at + 1) % cards.length];
  if (next !== undefined) return focusOn(next);
  const [id] = openQuestions();
  if (id === undefined) return;
  // The same address again changes nothing, so it is left first.
  if (location.hash === `#/transcript/${id}`) history.replaceState(null, "", "#/transcript");
  location.hash = `#/transcript/${id}`;
}

/** In a question alone: without the focus in it no key answers it. */
function answerBy({ key, target }) {
  const card = target.closest(".card[data-open]");
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

/** Gives the focus to an element and brings it into view. */
export function focusOn(element, block = "nearest") {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block });
}
