import { fill, h, newId } from "./dom.js";
import { choiceField, fixedField, jsonField, labelled, numberField, textField } from "./inputs.js";
import { branchesOf, fits, nameOf, resolved } from "./schema.js";

/** Fields within fields; deeper values are written as JSON. */
const MAX_DEPTH = 5;
/** Fields that a form begins with. A schema may need ever more: objects beyond them are written as JSON. */
const MAX_FIELDS = 500;

/**
 * A field for a value of a JSON Schema. `read` returns the value, `undefined` when it is left out; `element` is the field
 * on the page. A value that no field can hold is written as JSON.
 *
 * @param {object} given The schema.
 * @param {{ name: string, isRequired: boolean, root: object, depth?: number, value?: unknown, budget?: { left: number } }} of
 *   Its name, whether it must be sent, the schema that references lead into, the value to begin with, and how many more
 *   fields there may be.
 */
export function fieldOf(given, { name, isRequired, root, depth = 0, value, budget = { left: MAX_FIELDS } }) {
  const schema = resolved(given, root);
  const of = { name, isRequired, root, depth, value, schema, budget };
  const branches = branchesOf(schema);
  const isFixed = branches?.every((one) => resolved(one, root).const !== undefined);
  if (depth > MAX_DEPTH || schema.allOf !== undefined) return jsonField(of);
  if (value !== undefined && !fits(schema, value, root)) return jsonField(of);
  if (isFixed)
    return choiceField(
      of,
      branches.map((one) => resolved(one, root).const),
    );
  if (branches !== undefined) return unionField(of, branches);
  if (schema.const !== undefined) return fixedField(of);
  if (Array.isArray(schema.enum)) return choiceField(of, schema.enum);
  if (schema.type === "boolean") return choiceField(of, [true, false]);
  if (schema.type === "null") return fixedField({ ...of, schema: { ...schema, const: null } });
  if (schema.type === "integer" || schema.type === "number") return numberField(of);
  if (schema.type === "string") return textField(of);
  if (schema.type === "array" && schema.items !== undefined) return listField(of);
  if (schema.properties !== undefined && Object.keys(schema.properties).length <= budget.left) return objectField(of);
  return jsonField(of);
}

/** The fields of an object without a frame around them: required ones, then the others folded. */
export function fieldsOf(schema, { root = schema, depth = 0, value = {}, budget = { left: MAX_FIELDS } } = {}) {
  const properties = schema.properties ?? {};
  budget.left -= Object.keys(properties).length;
  const required = new Set(schema.required);
  const valueOf = (name) => (Object.hasOwn(value, name) ? value[name] : undefined);
  const fields = Object.entries(properties).map(([name, inner]) => {
    const isRequired = required.has(name);
    return { name, isRequired, ...fieldOf(inner, { name, isRequired, root, depth, value: valueOf(name), budget }) };
  });
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name)));
  const rest = jsonField({
    name: "other fields",
    schema: {},
    value: Object.keys(others).length > 0 ? others : undefined,
  });
  const [needed, free] = [fields.filter((one) => one.isRequired), fields.filter((one) => !one.isRequired)];
  const isOpen = needed.length === 0 || free.some(({ name }) => valueOf(name) !== undefined);
  const title = free.length === 1 ? "1 optional field" : `${free.length} optional fields`;
  const names = h("span", { class: "hint" }, free.map(({ name }) => name).join(", "));
  return {
    elements: [
      ...needed.map(({ element }) => element),
      free.length > 0 &&
        h(
          "details",
          { class: "optional", open: isOpen },
          h("summary", {}, title, " ", names),
          ...free.map(({ element }) => element),
        ),
      Object.keys(others).length > 0 && rest.element,
    ],
    read() {
      const values = fields.map((field) => [field.name, field.read()]).filter(([, one]) => one !== undefined);
      return { ...Object.fromEntries(values), ...rest.read() };
    },
  };
}

/** One of several kinds of value: the person chooses which, and then fills in that one. */
function unionField(of, branches) {
  const { root, depth, name, isRequired, value, budget } = of;
  const kinds = branches.map((branch) => resolved(branch, root));
  const select = h("select", { required: isRequired });
  const place = h("div", {});
  let field;
  select.append(h("option", { value: "" }, isRequired ? "Choose" : "Not sent"));
  for (const [index, kind] of kinds.entries()) select.append(h("option", { value: index }, nameOf(kind)));
  const choose = (initial, left) => {
    const kind = kinds[Number(select.value)];
    field =
      select.value === ""
        ? undefined
        : fieldOf(kind, { name, isRequired: true, root, depth: depth + 1, value: initial, budget: left });
    // Null is said by the choice itself.
    fill(place, field !== undefined && kind.type !== "null" && field.element);
  };
  if (value !== undefined) select.value = String(kinds.findIndex((kind) => fits(kind, value, root)));
  choose(value, budget);
  select.addEventListener("change", () => choose());
  return { element: h("div", { class: "union" }, labelled(of, select), place), read: () => field?.read() };
}

function listField(of) {
  const { name, isRequired, schema, root, depth, value, budget } = of;
  const items = [];
  const list = h("ol", { class: "items" });
  const add = (initial, left) => {
    const label = `${name} ${items.length + 1}`;
    const given = { name: label, isRequired: true, root, depth: depth + 1, value: initial, budget: left };
    const item = fieldOf(schema.items, given);
    const remove = () => {
      items.splice(items.indexOf(item), 1);
      row.remove();
      adder.focus();
    };
    const row = h("li", {}, item.element, h("button", { type: "button", onclick: remove }, `Remove from ${name}`));
    items.push(item);
    list.append(row);
    return row;
  };
  const adder = h(
    "button",
    { type: "button", onclick: () => add().querySelector("input, textarea, select")?.focus() },
    `Add to ${name}`,
  );
  const first = isRequired ? Math.min(schema.minItems ?? 0, 10) : 0;
  for (const initial of value ?? Array.from({ length: first })) add(initial, budget);
  const read = () =>
    items.length === 0 && !isRequired && value === undefined ? undefined : items.map((item) => item.read());
  return { element: group(of, list, adder), read };
}

/** An object that may be left out has no fields until the person adds it. */
function objectField(of) {
  const { name, isRequired, schema, root, depth, value, budget } = of;
  let fields;
  const place = h("div", {});
  const set = (isThere, left) => {
    fields = isThere ? fieldsOf(schema, { root, depth: depth + 1, value, budget: left }) : undefined;
    fill(place, ...(fields?.elements ?? []));
    toggle.textContent = isThere ? `Leave out ${name}` : `Add ${name}`;
  };
  const toggle = h("button", { type: "button", onclick: () => set(fields === undefined) });
  set(isRequired || value !== undefined, budget);
  return { element: group(of, place, !isRequired && toggle), read: () => fields?.read() };
}

function group({ name, isRequired, schema: { description = "" } }, ...parts) {
  const id = newId();
  const legend = h("legend", {}, h("code", {}, name), isRequired ? " required" : " optional");
  const about = description !== "" && h("p", { class: "hint", id }, description);
  return h("fieldset", { class: "field", "aria-describedby": description !== "" && id }, legend, about, ...parts);
}
