import { h } from "./dom.js";
import { nestedIn } from "./entries.js";
import { ownTime } from "./texts.js";

const KINDS = {
  all: ["Everything", () => true],
  said: ["Messages", ({ kind }) => kind === "said" || kind === "question"],
  calls: ["Calls", ({ kind }) => kind === "call"],
  failed: ["Failed calls", ({ kind, state }) => kind === "call" && state === "failed"],
  slow: ["Calls of a second or more", (entry) => entry.kind === "call" && ownTime(entry) >= 1_000],
  turns: ["Turns", ({ kind }) => kind === "turn"],
  you: ["Calls by you", ({ by }) => by === "you"],
};

/**
 * The search of the transcript.
 *
 * @param {{ changed: () => void; toFirst: () => void }} acts When something else is searched for, and at Enter.
 */
export function createFilter({ changed, toFirst }) {
  const [words, kinds] = [document.querySelector("#find"), document.querySelector("#show")];
  kinds.append(...Object.entries(KINDS).map(([value, [text]]) => h("option", { value }, text)));
  let known = new Map();
  const search = () => {
    known = new Map();
    changed();
  };
  words.addEventListener("input", search);
  kinds.addEventListener("change", search);
  words.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") return toFirst();
    if (key !== "Escape") return;
    // Once more leaves the field, so that the page's keys work again.
    if (words.value === "") return words.blur();
    words.value = "";
    search();
  });
  return {
    isOn: () => words.value.trim() !== "" || kinds.value !== "all",
    /** Whether an entry, or a call in it, matches the search. */
    matches(entry) {
      if (!known.has(entry.id)) known.set(entry.id, isMatch(entry, words.value.trim().toLowerCase(), kinds.value));
      return known.get(entry.id);
    },
    /** Forgets the answer about an entry that changed. */
    forget: (id) => known.delete(id),
    clear() {
      words.value = "";
      kinds.value = "all";
      known = new Map();
    },
  };
}

function isMatch(entry, words, kind) {
  const isOne = KINDS[kind][1](entry) && (words === "" || textOf(entry).toLowerCase().includes(words));
  return isOne || (entry.kind === "call" && nestedIn(entry.id).some((inner) => isMatch(inner, words, kind)));
}

function textOf({ text, name, about, outcome, sent, result, code, number }) {
  const parts = [text, name, about, outcome, sent?.text, result?.text, code, number && `turn ${number}`];
  return parts.filter((part) => part !== undefined).join("\n");
}
