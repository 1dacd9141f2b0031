import { h, newId } from "./dom.js";

/** Fields within fields; what is deeper is written as JSON. */
const MAX_DEPTH = 4;
/** Names of texts that usually have several lines. */
const SEVERAL_LINES = /content|code|text|body|prompt|query_sql|diff|message/;

/**
 * A field for a value of this JSON Schema. `read` answers the value, `undefined` when it is left out; `element` is what
 * is put on the page. What a field cannot say is written as JSON.
 *
 * @param {object} schema What the value must be.
 * @param {{ name: string, isRequired: boolean, depth?: number }} of Its name, and whether it may be left out.
 */
export function fieldOf(schema, { name, isRequired, depth = 0 }) {
  const of = { name, isRequired, depth, schema, about: schema.description, standard: schema.default };
  if (schema.$ref !== undefined || schema.anyOf || schema.oneOf || schema.allOf || depth > MAX_DEPTH)
    return jsonField(of);
  if (Array.isArray(schema.enum)) return choiceField(of, schema.enum);
  if (schema.type === "boolean") return choiceField(of, [true, false]);
  if (schema.type === "integer" || schema.type === "number") return numberField(of);
  if (schema.type === "string") return textField(of);
  if (schema.type === "array" && schema.items?.type !== undefined) return listField(of);
  if (schema.type === "object" && schema.properties !== undefined) return objectField(of);
  return jsonField(of);
}

/** The fields of an object, without a frame around them. */
export function fieldsOf(schema, depth = 0) {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    return [name, fieldOf(inner, { name, isRequired: required.has(name), depth })];
  });
  return {
    elements: fields.map(([, { element }]) => element),
    read() {
      const values = fields.map(([name, field]) => [name, field.read()]).filter(([, value]) => value !== undefined);
      return Object.fromEntries(values);
    },
  };
}

function labelled({ name, isRequired, about, standard }, input, note = "") {
  const [id, aboutId] = [newId(), newId()];
  input.id = id;
  input.setAttribute("aria-describedby", aboutId);
  const without = standard === undefined ? "" : ` Default ${JSON.stringify(standard)}`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, h("code", {}, name), isRequired ? " needed" : " may be left out"),
    h("p", { class: "hint", id: aboutId }, `${about ?? ""}${without}${note}`.trim()),
    input,
  );
}

function choiceField(of, values) {
  const select = h("select", { required: of.isRequired });
  // Nothing is chosen for the person.
  select.append(h("option", { value: "" }, of.isRequired ? "(choose)" : "(left out)"));
  for (const [index, value] of values.entries())
    select.append(h("option", { value: index }, typeof value === "string" ? value : JSON.stringify(value)));
  return {
    element: labelled(of, select),
    read: () => (select.value === "" ? undefined : values[Number(select.value)]),
  };
}

function numberField(of) {
  const { minimum, maximum, type } = of.schema;
  const step = type === "integer" ? 1 : "any";
  const input = h("input", { type: "number", min: minimum, max: maximum, step, required: of.isRequired });
  return { element: labelled(of, input), read: () => (input.value === "" ? undefined : input.valueAsNumber) };
}

function textField(of) {
  const { minLength, maxLength } = of.schema;
  const limits = { minlength: minLength, maxlength: maxLength, autocomplete: "off", spellcheck: "false" };
  const input = SEVERAL_LINES.test(of.name)
    ? h("textarea", { rows: "4", ...limits })
    : h("input", { type: "text", ...limits });
  // A text may be empty where it must be there.
  return { element: labelled(of, input), read: () => (input.value === "" && !of.isRequired ? undefined : input.value) };
}

function jsonField(of) {
  const input = h("textarea", { rows: "4", spellcheck: "false", required: of.isRequired });
  input.addEventListener("input", () => input.setCustomValidity(whyNotJson(input.value)));
  return {
    element: labelled(of, input, " As JSON"),
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

function listField(of) {
  const items = [];
  const list = h("ol", { class: "items" });
  const add = (focus) => {
    const item = fieldOf(of.schema.items, {
      name: `${of.name} ${items.length + 1}`,
      isRequired: true,
      depth: of.depth + 1,
    });
    const remove = () => {
      items.splice(items.indexOf(item), 1);
      row.remove();
      adder.focus();
    };
    const row = h("li", {}, item.element, h("button", { type: "button", onclick: remove }, `Remove from ${of.name}`));
    items.push(item);
    list.append(row);
    if (focus) row.querySelector("input, textarea, select")?.focus();
  };
  const adder = h("button", { type: "button", onclick: () => add(true) }, `Add to ${of.name}`);
  if (of.isRequired) add(false);
  const element = group(of, list, adder);
  return { element, read: () => (items.length === 0 && !of.isRequired ? undefined : items.map((item) => item.read())) };
}

function objectField(of) {
  const fields = fieldsOf(of.schema, of.depth + 1);
  const element = group(of, ...fields.elements);
  return {
    element,
    read() {
      const value = fields.read();
      return Object.keys(value).length === 0 && !of.isRequired ? undefined : value;
    },
  };
}

function group({ name, isRequired, about = "" }, ...parts) {
  const legend = h("legend", {}, h("code", {}, name), isRequired ? " needed" : " may be left out");
  return h("fieldset", { class: "field" }, legend, about !== "" && h("p", { class: "hint" }, about), ...parts);
}
