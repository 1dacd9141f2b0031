import { quote } from "../error/describe-received.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { innerJsonCost, parseJson } from "../json/parse-json.ts";
import {
  allowsKind,
  alternatives,
  isRequired,
  kindOf,
  kindsOf,
  onceFor,
  propertiesOf,
  valuesOf,
} from "../schema/schema-node.ts";
import { readDamagedJson, readDamagedParams } from "./damaged-json.ts";
import type { InstanceLocation } from "./instance-location.ts";
import type { Repair, RepairKind } from "./repair.ts";

/** One change that makes a refused value fit its schema. */
export interface Proposal extends Repair {
  /** The advice for the model, as an imperative: `send 3`. */
  readonly advice: string;
  /** The new value; absent to remove the old one. */
  readonly value?: unknown;
  /** For `key_renamed`: the key of the same object whose value moves here. */
  readonly from?: string;
}

/** Text that may not be one item: empty, a word for nothing, a list, or the start of JSON. */
const NOT_ONE_ITEM = /^\s*(?:$|[[{]|(?:null|none|nil|undefined|n\/a)\s*$)|[,;\n]/i;

/**
 * The repair of a refused value, when exactly one is possible. The location must be one that the schema refused: a valid
 * value is never changed.
 *
 * @param limit How much JSON text is parsed for all values of a call. What is parsed is taken off.
 */
export function proposeRepair(
  location: InstanceLocation,
  schema: JsonSchema,
  limit: { chars: number },
): Proposal | undefined {
  const { value, allowed, path } = location;
  if (value === undefined) return undefined;
  const listed = typeof value === "string" ? proposeListed(value, location) : undefined;
  if (listed !== undefined) return listed;
  if (allowed.length === 0 || allowed.some((one) => kindsOf(one) === undefined)) return undefined;
  const kind = kindOf(value);
  if (allowed.some((one) => allowsKind(one, kind))) return undefined;
  if (value === null) {
    if (!isOptionalField(location)) return undefined;
    return { path, kind: "null_dropped", message: "null was left out: the field is optional", advice: "leave it out" };
  }
  const [proposal, ...others] =
    typeof value === "string" ? ofText(value, location, schema, limit) : ofScalar(location, schema);
  return others.length === 0 ? proposal : undefined;
}

/** The text of a list of allowed ones that differs in case, white space, `_`, `-` or quotes alone. */
function proposeListed(text: string, location: InstanceLocation): Proposal | undefined {
  const listed = listedTexts(location.allowed);
  if (text.length > MAX_LISTED_CHARS || listed === undefined || listed.texts.has(text)) return undefined;
  const folded = foldText(text);
  const [only, ...others] = listed.byFold.get(folded) ?? [];
  return only !== undefined && others.length === 0 && folded !== ""
    ? change(location, "enum_matched", only)
    : undefined;
}

/**
 * The texts that a schema lists, and by their folded form; `undefined` if it allows other texts too. Once for each, because
 * folding took a fifth of the answer to an invalid call.
 */
const listedTexts = onceFor((allowed) => {
  const values = allowed.flatMap((one) => valuesOf(one) ?? (allowsKind(one, "string") ? [undefined] : []));
  if (values.includes(undefined)) return undefined;
  const texts = new Set(values.filter((one) => typeof one === "string"));
  return { texts, byFold: groupByFold(texts) };
});

function groupByFold(texts: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const byFold = new Map<string, readonly string[]>();
  for (const text of texts) byFold.set(foldText(text), [...(byFold.get(foldText(text)) ?? []), text]);
  return byFold;
}

/** Longer texts are compared with none of a list. */
const MAX_LISTED_CHARS = 200;

/**
 * A text in lower case, without separators of words; between digits they stay, because they may be the only difference.
 */
function foldText(text: string): string {
  // Most texts have none of the characters that are taken out. Looking for these takes a tenth of the time.
  if (!/["'\s_-]/.test(text)) return text.toLowerCase();
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/s, "$2")
    .toLowerCase()
    .replaceAll(/(?<=\p{L})[\s_-]+(?=[\p{L}\d])|(?<=\d)[\s_-]+(?=\p{L})/gu, "");
}

function isOptionalField({ path, parent }: InstanceLocation): boolean {
  const key = path.at(-1);
  if (parent === undefined || key === undefined || !isJsonObject(parent.value)) return false;
  const name = String(key);
  return (
    parent.allowed.length > 0 &&
    parent.allowed.every((one) => Object.hasOwn(propertiesOf(one), name) && !isRequired(one, name))
  );
}

function ofText(
  text: string,
  location: InstanceLocation,
  schema: JsonSchema,
  limit: { chars: number },
): readonly Proposal[] {
  const { allowed } = location;
  const allows = (kind: "boolean" | "array" | "object"): boolean => allowed.some((one) => allowsKind(one, kind));
  const found: Proposal[] = [];
  if (allowed.some((one) => isNumeralFor(text, one))) found.push(change(location, "to_number", Number(text)));
  if (/^(?:true|false)$/i.test(text) && allows("boolean")) {
    found.push(change(location, "to_boolean", text.toLowerCase() === "true"));
  }
  const decoded = allows("array") || allows("object") ? decode(text, location, schema, limit) : undefined;
  if (Array.isArray(decoded) ? allows("array") : decoded !== undefined && allows("object")) {
    found.push({ ...change(location, "decoded", decoded), advice: "send the value itself, not its JSON text" });
  }
  return allows("array") && !NOT_ONE_ITEM.test(text) ? [...found, ...ofScalar(location, schema)] : found;
}

/** True if the text is how a number prints, decimals of zero aside: not for "0x10", " 3", "1e999" or "9007199254740993". */
function isNumeralFor(text: string, schema: JsonSchema): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const kinds = kindsOf(schema);
  const fits = kinds?.includes("number") === true || (kinds?.includes("integer") === true && Number.isInteger(number));
  const printed = /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
  return fits && String(number) === printed;
}

/** The array or object in a JSON text. For the arguments as a whole, damaged JSON is read too. */
function decode(
  text: string,
  { path }: InstanceLocation,
  schema: JsonSchema,
  limit: { chars: number },
): object | undefined {
  const isWhole = path.length === 0;
  if (!isWhole && !/^\s*[[{]/.test(text)) return undefined;
  limit.chars -= innerJsonCost(text);
  if (limit.chars < 0) return undefined;
  try {
    const parsed = parseJson(text);
    const value = isWhole && typeof parsed === "string" ? parseJson(parsed) : parsed;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    if (!isWhole) return literalIn(text);
    const read = readDamagedParams(text, schema);
    return read.reason === undefined ? read.value : undefined;
  }
}

/** The differences of a list or an object in Python's notation from JSON's, if nothing else is wrong with it. */
const OF_PYTHON = new Set(["single quotes", "a word of Python", "a trailing comma"]);

/** The list or object that a text holds as Python prints it. */
function literalIn(text: string): object | undefined {
  const read = readDamagedJson(`{"value":${text}}`);
  if (read.reason !== undefined || !read.faults.every((fault) => OF_PYTHON.has(fault))) return undefined;
  const { value, ...others } = read.value as { readonly value?: unknown };
  const isWhole = typeof value === "object" && value !== null && Object.keys(others).length === 0;
  return isWhole ? value : undefined;
}

/** Wraps a single string, number or boolean where the schema wants an array of them. */
function ofScalar(location: InstanceLocation, schema: JsonSchema): readonly Proposal[] {
  const { value, allowed } = location;
  const kind = kindOf(value);
  if (kind === undefined || kind === "object" || kind === "array") return [];
  const takesIt = allowed.some((one) => {
    const { items, prefixItems } = one;
    if (!isJsonObject(items) || prefixItems !== undefined || !allowsKind(one, "array")) return false;
    const inner = alternatives(items, schema);
    return inner.some((item) => kindsOf(item) !== undefined && allowsKind(item, kind));
  });
  return takesIt ? [change(location, "to_array", [value])] : [];
}

function change({ path, value }: InstanceLocation, kind: RepairKind, to: unknown): Proposal {
  const shown = kind === "decoded" ? `the ${Array.isArray(to) ? "array" : "object"} in it` : show(to);
  return { path, kind, message: `${show(value)} was taken for ${shown}`, advice: `send ${shown}`, value: to };
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  return typeof value === "string" ? quote(value) : String(value);
}

/** A change of one place: a new value, a field moved from elsewhere, or nothing but its end. */
type Change = Pick<Proposal, "path" | "value" | "from">;

type Container = Record<string | number, unknown>;

/** A copy of the parameters with all proposals applied. The original is never changed. */
export function applyRepairs(params: unknown, proposals: readonly Change[]): unknown {
  const root: Container = { params };
  const copies = new Set<unknown>();
  const copyOf = (value: unknown): Container => {
    if (copies.has(value)) return value as Container;
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Container;
    copies.add(copy);
    return copy;
  };
  for (const { path, value, from } of proposals) {
    let container = root;
    let key: string | number = "params";
    for (const next of path) {
      container = container[key] = copyOf(container[key]);
      key = next;
    }
    const changed = from === undefined ? value : container[from];
    if (from !== undefined) delete container[from];
    if (changed === undefined) delete container[key];
    else container[key] = changed;
  }
  return root["params"];
}
