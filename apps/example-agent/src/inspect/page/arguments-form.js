import { fill, h, newId } from "./dom.js";
import { fieldsOf } from "./fields.js";
import { whyNotJson } from "./inputs.js";
import { button } from "./texts.js";

/**
 * A form for the arguments of a tool: fields made from its schema, or all of them as JSON.
 *
 * @param {string} label Its name.
 * @param {object} schema The JSON Schema of the arguments.
 * @param {string | undefined} sent Arguments to begin with, as JSON.
 * @returns `form`; `swap`, the parts of the button between fields and JSON; `read`, which answers the arguments, or
 *   `undefined` after it has shown the fault.
 */
export function argumentsForm(label, schema, sent) {
  const rawId = newId();
  const raw = h("textarea", { id: rawId, rows: "16", class: "editor", spellcheck: "false" });
  raw.addEventListener("input", () => raw.setCustomValidity(whyNotJson(raw.value)));
  const byField = h("div", {});
  const byHand = h("div", { class: "field" }, h("label", { for: rawId }, "All arguments as JSON"), raw);
  const form = h("form", { novalidate: true, "aria-label": label }, byField, byHand);
  let fields;

  const showFields = (value) => {
    fields = fieldsIn(schema, value);
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
    swap[0].textContent = part === byField ? "Write JSON" : "Back to the fields";
  };
  const check = () => {
    const inputs = [...(byHand.hidden ? byField : byHand).querySelectorAll("input, textarea, select")];
    const wrong = inputs.find((input) => !input.checkValidity());
    if (wrong === undefined) return true;
    for (let at = wrong.closest("details"); at !== null; at = at.parentElement.closest("details")) at.open = true;
    wrong.reportValidity();
    return false;
  };
  const read = () => {
    if (!check()) return undefined;
    return byHand.hidden ? fields.read() : JSON.parse(raw.value || "{}");
  };
  const swap = button("Write JSON", () => {
    if (byHand.hidden) return showJson(JSON.stringify(fields.read(), null, 2));
    if (!check()) return;
    const value = objectIn(raw.value || "{}");
    if (value === undefined) throw new Error("The fields hold an object alone: this JSON is another value");
    showFields(value);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.querySelector("[type=submit]").click();
  });
  const value = sent === undefined ? {} : objectIn(sent);
  showFields(value ?? {});
  if (value === undefined) showJson(sent);
  return {
    form,
    swap,
    read,
  };
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
