import { createCall } from "./call.js";
import { createCard } from "./cards.js";
import { announce, batched, fill, h } from "./dom.js";
import { entryOf, listen, outermost, pathTo, sourceOf } from "./entries.js";
import { createFilter } from "./filter.js";
import { followEnd } from "./follow.js";
import { focusOn } from "./keys.js";
import { createMarkdown } from "./markdown.js";
import { createTurn } from "./turn.js";

/** Entries that are on the page at first, and more at a time. */
const MAX_SHOWN = 400;
const WHO = { person: "You", agent: "Agent", notice: "Notice", note: "Done" };
const MAKERS = { said: createSaid, turn: createTurn, approval: createCard, question: createCard };
const EMPTY = {
  all: "Nothing has happened yet. What is said and called is shown here as it happens.",
  found: "Nothing is found. Escape in the search field shows everything again.",
};

/** Shows texts and calls as they happen. */
export function showTranscript() {
  const [list, earlier, found, empty, toEnd] = ["#entries", "#earlier", "#found", "#empty", "#to-end"].map((id) =>
    document.querySelector(id),
  );
  /** Ids of the entries at the top level of the list, in order. */
  let order = [];
  const made = new Map();
  let most = MAX_SHOWN;
  let source = "";
  let wanted;
  // Of many changes in a row the first opens by itself.
  let isFirstChange = true;
  const mayOpen = ({ diff }) => {
    const may = diff === undefined || isFirstChange;
    if (diff !== undefined) isFirstChange = false;
    return may;
  };
  const itemOf = (id) => {
    if (!made.has(id)) {
      const entry = entryOf(id);
      made.set(id, entry.kind === "call" ? createCall(entry, mayOpen) : MAKERS[entry.kind](entry));
    }
    return made.get(id);
  };

  const draw = batched(() => {
    order = order.filter((id) => entryOf(id) !== undefined || (made.delete(id), false));
    const ours = order.filter((id) => sourceOf(id) === source);
    const matching = filter.isOn() ? ours.filter((id) => isOpen(id) || filter.matches(entryOf(id))) : ours;
    const left = Math.max(matching.length - most, 0);
    const shown = matching.filter((id, at) => at >= left || isOpen(id)).map((id) => itemOf(id).element);
    place(list, shown);
    for (const one of list.querySelectorAll(".asked.first")) one.classList.remove("first");
    const first = list.querySelector(".asked.open");
    first?.classList.add("first");
    document.documentElement.style.setProperty("--asked", `${first?.offsetHeight ?? 0}px`);
    earlier.hidden = left === 0;
    earlier.textContent = `Show ${Math.min(left, MAX_SHOWN).toLocaleString("en")} of ${left.toLocaleString("en")} earlier`;
    found.textContent = filter.isOn()
      ? `${matching.length.toLocaleString("en")} of ${ours.length.toLocaleString("en")}`
      : "";
    empty.hidden = matching.length > 0;
    empty.textContent = ours.length === 0 ? EMPTY.all : EMPTY.found;
    following.goAlong();
  });
  const filter = createFilter({
    changed() {
      most = MAX_SHOWN;
      draw();
    },
    toFirst: () => focusOn(list.querySelector("[data-stop]")),
  });
  const following = followEnd(list, toEnd);
  earlier.addEventListener("click", () => {
    following.set(false);
    most += MAX_SHOWN;
    draw();
  });
  // Who opens a row wants to read it, not to be taken to the end of it; who changes arguments wants the form to stay.
  list.addEventListener("click", ({ target }) => target.closest("summary, .edits") && following.set(false));

  const put = (entry) => {
    // A question stands at the row of the call it is about.
    const call = entry.kind === "approval" && entry.call !== undefined ? entryOf(entry.call) : undefined;
    const at = call === undefined ? -1 : order.lastIndexOf(outermost(call).id);
    if (at < 0) order.push(entry.id);
    else order.splice(at + 1, 0, entry.id);
  };
  listen((entry, isNew) => {
    if (entry.kind === "status") return;
    const top = entry.kind === "call" ? outermost(entry) : entry;
    filter.forget(top.id);
    if (isNew && top.id === entry.id) {
      if (entry.kind === "said") isFirstChange = true;
      put(entry);
    } else made.get(top.id)?.update(entry);
    draw();
    if (entry.id === wanted) queueMicrotask(() => show(wanted));
  });

  draw();

  /** Shows an entry, opening everything that hides it. */
  function show(id) {
    const entry = entryOf(id);
    wanted = id !== "" && entry === undefined ? id : undefined;
    if (id === "" || entry === undefined) return following.goAlong();
    following.set(false);
    const path = entry.kind === "call" ? pathTo(entry) : [entry];
    source = sourceOf(id);
    if (filter.isOn() && !filter.matches(path[0])) filter.clear();
    most = Math.max(most, order.length - order.indexOf(path[0].id) + 1);
    draw();
    queueMicrotask(() => reveal(path));
  }
  function reveal([top, ...inner]) {
    const item = itemOf(top.id);
    if (item.reveal !== undefined) item.reveal(inner);
    else focusOn(item.element.querySelector("[tabindex='-1']") ?? item.element, "center");
  }

  return {
    show,
    toEnd() {
      if (list.checkVisibility()) following.set(true);
    },
    /** Shows the entries of a file, or with an empty source those of the run. */
    showSource(ids) {
      source = ids;
      most = MAX_SHOWN;
      filter.clear();
      draw();
      following.set(ids === "");
      if (ids !== "") scrollTo(0, 0);
      announce(ids === "" ? "The run is shown" : "The file is shown");
    },
  };
}

function isOpen(id) {
  const { kind, state } = entryOf(id);
  return (kind === "approval" || kind === "question") && state === "open";
}

/** Makes elements the children of a list without moving those that stay: they keep their focus and their open parts. */
function place(list, elements) {
  const wanted = new Set(elements);
  // Backwards: the collection changes while elements leave.
  for (let index = list.children.length - 1; index >= 0; index -= 1) {
    if (!wanted.has(list.children[index])) list.children[index].remove();
  }
  let at = list.firstElementChild;
  for (const element of elements) {
    if (element === at) at = at.nextElementSibling;
    else list.insertBefore(element, at);
  }
}

function createSaid(first) {
  const isAgent = first.by === "agent";
  const markdown = isAgent ? createMarkdown() : undefined;
  const text = markdown?.element ?? h("p", { class: "words" });
  const who = h("h3", { class: isAgent ? "unseen" : "who" }, WHO[first.by]);
  const element = h("li", { class: `said ${first.by}`, tabindex: "-1" }, who, text);
  const update = (entry) => (markdown === undefined ? fill(text, entry.text) : markdown.update(entry.text));
  update(first);
  return { element, update };
}
