import { h, newId } from "./dom.js";

/** Names of texts that usually have several lines, and of those that are usually a whole file or program. */
const SEVERAL_LINES = /text|body|prompt|query_sql|diff|message|description|instructions/;
const WHOLE_FILE = /^(?:code|source|script|program|content|patch)$/;

/** A name, its description, and the input. */
export function labelled({ name, isRequired, schema }, input, note = "", ...more) {
  const [id, aboutId] = [newId(), newId()];
  const standard = schema.default === undefined ? "" : ` Default ${JSON.stringify(schema.default)}.`;
  const about = `${schema.description ?? ""}${standard}${note}`.trim();
  input.id = id;
  if (about !== "") input.setAttribute("aria-describedby", aboutId);
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, h("code", {}, name), isRequired ? " required" : " optional"),
    about !== "" && h("p", { class: "hint", id: aboutId }, about),
    input,
    ...more,
  );
}

/** One of several values. None is chosen for the person. */
export function choiceField(of, values) {
  const select = h("select", { required: of.isRequired });
  select.append(h("option", { value: "" }, of.isRequired ? "Choose" : "Not sent"));
  for (const [index, value] of values.entries())
    select.append(h("option", { value: index }, typeof value === "string" ? value : JSON.stringify(value)));
  const chosen = values.findIndex((value) => JSON.stringify(value) === JSON.stringify(of.value));
  if (of.value !== undefined) select.value = String(chosen);
  return {
    element: labelled(of, select),
    read: () => (select.value === "" ? undefined : values[Number(select.value)]),
  };
}

/** The one value that may stand there. */
export function fixedField(of) {
  const { const: value } = of.schema;
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  if (!of.isRequired) return choiceField(of, [value]);
  return {
    element: h("p", { class: "field" }, h("code", {}, of.name), ` is ${shown}`),
    read: () => value,
  };
}

export function numberField(of) {
  const { minimum, maximum, type } = of.schema;
  const step = type === "integer" ? 1 : "any";
  const input = h("input", {
    type: "number",
    min: minimum,
    max: maximum,
    step,
    required: of.isRequired,
    value: of.value,
  });
  return { element: labelled(of, input), read: () => (input.value === "" ? undefined : input.valueAsNumber) };
}

/** A text. Nothing typed is nothing sent, unless the person says that the empty text is meant. */
export function textField(of) {
  const { minLength, maxLength } = of.schema;
  const limits = { minlength: minLength, maxlength: maxLength, autocomplete: "off", spellcheck: "false" };
  const isFile = WHOLE_FILE.test(of.name);
  const isLong = isFile || SEVERAL_LINES.test(of.name) || String(of.value ?? "").includes("\n");
  const input = isLong
    ? h("textarea", { rows: isFile ? "16" : "4", class: isFile && "editor", ...limits })
    : h("input", { type: "text", ...limits });
  input.value = of.value ?? "";
  const written = input.value;
  // An input changes line ends: a text that nobody touched is sent as it came, and a changed one with the same line ends.
  const isDos = /\r\n/.test(of.value ?? "") && !/\r(?!\n)|(?<!\r)\n/.test(of.value);
  const text = () => {
    if (input.value === written && of.value !== undefined) return of.value;
    return isDos ? input.value.replaceAll("\n", "\r\n") : input.value;
  };
  if (minLength > 0) {
    input.required = of.isRequired;
    return { element: labelled(of, input), read: () => (input.value === "" ? undefined : text()) };
  }
  const emptyId = newId();
  const empty = h("input", { type: "checkbox", id: emptyId });
  empty.checked = of.value === "";
  const label = h("label", { for: emptyId }, "send empty");
  const box = h("div", { class: "choice hint empty-text" }, empty, label);
  const check = () => {
    box.hidden = input.value !== "";
    const isMissing = of.isRequired && input.value === "" && !empty.checked;
    input.setCustomValidity(isMissing ? "Fill this in, or tick send empty" : "");
  };
  input.addEventListener("input", check);
  empty.addEventListener("change", check);
  check();
  return {
    element: labelled(of, input, "", box),
    read: () => (input.value !== "" || empty.checked ? text() : undefined),
  };
}

/** Any value, as JSON. */
export function jsonField(of) {
  const input = h("textarea", { rows: "4", spellcheck: "false", required: of.isRequired });
  if (of.value !== undefined) input.value = JSON.stringify(of.value, null, 2);
  input.addEventListener("input", () => input.setCustomValidity(whyNotJson(input.value)));
  return {
    element: labelled(of, input, " As JSON."),
    read: () => (input.value.trim() === "" ? undefined : JSON.parse(input.value)),
  };
}

/** Why a text is no JSON; empty when it is. */
export function whyNotJson(text) {
  try {
    if (text.trim() !== "") JSON.parse(text);
    return "";
  } catch (error) {
    return `This is not JSON: ${error.message}`;
  }
}
