import { createCall, outermost } from "./call.js";
import { fill, h, newId } from "./dom.js";
import { entryOf, listen } from "./entries.js";
import { ask } from "./server.js";
import { button } from "./texts.js";
import { fieldsOf, whyNotJson } from "./tool-form.js";

/** Shows the tools, and lets the person try them. */
export function showTools() {
  const list = document.querySelector("#tool-list");
  const place = document.querySelector("#tool");
  let asked = false;

  const choose = (tool, chosen) => {
    for (const one of list.querySelectorAll("button")) one.removeAttribute("aria-current");
    chosen.setAttribute("aria-current", "true");
    fill(place, ...toolForm(tool));
  };
  return async () => {
    if (asked) return;
    asked = true;
    const tools = await ask("/api/tools");
    for (const tool of tools) {
      const chosen = h("button", { type: "button", "data-stop": true }, h("code", {}, tool.name), effect(tool));
      chosen.addEventListener("click", () => choose(tool, chosen));
      list.append(h("li", {}, chosen));
    }
    list.querySelector("button")?.click();
  };
}

function effect({ annotations: { readOnly, destructive } }) {
  return h("span", { class: "tag" }, readOnly ? "reads" : destructive ? "changes" : "adds");
}

function toolForm(tool) {
  const fields = formOf(tool.parameters);
  const rawId = newId();
  const raw = h("textarea", { id: rawId, rows: "10", spellcheck: "false" });
  raw.addEventListener("input", () => raw.setCustomValidity(whyNotJson(raw.value)));
  const byField = h("div", {}, ...fields.elements);
  const byHand = h("div", { class: "field", hidden: true }, h("label", { for: rawId }, "All of it as JSON"), raw);
  const results = h("ol", { class: "results", "aria-label": "What came of it" });
  const form = h("form", { novalidate: true, "aria-label": `Try ${tool.name}` }, byField, byHand);

  const swap = () => {
    const toHand = byHand.hidden;
    if (toHand) raw.value = JSON.stringify(fields.read(), null, 2);
    byHand.hidden = !toHand;
    byField.hidden = toHand;
    swapper.textContent = toHand ? "Back to the fields" : "Write JSON";
  };
  const run = async () => {
    const inputs = [...(byHand.hidden ? byField : byHand).querySelectorAll("input, textarea, select")];
    const wrong = inputs.find((input) => !input.checkValidity());
    if (wrong !== undefined) return void wrong.reportValidity();
    const sent = byHand.hidden ? fields.read() : JSON.parse(raw.value || "{}");
    const { entry } = await ask(`/api/tools/${encodeURIComponent(tool.name)}`, { arguments: sent });
    results.prepend(followed(entry));
  };
  const [runner, problem] = button(`Run ${tool.name}`, run, { type: "submit", class: "yes" });
  const [swapper] = button("Write JSON", swap);
  form.append(h("div", { class: "choices" }, runner, swapper), problem);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) runner.click();
  });
  const described = { class: "words", tabindex: "0", role: "group", "aria-label": "What it does" };
  const about = h("div", described, tool.description);
  return [h("h3", {}, tool.name), about, form, results];
}

/** The fields of a schema; none for one that nobody could make a form of: then all of it is written as JSON. */
function formOf(schema) {
  try {
    return fieldsOf(schema);
  } catch {
    return { elements: [h("p", { class: "hint" }, "No form can be made of its schema: write JSON")], read: () => ({}) };
  }
}

/** The entry of a call, kept as it is now. */
function followed(id) {
  const place = h("li", {});
  let call;
  const draw = (entry) => {
    if (entry.kind !== "call" || outermost(entry).id !== id) return;
    if (call !== undefined) return call.update(entry);
    call = createCall(entryOf(id));
    place.append(h("ol", { class: "alone" }, call.element));
    call.element.querySelector("details").open = true;
  };
  const stop = listen((entry) => (place.isConnected || call === undefined ? draw(entry) : stop()));
  const known = entryOf(id);
  if (known !== undefined) draw(known);
  return place;
}
