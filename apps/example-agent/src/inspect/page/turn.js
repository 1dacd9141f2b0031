import { fill, h } from "./dom.js";
import { focusOn } from "./keys.js";
import { ask } from "./server.js";
import { block, disclosure, duration } from "./texts.js";
import { createBar } from "./waterfall.js";

const NOT_KEPT = "What was sent in this turn is not kept: it belongs to an earlier run.";
/** How many messages the turns before had sent, by number. */
const sentBefore = new Map();

/** A turn of the model: a line with its time and tokens, and the request when it is opened. */
export function createTurn(first) {
  let entry = first;
  const bar = createBar(first);
  const line = h("span", { class: "line" });
  const time = h("span", { class: "time" });
  const summary = h("summary", { "data-stop": true }, line, bar.element, time);
  const body = h("div", { class: "body" });
  const details = h("details", {}, summary, body);
  const element = h("li", { class: "turn" }, details);
  let isAsked = false;
  const open = async () => {
    if (!details.open || isAsked) return;
    isAsked = true;
    if (entry.messages === undefined) return void fill(body, h("p", { class: "hint" }, NOT_KEPT));
    fill(body, h("p", { class: "hint" }, "Asking"));
    try {
      fill(body, ...request(await ask(`/api/turns/${entry.id}`), sentBefore.get(entry.number - 1) ?? 0));
    } catch (error) {
      isAsked = false;
      fill(body, h("p", { class: "problem" }, error.message));
    }
  };
  details.addEventListener("toggle", open);
  const update = (changed) => {
    entry = changed;
    const { number, state, usage, durationMs, messages } = entry;
    if (messages !== undefined) sentBefore.set(number, messages);
    element.dataset.state = state;
    const words = { running: "the model answers", failed: "no answer" }[state] ?? (usage && tokens(usage));
    fill(line, h("span", { class: "name" }, `Turn ${number}`), h("span", { class: "about" }, words));
    time.textContent = durationMs === undefined ? "" : duration(durationMs);
    bar.update(entry);
  };
  update(first);
  return {
    element,
    update,
    reveal() {
      details.open = true;
      focusOn(summary, "center");
    },
  };
}

function tokens({ input, cached, output }) {
  const [read, from, written] = [input, cached, output].map((count) => count.toLocaleString("en"));
  return `${read} tokens in${cached > 0 ? `, ${from} of them cached` : ""}, ${written} out`;
}

function request({ instructions, tools, messages }, before) {
  const [earlier, added] = [messages.slice(0, before), messages.slice(before)];
  const title = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
  return [
    h("h4", {}, "Sent to the model, not yet in its provider's format"),
    disclosure("Instructions", () => block(instructions, "Instructions")),
    disclosure(title, () => h("div", {}, ...tools.map(tool))),
    earlier.length > 0 &&
      disclosure(earlier.length === 1 ? "1 earlier message" : `${earlier.length} earlier messages`, () =>
        h("div", {}, ...earlier.map(message)),
      ),
    ...added.map(message),
  ];
}

function tool(one) {
  return disclosure(one.name, () => block(JSON.stringify(one, null, 2), one.name));
}

const ROLES = { user: "User", assistant: "Assistant", tool: "Results" };

function message({ role, text, chars }) {
  const isCut = chars > text.length;
  const rest =
    isCut && h("p", { class: "hint" }, `The first ${text.length} of ${chars.toLocaleString("en")} characters`);
  return h("div", {}, h("h4", {}, ROLES[role]), block(text, ROLES[role]), rest);
}
