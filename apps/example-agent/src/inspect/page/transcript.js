import { createCall, outermost } from "./call.js";
import { batched, fill, h } from "./dom.js";
import { listen } from "./entries.js";

/** Entries that are on the page at one time; earlier ones come back on demand. */
const MAX_SHOWN = 400;
/** Earlier ones that can come back. */
const MAX_EARLIER = 4_000;
/** How near to its end, in pixels, the page is when it goes along with what is new. */
const NEAR_END = 120;
const WHO = { person: "You", agent: "Agent", notice: "Notice", note: "Done" };

/** Shows what is said and called, as it happens. */
export function showTranscript() {
  const list = document.querySelector("#entries");
  const earlier = document.querySelector("#earlier");
  const made = new Map();
  const hidden = [];
  // Of many changes in a row the first shows what they are like.
  let isFirstChange = true;
  const mayOpen = ({ diff }) => {
    const may = diff === undefined || isFirstChange;
    if (diff !== undefined) isFirstChange = false;
    return may;
  };

  const add = (entry) => {
    if (entry.kind === "said") isFirstChange = true;
    const item = entry.kind === "call" ? createCall(entry, mayOpen) : createSaid(entry);
    made.set(entry.id, item);
    item.element.dataset.entry = entry.id;
    list.append(item.element);
    if (list.childElementCount <= MAX_SHOWN) return;
    hidden.push(list.firstElementChild);
    list.firstElementChild.remove();
    if (hidden.length > MAX_EARLIER) made.delete(hidden.shift().dataset.entry);
    drawEarlier();
  };
  const drawEarlier = batched(() => {
    earlier.hidden = hidden.length === 0;
    earlier.textContent = `Show ${Math.min(hidden.length, MAX_SHOWN).toLocaleString("en")} of ${hidden.length.toLocaleString("en")} earlier`;
  });
  earlier.addEventListener("click", () => {
    list.prepend(...hidden.splice(-MAX_SHOWN));
    drawEarlier();
  });

  /** Whether the page was at its end when the first of what comes together came. */
  let isFollowed;
  const goAlong = batched(() => {
    if (isFollowed && !list.parentElement.hidden) scrollTo(0, document.documentElement.scrollHeight);
    isFollowed = undefined;
  });
  listen((entry, isNew) => {
    if (entry.kind !== "call" && entry.kind !== "said") return;
    isFollowed ??= innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_END;
    goAlong();
    const top = entry.kind === "call" ? outermost(entry) : entry;
    if (isNew && top.id === entry.id) add(entry);
    else made.get(top.id)?.update(entry);
  });
}

function createSaid(first) {
  const text = h("p", { class: "words" });
  const element = h(
    "li",
    { class: `said ${first.by}` },
    h("h3", { class: first.by === "agent" ? "unseen" : "who" }, WHO[first.by]),
    text,
  );
  const update = (entry) => fill(text, entry.text);
  update(first);
  return { element, update };
}
