import { fill, h, newId } from "./dom.js";
import { listen } from "./entries.js";
import { ask } from "./server.js";
import { afterLook, block, button, diff } from "./texts.js";

const TIERS = { core: "Core", working: "Working", archival: "Archival" };
const EMPTY = "Nothing is remembered yet. What the agent writes to its memory is shown here, with its history.";
/** Delay after a change before the page asks again. */
const SETTLE_MS = 300;

/** Shows the memory, its changes, and its questions for the person. */
export function showMemory() {
  const section = document.querySelector("#memory");
  const [pending, blocks, place] = ["#pending", "#blocks", "#block"].map((id) => document.querySelector(id));
  const waiting = document.querySelector("#pending-count");
  const proposals = new Map();
  let label;

  const refresh = async () => {
    const found = await ask("/api/memory").catch(() => undefined);
    if (found === undefined) return;
    waiting.hidden = found.pending.length === 0;
    fill(waiting, found.pending.length, h("span", { class: "unseen" }, " waiting"));
    if (section.hidden) return;
    drawPending(found.pending);
    drawBlocks(found.blocks);
    if (label !== undefined) await open(label);
  };
  // A proposal that stays keeps its element, and so the focus and the words in it.
  const drawPending = (found) => {
    const keys = new Set(found.map((one) => JSON.stringify(one)));
    for (const [key, element] of proposals) {
      if (keys.has(key)) continue;
      element.remove();
      proposals.delete(key);
    }
    for (const one of found) {
      const key = JSON.stringify(one);
      if (proposals.has(key)) continue;
      proposals.set(key, proposal(one, refresh));
      pending.append(proposals.get(key));
    }
  };
  const drawBlocks = (found) => {
    const focused = document.activeElement?.closest("#blocks a")?.dataset.label;
    const tiers = Object.entries(TIERS).flatMap(([tier, title]) => {
      const inTier = found.filter((one) => one.tier === tier);
      return inTier.length === 0 ? [] : [h("h3", {}, title), h("ul", { class: "list" }, ...inTier.map(blockLine))];
    });
    fill(blocks, ...(tiers.length === 0 ? [h("p", { class: "empty" }, EMPTY)] : tiers));
    for (const one of blocks.querySelectorAll("a")) if (one.dataset.label === focused) one.focus();
  };
  const blockLine = ({ label: name, preview }) => {
    const attributes = { href: `#/memory/${encodeURIComponent(name)}`, "data-stop": true, "data-label": name };
    return h("li", {}, h("a", attributes, h("code", {}, name), h("span", { class: "about" }, preview)));
  };
  const open = async (name) => {
    label = name;
    for (const one of blocks.querySelectorAll("a")) {
      if (one.dataset.label === name) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    const found = await ask(`/api/memory/block?label=${encodeURIComponent(name)}`).catch(({ message }) => message);
    if (label !== name) return;
    fill(place, ...(typeof found === "string" ? [h("p", { class: "hint" }, found)] : blockParts(name, found, refresh)));
  };

  let timer;
  listen((entry) => {
    const isAbout =
      entry.by === "note" || entry.kind === "approval" || (entry.kind === "call" && /memory/.test(entry.name));
    if (!isAbout) return;
    clearTimeout(timer);
    timer = setTimeout(refresh, SETTLE_MS);
  });
  return async (named) => {
    if (named !== "") label = named;
    await refresh();
  };
}

function proposal({ id, text, diff: rows, reason, source, trust, stale, at }, refresh) {
  const [title, why] = [newId(), newId()];
  const said = h("input", { type: "text", id: why, maxlength: "1000", autocomplete: "off" });
  const decide = async (approved) => {
    await ask(`/api/memory/pending/${encodeURIComponent(id)}`, {
      approved,
      ...(said.value.trim() === "" ? {} : { reason: said.value.trim() }),
    });
    await refresh();
  };
  const [approve, problem] = button("Approve", () => decide(true), { class: "yes", "aria-keyshortcuts": "a" });
  const [reject, whyNot] = button("Reject", () => decide(false), { class: "no", "aria-keyshortcuts": "r" });
  return h(
    "div",
    { class: "card", role: "group", "aria-labelledby": title, tabindex: "-1", "data-stop": true, "data-open": true },
    h("h3", { id: title }, text),
    diff(rows, "What would change"),
    h("p", { class: "hint" }, `${origin({ source, trust })}, ${when(at)}${reason === null ? "" : `. Why: ${reason}`}`),
    stale && h("p", { class: "problem" }, "The block has changed since: approving will be refused"),
    h("div", { class: "choices" }, ...afterLook(approve, reject), h("label", { for: why }, "Why not"), said),
    problem,
    whyNot,
  );
}

function blockParts(label, { block: found, history }, refresh) {
  const about =
    found === null
      ? "It is gone; its history is not."
      : `${found.tier}, ${found.permission}, version ${found.version}. ${origin(found)}. Changed ${when(found.updatedAt)}`;
  return [
    h("h3", {}, label),
    h("p", { class: "hint" }, about),
    found !== null && block(found.content, "What it says", "text paper"),
    h("h4", {}, "History"),
    h("ol", { class: "history" }, ...history.map((one) => change(one, refresh))),
  ];
}

function change({ seq, kind, actor, at, diff: rows, reason, moved, undoes }, refresh) {
  const undo = async () => {
    await ask("/api/memory/undo", { seq });
    await refresh();
  };
  const what = `${undoes === null ? kind.replace("_", " ") : `undid change ${undoes}`} by ${actor}, ${when(at)}`;
  return h(
    "li",
    {},
    h("p", {}, h("span", { class: "tag" }, seq), " ", what, moved !== "" && `: ${moved}`),
    reason !== null && h("p", { class: "hint" }, reason),
    rows.length > 0 && diff(rows, `Change ${seq}`),
    kind !== "forgotten" && h("div", { class: "choices" }, ...button(`Undo change ${seq}`, undo)),
  );
}

function origin({ source, trust }) {
  return `From ${source === "agent" ? "the agent" : source === "person" ? "a person" : source}, trust ${trust}`;
}

function when(iso) {
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
