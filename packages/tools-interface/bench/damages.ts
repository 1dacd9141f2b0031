import { isJsonObject, type JsonSchema } from "../src/json/json.ts";
import { alternatives, kindsOf, propertiesOf, valuesOf } from "../src/schema/schema-node.ts";

/** A call that is right. */
export interface GoldCall {
  /** Name of the tool. */
  readonly name: string;
  /** Its parameters. */
  readonly schema: JsonSchema;
  /** The intended parameters. */
  readonly params: { readonly [key: string]: unknown };
}

/** One way in which a model gets a call wrong. */
export interface Damage {
  /** The kind of damage. */
  readonly name: string;
  /** The model's parameters; `undefined` if this call cannot be damaged so. */
  readonly apply: (gold: GoldCall) => unknown;
}

type Fields = { readonly [key: string]: unknown };
const words = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean);
const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const pascal = (name: string): string => words(name).map(upper).join("");
const camel = (name: string): string => pascal(name).charAt(0).toLowerCase() + pascal(name).slice(1);
const snake = (name: string): string => words(name).join("_");
const kebab = (name: string): string => words(name).join("-");

function rename(params: Fields, change: (key: string) => string): Fields | undefined {
  const changed = Object.fromEntries(Object.entries(params).map(([key, value]) => [change(key), value]));
  const isSame = Object.keys(params).every((key) => change(key) === key);
  return isSame || Object.keys(changed).length < Object.keys(params).length ? undefined : changed;
}

/** The params with the first field that `change` has another value for. */
function changeOne(
  { params, schema }: GoldCall,
  change: (value: unknown, node: JsonSchema, isRequired: boolean) => unknown,
) {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  for (const [key, value] of Object.entries(params)) {
    const [node] = alternatives(propertiesOf(schema)[key], schema);
    const changed = node === undefined ? undefined : change(value, node, required.has(key));
    if (changed !== undefined) return { ...params, [key]: changed };
  }
  return undefined;
}

const isKind = (node: JsonSchema, kind: string): boolean =>
  kindsOf(node)?.includes(kind) === true && kindsOf(node)?.includes("string") !== true;
const listed = (node: JsonSchema, value: unknown): value is string =>
  typeof value === "string" && valuesOf(node)?.includes(value) === true;
const ifOther = (value: string, other: string): string | undefined => (value === other ? undefined : other);
const text = ({ params }: GoldCall): string => JSON.stringify(params);
const python = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/\b(true|false|null)\b/g, (word) => (word === "null" ? "None" : upper(word)));

const firstField = ({ params }: GoldCall): string | undefined => Object.keys(params)[0];
const optionalField = ({ params, schema }: GoldCall): string | undefined =>
  Object.keys(propertiesOf(schema)).find((key) => !Object.hasOwn(params, key));

