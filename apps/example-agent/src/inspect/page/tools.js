import { createCall } from "./call.js";
import { createCard } from "./cards.js";
import { fill, h, newId } from "./dom.js";
import { entryOf, listen, outermost } from "./entries.js";
import { fieldsOf } from "./fields.js";
import { whyNotJson } from "./inputs.js";
import { ask } from "./server.js";
import { block, button, disclosure } from "./texts.js";
import { takeDraft } from "./try-again.js";

/** Shows the tools, and lets the person try them. */
export function showTools() {
  const list = document.querySelector("#tool-list");
  const place = document.querySelector("#tool");
  const forms = new Map();
  let tools;

  const choose = (name) => {
    const tool = tools.find((one) => one.name === name);
    for (const one of list.querySelectorAll("a")) {
      if (one.dataset.name === name) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    if (tool === undefined) return fill(place, h("p", { class: "empty" }, `There is no tool with the name ${name}.`));
    const sent = takeDraft(name);
    // A form keeps its fields and its result.
    if (sent !== undefined || !forms.has(name)) forms.set(name, toolForm(tool, sent));
    fill(place, ...forms.get(name));
    if (sent !== undefined) place.querySelector("h3").focus();
  };
  return async (name) => {
    if (tools === undefined) {
      tools = await ask("/api/tools").catch(({ message }) => void fill(place, h("p", { class: "problem" }, message)));
      fill(list, ...(tools ?? []).map(toolLine));
    }
    if (tools === undefined) return;
    if (tools.length === 0) return fill(place, h("p", { class: "empty" }, "The agent has no tools."));
    choose(name || list.querySelector("[aria-current]")?.dataset.name || tools[0].name);
  };
}

function toolLine({ name, annotations: { readOnly, destructive } }) {
  const effect = h("span", { class: "tag" }, readOnly ? "reads" : destructive ? "changes" : "adds");
  const attributes = { href: `#/tools/${encodeURIComponent(name)}`, "data-stop": true, "data-name": name };
  return h("li", {}, h("a", attributes, h("code", {}, name), effect));
}

function toolForm(tool, sent) {
  const rawId = newId();
  const raw = h("textarea", { id: rawId, rows: "16", class: "editor", spellcheck: "false" });
  raw.addEventListener("input", () => raw.setCustomValidity(whyNotJson(raw.value)));
  const byField = h("div", {});
  const byHand = h("div", { class: "field" }, h("label", { for: rawId }, "All arguments as JSON"), raw);
  const results = h("ol", { class: "results", "aria-label": "Results" });
  const form = h("form", { novalidate: true, "aria-label": `Try ${tool.name}` }, byField, byHand);
  let fields;

  const showFields = (value) => {
    fields = fieldsIn(tool.parameters, value);
    fill(byField, ...fields.elements);
    show(byField);
  };
  const showJson = (text) => {
    raw.value = text;
    raw.setCustomValidity(whyNotJson(text));
    show(byHand);
  };
  const show = (part) => {
    for (const one of [byField, byHand]) one.hidden = one !== part;
    swapper.textContent = part === byField ? "Write JSON" : "Back to the fields";
  };
  const check = () => {
    const inputs = [...(byHand.hidden ? byField : byHand).querySelectorAll("input, textarea, select")];
    const wrong = inputs.find((input) => !input.checkValidity());
    if (wrong === undefined) return true;
    for (let at = wrong.closest("details"); at !== null; at = at.parentElement.closest("details")) at.open = true;
    wrong.reportValidity();
    return false;
  };
  const swap = () => {
    if (byHand.hidden) return showJson(JSON.stringify(fields.read(), null, 2));
    if (!check()) return;
    const value = objectIn(raw.value || "{}");
    if (value === undefined) throw new Error("The fields hold an object alone: this JSON is another value");
    showFields(value);
  };
  const run = async () => {
    if (!check()) return;
    const value = byHand.hidden ? fields.read() : JSON.parse(raw.value || "{}");
    const { entry } = await ask(`/api/tools/${encodeURIComponent(tool.name)}`, { arguments: value });
    results.prepend(followed(entry));
  };
  const [runner, problem] = button(`Run ${tool.name}`, run, { type: "submit", class: "yes" });
  const [swapper, swapProblem] = button("Write JSON", swap);
  form.append(h("div", { class: "choices" }, runner, swapper), problem, swapProblem);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) runner.click();
  });
  const value = sent === undefined ? {} : objectIn(sent);
  if (value === undefined) {
    showFields({});
    showJson(sent);
  } else showFields(value);
  return [
    h("h3", { tabindex: "-1" }, tool.name),
    h("div", { class: "words" }, tool.description),
    disclosure("Schema", () => block(JSON.stringify(tool.parameters, null, 2), "Schema"), { class: "schema" }),
    form,
    results,
  ];
}

/** The fields of a schema; none for a schema that no form can be made of: then all of it is written as JSON. */
function fieldsIn(schema, value) {
  try {
    return fieldsOf(schema, { value });
  } catch {
    return {
      elements: [h("p", { class: "hint" }, "No form can be made of its schema: write JSON")],
      read: () => value,
    };
  }
}

function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The entry of a call, kept in its latest state, with the questions about it. */
function followed(id) {
  const list = h("ol", { class: "alone" });
  const cards = new Map();
  let call;
  const drawCall = (entry) => {
    if (call !== undefined) return call.update(entry);
    call = createCall(entryOf(id));
    list.prepend(call.element);
    call.element.querySelector("details").open = true;
  };
  const drawCard = (entry) => {
    if (cards.has(entry.id)) return cards.get(entry.id).update(entry);
    const card = createCard(entry);
    cards.set(entry.id, card);
    card.element.classList.add("first");
    list.append(card.element);
  };
  listen((entry) => {
    if (entry.kind === "call" && outermost(entry).id === id) drawCall(entry);
    const about = entry.kind === "approval" && entry.call !== undefined ? entryOf(entry.call) : undefined;
    if (about !== undefined && outermost(about).id === id) drawCard(entry);
  });
  return h("li", {}, list);
}
