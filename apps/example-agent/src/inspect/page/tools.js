import { argumentsForm } from "./arguments-form.js";
import { createCall } from "./call.js";
import { createCard } from "./cards.js";
import { fill, h } from "./dom.js";
import { entryOf, listen, outermost } from "./entries.js";
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
  const results = h("ol", { class: "results", "aria-label": "Results" });
  const { form, swap, read } = argumentsForm(`Try ${tool.name}`, tool.parameters, sent);
  const run = async () => {
    const value = read();
    if (value === undefined) return;
    const { entry } = await ask(`/api/tools/${encodeURIComponent(tool.name)}`, { arguments: value });
    results.prepend(followed(entry));
  };
  const [runner, problem] = button(`Run ${tool.name}`, run, { type: "submit", class: "yes" });
  form.append(h("div", { class: "choices" }, runner, swap[0]), problem, swap[1]);
  return [
    h("h3", { tabindex: "-1" }, tool.name),
    h("div", { class: "words" }, tool.description),
    disclosure("Schema", () => block(JSON.stringify(tool.parameters, null, 2), "Schema"), { class: "schema" }),
    form,
    results,
  ];
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