const styles: readonly Damage[] = Object.entries({ camel, snake, kebab, pascal }).flatMap(([style, change]) => [
  { name: `all keys in ${style} case`, apply: ({ params }) => rename(params, change) },
  {
    name: `the first key in ${style} case`,
    apply: (gold) => rename(gold.params, (key) => (key === firstField(gold) ? change(key) : key)),
  },
]);
const wrappers: readonly Damage[] = ["arguments", "parameters", "input", "params", "args", "kwargs"].flatMap((key) => [
  { name: `inside ${key}`, apply: ({ params }) => ({ [key]: params }) },
  { name: `inside ${key} beside the name`, apply: ({ params, name }) => ({ name, [key]: params }) },
  { name: `inside ${key} as text`, apply: (gold) => ({ [key]: text(gold) }) },
]);
const texts: readonly Damage[] = [
  { name: "encoded twice", apply: (gold) => JSON.stringify(text(gold)) },
  { name: "a code fence", apply: (gold) => `\`\`\`json\n${text(gold)}\n\`\`\`` },
  { name: "prose around it", apply: (gold) => `Here is the call:\n${text(gold)}\nDone.` },
  { name: "a trailing comma", apply: (gold) => text(gold).replace(/\}$/, ",}") },
  { name: "single quotes", apply: (gold) => (/['\\]/.test(text(gold)) ? undefined : text(gold).replaceAll('"', "'")) },
  {
    name: "the words of Python",
    apply: ({ params }) =>
      /"[^"]*\b(?:true|false|null)\b/.test(JSON.stringify(params))
        ? undefined
        : ifOther(JSON.stringify(params), python(params)),
  },
  { name: "bare keys", apply: (gold) => text(gold).replaceAll(/"([A-Za-z_]\w*)":/g, "$1:") },
  { name: "a comment", apply: (gold) => text(gold).replace(/^\{/, "{ // the call\n") },
  { name: "the last bracket missing", apply: (gold) => text(gold).slice(0, -1) },
  { name: "cut after the last comma", apply: (gold) => cut(text(gold), text(gold).lastIndexOf(",")) },
  { name: "cut after the first comma", apply: (gold) => cut(text(gold), text(gold).indexOf(",")) },
  { name: "cut in the middle", apply: (gold) => text(gold).slice(0, Math.floor(text(gold).length / 2)) },
  { name: "cut at two thirds", apply: (gold) => text(gold).slice(0, Math.floor((text(gold).length * 2) / 3)) },
  { name: "cut before the last two characters", apply: (gold) => text(gold).slice(0, -2) },
  { name: "two calls in one text", apply: (gold) => `${text(gold)}${text(gold)}` },
  { name: "a second closing bracket", apply: (gold) => `${text(gold)}}` },
];
function cut(whole: string, at: number): string | undefined {
  return at < 0 ? undefined : whole.slice(0, at);
}

const values: readonly Damage[] = [
  {
    name: "numbers as text",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        typeof value === "number" && (isKind(node, "number") || isKind(node, "integer")) ? String(value) : undefined,
      ),
  },
  {
    name: "integers as text with a decimal",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        Number.isInteger(value) && isKind(node, "integer") ? `${String(value)}.0` : undefined,
      ),
  },
  {
    name: "numbers in words around",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        typeof value === "number" && isKind(node, "number") ? `about ${value}` : undefined,
      ),
  },
  {
    name: "booleans as text",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        typeof value === "boolean" && isKind(node, "boolean") ? String(value) : undefined,
      ),
  },
  {
    name: "booleans as Python's text",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        typeof value === "boolean" && isKind(node, "boolean") ? upper(String(value)) : undefined,
      ),
  },
  {
    name: "booleans as words",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        typeof value === "boolean" && isKind(node, "boolean") ? (value ? "yes" : "no") : undefined,
      ),
  },
  {
    name: "booleans as numbers",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        typeof value === "boolean" && isKind(node, "boolean") ? Number(value) : undefined,
      ),
  },
  {
    name: "lists as JSON text",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        Array.isArray(value) && isKind(node, "array") ? JSON.stringify(value) : undefined,
      ),
  },
  {
    name: "lists as Python's text",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        Array.isArray(value) && value.length > 0 && isKind(node, "array") && !/['\\]/.test(JSON.stringify(value))
          ? python(value).replaceAll('"', "'")
          : undefined,
      ),
  },
  {
    name: "objects as JSON text",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        isJsonObject(value) && isKind(node, "object") ? JSON.stringify(value) : undefined,
      ),
  },
  {
    name: "lists of one as the item",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        Array.isArray(value) && value.length === 1 && isKind(node, "array") ? (value[0] as unknown) : undefined,
      ),
  },
  {
    name: "lists joined with commas",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        Array.isArray(value) && value.length > 1 && isKind(node, "array") ? value.join(", ") : undefined,
      ),
  },
  {
    name: "scalars in a list",
    apply: (gold) =>
      changeOne(gold, (value) => (typeof value === "string" || typeof value === "number" ? [value] : undefined)),
  },
  {
    name: "objects in a list",
    apply: (gold) => changeOne(gold, (value) => (isJsonObject(value) ? [value] : undefined)),
  },
  {
    name: "listed texts in capitals",
    apply: (gold) =>
      changeOne(gold, (value, node) => (listed(node, value) ? ifOther(value, value.toUpperCase()) : undefined)),
  },
  {
    name: "listed texts in small letters",
    apply: (gold) =>
      changeOne(gold, (value, node) => (listed(node, value) ? ifOther(value, value.toLowerCase()) : undefined)),
  },
  {
    name: "listed texts with a capital",
    apply: (gold) => changeOne(gold, (value, node) => (listed(node, value) ? ifOther(value, upper(value)) : undefined)),
  },
  {
    name: "listed texts with spaces around",
    apply: (gold) => changeOne(gold, (value, node) => (listed(node, value) ? ` ${value} ` : undefined)),
  },
  {
    name: "listed texts with other separators",
    apply: (gold) =>
      changeOne(gold, (value, node) =>
        listed(node, value) ? ifOther(value, value.replaceAll(/[_-]/g, " ")) : undefined,
      ),
  },
  {
    name: "listed texts with a slip",
    apply: (gold) =>
      changeOne(gold, (value, node) => (listed(node, value) && value.length > 3 ? value.slice(0, -1) : undefined)),
  },
  {
    name: "listed texts in quotes",
    apply: (gold) => changeOne(gold, (value, node) => (listed(node, value) ? JSON.stringify(value) : undefined)),
  },
  { name: "null for a field left out", apply: (gold) => withField(gold, optionalField(gold), null) },
  { name: "an empty text for a field left out", apply: (gold) => withField(gold, optionalField(gold), "") },
  { name: "a required field left out", apply: (gold) => without(gold, true) },
  {
    name: "null for a required field",
    apply: (gold) => changeOne(gold, (value, _, isRequired) => (isRequired && value !== null ? null : undefined)),
  },
  { name: "a field too many", apply: (gold) => withField(gold, "why_i_call_this", "because") },
  { name: "a dry run that the tool does not know", apply: (gold) => withField(gold, "simulateOnly", true) },
  {
    name: "a key with a slip",
    apply: (gold) =>
      rename(gold.params, (key) => (key === firstField(gold) && key.length > 4 ? key.slice(0, -1) : key)),
  },
  {
    name: "all keys in another case with a field too many",
    apply: (gold) =>
      withField(
        gold,
        "why_i_call_this",
        "because",
        rename(gold.params, (key) => (key.includes("_") ? camel(key) : snake(key))),
      ),
  },
  { name: "all keys in another case, one of them with a slip", apply: (gold) => slipped(gold) },
  { name: "a list around it", apply: ({ params }) => [params] },
  { name: "inside the tool's name", apply: ({ params, name }) => ({ [name]: params }) },
  { name: "inside a wrapper of another tool", apply: ({ params }) => ({ name: "another_tool", arguments: params }) },
];

function withField(gold: GoldCall, key: string | undefined, value: unknown, params: Fields | undefined = gold.params) {
  if (params === undefined || key === undefined) return undefined;
  return Object.hasOwn(propertiesOf(gold.schema), key) === (key === optionalField(gold))
    ? { ...params, [key]: value }
    : undefined;
}

function without({ params, schema }: GoldCall, isRequired: boolean): Fields | undefined {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const key = Object.keys(params).find((name) => required.has(name) === isRequired);
  return key === undefined ? undefined : Object.fromEntries(Object.entries(params).filter(([name]) => name !== key));
}

function slipped({ params }: GoldCall): Fields | undefined {
  const keys = Object.keys(params);
  const last = keys.at(-1);
  if (keys.length < 2 || last === undefined || last.length < 5) return undefined;
  return rename(params, (key) =>
    key === last ? `${key.slice(0, -2)}${key.at(-1) ?? ""}` : key.includes("_") ? camel(key) : snake(key),
  );
}

/** Common mistakes of models, in more than sixty ways. */
export const damages: readonly Damage[] = [...styles, ...wrappers, ...texts, ...values];
