import { batched, fill, h } from "./dom.js";
import { countNested, nestedIn } from "./entries.js";
import { focusOn } from "./keys.js";
import { ask } from "./server.js";
import { block, button, clock, diff, disclosure, duration, fields, ownTime } from "./texts.js";
import { tryAgain } from "./try-again.js";
import { createBar } from "./waterfall.js";

const MARKS = { running: "", waiting: "?", done: "✓", failed: "✗" };
/** Nested calls that are shown at first, and more at a time. */
const MAX_SHOWN_FIRST = 4;
const MAX_SHOWN_MORE = 200;

/**
 * The entry of a call: a line, and all of it when it is opened.
 *
 * @param {object} first The entry as it is now.
 * @param {() => boolean} mayOpen Whether it may open by itself, asked when it has something to show.
 */
export function createCall(first, mayOpen = () => false) {
  let entry = first;
  let shown = MAX_SHOWN_FIRST;
  let drawn;
  const nested = new Map();
  const bar = createBar(first);
  const line = h("span", { class: "line" });
  const time = h("span", { class: "time" });
  const summary = h("summary", { "data-stop": true }, line, bar.element, time);
  const body = h("div", { class: "body" });
  const list = h("ol", { class: "nested", "aria-label": "Calls that it made" });
  const more = h("button", { type: "button", class: "more" });
  const details = h("details", {}, summary, body, list, more);
  const element = h("li", { class: "call" }, details);

  const drawLine = () => {
    const { state, name, about, outcome, progress, by, id } = entry;
    const count = countNested(id);
    element.dataset.state = state;
    fill(
      line,
      h("span", { class: "mark", "aria-hidden": "true" }, MARKS[state]),
      h("span", { class: "unseen" }, `${state}: `),
      h("code", { class: "name" }, name),
      by === "you" && h("span", { class: "tag" }, "by you"),
      entry.edits !== undefined && h("span", { class: "tag" }, "changed by you"),
      h("span", { class: "about" }, about),
      outcome !== undefined && h("span", { class: "outcome" }, h("span", { "aria-hidden": "true" }, "→ "), outcome),
      outcome === undefined && progress !== undefined && h("span", { class: "outcome" }, progress),
      count > 0 && h("span", { class: "tag" }, count === 1 ? "1 call" : `${count.toLocaleString("en")} calls`),
    );
    const took = ownTime(entry);
    time.textContent = took === undefined ? "" : duration(took);
    bar.update(entry);
  };
  const drawBody = () => {
    if (!details.open || drawn === entry.state) return;
    drawn = entry.state;
    const { diff: rows, diffLeftOut } = entry;
    fill(
      body,
      rows !== undefined && diff(rows, "What it changed", diffLeftOut),
      rows === undefined ? whole(entry) : disclosure("What was sent and answered", () => h("div", {}, whole(entry))),
    );
  };
  const drawNested = () => {
    const count = countNested(entry.id);
    list.hidden = count === 0;
    more.hidden = count <= shown;
    more.textContent = `Show ${Math.min(count - shown, MAX_SHOWN_MORE).toLocaleString("en")} more calls`;
    if (!details.open) return;
    for (const child of nestedIn(entry.id, shown)) showNested(child);
  };
  const showNested = (child) => {
    if (nested.has(child.id)) return;
    const made = createCall(child);
    nested.set(child.id, made);
    made.element.dataset.place = child.id.replace(/^.*e/, "");
    const isAfter = (other) => Number(other.dataset.place) > Number(made.element.dataset.place);
    list.insertBefore(made.element, [...list.children].find(isAfter) ?? null);
  };
  more.addEventListener("click", () => {
    shown += MAX_SHOWN_MORE;
    drawNested();
  });
  const drawCount = batched(() => {
    drawLine();
    drawNested();
  });
  let [touched, isTold] = [false, false];
  summary.addEventListener("click", () => (touched = true));
  details.addEventListener("toggle", () => {
    drawBody();
    drawNested();
  });
  const openByItself = () => {
    const isTelling = entry.diff !== undefined || (entry.name === "execute_code" && entry.state === "done");
    if (isTold || touched || !isTelling) return;
    isTold = true;
    if (mayOpen(entry)) details.open = true;
  };
  const draw = () => {
    drawLine();
    drawBody();
    drawNested();
    openByItself();
  };
  draw();
  return {
    element,
    update(changed) {
      if (changed.id === entry.id) {
        entry = changed;
        draw();
      } else {
        nested.get(changed.id)?.update(changed);
        drawCount();
        // A call that waits for the person is in sight, wherever it stands among thousands.
        if (changed.parent !== entry.id || changed.state !== "waiting") return;
        if (!touched) details.open = true;
        showNested(changed);
      }
    },
    /** Opens it, then the calls in it down to one, and puts the focus there. */
    reveal([inner, ...rest]) {
      details.open = true;
      drawBody();
      if (inner === undefined) return focusOn(summary, "center");
      showNested(inner);
      nested.get(inner.id).reveal(rest);
    },
  };
}

/** The arguments and the answer. */
function whole(entry) {
  const { sent, edits, ran, result, at, waitedMs, code, id, name } = entry;
  const isCut = [sent, ran, result].some((part) => (part?.chars ?? 0) > (part?.text.length ?? 0));
  const parts = h("div", {});
  const show = (sentText, ranText, resultText) =>
    fill(
      parts,
      h("h4", {}, edits === undefined ? "Sent" : "Sent by the model"),
      fields(sentText),
      edits !== undefined && h("h4", {}, "Changed by the person who approved it"),
      edits !== undefined && h("ul", { class: "edits-made" }, ...edits.map((edit) => h("li", {}, edit))),
      ranText !== undefined && h("h4", {}, "Ran with"),
      ranText !== undefined && fields(ranText),
      resultText !== undefined && h("h4", {}, code === undefined ? "Answered" : `Answered: ${code}`),
      resultText !== undefined && block(resultText, "What was answered"),
    );
  show(sent.text, ran?.text, result?.text);
  const askForAll = () => ask(`/api/entries/${encodeURIComponent(id)}`);
  const all = async () => {
    const answer = await askForAll();
    show(answer.sent, answer.ran, answer.result);
  };
  const again = async () => tryAgain(name, sent.chars > sent.text.length ? (await askForAll()).sent : sent.text);
  const chars = Math.max(sent.chars, ran?.chars ?? 0, result?.chars ?? 0).toLocaleString("en");
  const took = ownTime(entry);
  const time = took === undefined ? "" : `, took ${duration(took)}`;
  const waited = waitedMs === undefined ? "" : `, waited ${duration(waitedMs)} for an answer`;
  const acts = [
    ...(isCut ? button(`Show all ${chars} characters`, all) : []),
    ...button("Try again", again),
    h("a", { href: `#/transcript/${id}`, class: "to-it" }, "Link to this call"),
    h("span", { class: "hint" }, `Began at ${clock(at)}${time}${waited}`),
  ];
  return [parts, h("div", { class: "choices" }, ...acts)];
}
