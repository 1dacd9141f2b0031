import { dereference, format as formats } from "@cfworker/json-schema";
import { truncate } from "../error/describe-received.ts";
import { InvalidToolError, thrownMessage } from "../error/tool-error.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import type { Checked, SourceSchema } from "./compiled-schema.ts";
import { readOlderDrafts } from "./older-drafts.ts";
import { copyJsonSchema } from "./schema-copy.ts";
import { type Check, compileChecks, Faults, type SchemaDocument } from "./validate/compile-checks.ts";

/**
 * Prepares a plain JSON Schema of draft 4 to 7, 2019-09 or 2020-12, the last unless its `$schema` says otherwise. One that is
 * none because of words of drafts 3 and 4 is read as they mean it. Compiled to
 * functions (`validate/`), so it also works where code may not be generated at run time; references and formats are those
 * of @cfworker/json-schema.
 */
export function compileRawJsonSchema(source: JsonSchema, role: string): SourceSchema {
  try {
    const draft = draftOf(source);
    const copied = copyJsonSchema(source, draft === "7");
    try {
      return compileCopy(copied, draft);
    } catch (cause) {
      const { schema, changes } = readOlderDrafts(copied);
      if (changes.length === 0) throw cause;
      return { ...compileCopy(schema, draft), changes };
    }
  } catch (cause) {
    throw new InvalidToolError(`Cannot use the ${role}: not a JSON Schema, ${truncate(thrownMessage(cause), 300)}`, {
      cause,
    });
  }
}

function compileCopy(jsonSchema: JsonSchema, draft: Draft): SourceSchema {
  // A copy of its own, because the references are noted in it.
  const own = structuredClone(jsonSchema);
  const known = dereference(own);
  const target = (node: Noted): unknown => known[node.__absolute_ref__ ?? node.__absolute_recursive_ref__ ?? ""];
  checkRawJsonSchema(own, target);
  // Compiled at the first value: of many tools few are called.
  let check: Check | undefined;
  const document: SchemaDocument = {
    target,
    isLatest: draft === "2020-12",
    isFormat: (name, text) => {
      // The package's `url` takes time exponential in the length of a text, which a model may choose.
      const format = name === "url" ? "uri" : name;
      return !Object.hasOwn(formats, format) || formats[format]?.(text) !== false;
    },
  };
  return { jsonSchema, validate: (value) => checked((check ??= compileChecks(own, document)), value) };
}

type Draft = "7" | "2019-09" | "2020-12";

function draftOf({ $schema }: JsonSchema): Draft {
  if (typeof $schema !== "string") return "2020-12";
  if (/draft-0[1-3]\b/.test($schema)) throw new TypeError(`${$schema} is too old, allowed are draft 4 and later`);
  return /draft-0[4-7]\b/.test($schema) ? "7" : $schema.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Where the package notes the address that a reference leads to. */
interface Noted {
  readonly __absolute_ref__?: string;
  readonly __absolute_recursive_ref__?: string;
}

function checked(check: Check, value: unknown): Checked {
  try {
    const sent = isJson(value) ? value : withoutUndefined(value);
    if (check(sent)) return { value: sent };
    const faults = new Faults();
    check(sent, faults);
    return faults;
  } catch (error) {
    // Nested deeper than the stack, or with values that JSON lacks.
    const why = error instanceof RangeError ? "it is nested too deeply" : thrownMessage(error);
    return { issues: [{ path: [], message: `cannot be checked, ${truncate(why, 200)}` }] };
  }
}

/** Whether a value holds nothing that JSON does not have. */
function isJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return (typeof value) in JSON_TYPES;
  if (Array.isArray(value)) return value.every(isJson);
  for (const key of Object.keys(value)) if (!isJson((value as JsonSchema)[key])) return false;
  return true;
}

const JSON_TYPES = { object: true, string: true, number: true, boolean: true };

/** The value without fields that hold `undefined`, which JSON leaves out. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    if ((typeof value) in JSON_TYPES || value === undefined) return value;
    throw new TypeError(`JSON has no ${typeof value}`);
  }
  if (Array.isArray(value)) return Array.from(value, withoutUndefined);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(fields.map(([key, inner]) => [key, withoutUndefined(inner)]));
}

const TYPES = new Set(["null", "boolean", "object", "array", "number", "integer", "string"]);
/** Keywords under which schemas stand: one, a list, or by name. */
interface Keywords {
  readonly one: readonly string[];
  readonly list: readonly string[];
  readonly named: readonly string[];
}
/** Those whose schemas are of the same value as the one they stand in. */
const IN_PLACE: Keywords = {
  one: ["not", "if", "then", "else"],
  list: ["allOf", "anyOf", "oneOf"],
  named: ["dependentSchemas", "dependencies"],
};
/** Those whose schemas are of its items and fields. */
const BELOW: Keywords = {
  one: [
    "additionalItems",
    "additionalProperties",
    "contains",
    "items",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
  ],
  list: ["prefixItems"],
  named: ["$defs", "definitions", "properties", "patternProperties"],
};
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const SIZES = ["Length", "Items", "Properties", "Contains"].flatMap((unit) => [`min${unit}`, `max${unit}`]);

/**
 * Refuses a JSON Schema that the validator would fail on, or ignore, at the first call that gets there: unknown types,
 * patterns that are not regular expressions, references to elsewhere or to themselves.
 *
 * @param target The schema that the `$ref` or `$recursiveRef` of a node leads to.
 * @throws {TypeError} With the fault and its place.
 */
function checkRawJsonSchema(schema: JsonSchema, target: Target): void {
  /** In progress `true`, done `false`: a schema met again in progress refers to itself without consuming anything. */
  const state = new Map<object, boolean>();
  const later: (() => void)[] = [];
  let recursive: string | undefined;

  const visit = (node: unknown, place: string): void => {
    if (typeof node === "boolean") return;
    if (!isJsonObject(node)) throw new TypeError(`at ${place} stands no schema`);
    const inProgress = state.get(node);
    if (inProgress === true) throw new TypeError(`at ${place} the schema refers to itself and to nothing else`);
    if (inProgress === false) return;
    state.set(node, true);
    checkKeywords(node, place);
    if (node["$recursiveRef"] !== undefined) recursive = place;
    for (const [inner, at] of schemasUnder(IN_PLACE, node, place)) visit(inner, at);
    for (const [inner, at] of referred(node, place, target)) visit(inner, at);
    state.set(node, false);
    for (const [inner, at] of schemasUnder(BELOW, node, place)) later.push(() => visit(inner, at));
  };

  visit(schema, "#");
  for (let next = later.pop(); next !== undefined; next = later.pop()) next();
  const nested = [...state.keys()].find((node) => node !== schema && "$id" in node);
  if (recursive !== undefined && nested !== undefined) {
    throw new TypeError(
      `at ${recursive} stands $recursiveRef, and a schema within has an $id, so that it depends on the value where it leads; allowed is $ref`,
    );
  }
}

type Target = (node: JsonSchema) => unknown;
type Placed = readonly (readonly [schema: unknown, place: string])[];

/** The schemas under some keywords. The lists of names under `dependencies` are none. */
function schemasUnder(keywords: Keywords, node: JsonSchema, place: string): Placed {
  const there = (keys: readonly string[]): readonly string[] => keys.filter((key) => node[key] !== undefined);
  const lists = there(keywords.list).flatMap((key) => {
    const value = node[key];
    if (!Array.isArray(value)) throw new TypeError(`at ${place}/${key} stands no list of schemas`);
    return value.map((schema: unknown, index) => [schema, `${place}/${key}/${index}`] as const);
  });
  const named = there(keywords.named).flatMap((key) => {
    const value = node[key];
    if (!isJsonObject(value)) throw new TypeError(`at ${place}/${key} stand no schemas by name`);
    const entries = Object.entries(value).filter(([, one]) => key !== "dependencies" || !Array.isArray(one));
    return entries.map(([name, schema]) => [schema, `${place}/${key}/${name}`] as const);
  });
  return [...there(keywords.one).map((key) => [node[key], `${place}/${key}`] as const), ...lists, ...named];
}

function referred(node: JsonSchema, place: string, target: Target): Placed {
  const keywords = ["$ref", "$recursiveRef"].filter((key) => node[key] !== undefined);
  return keywords.map((keyword) => {
    const schema = target(node);
    if (typeof node[keyword] === "string" && schema !== undefined) return [schema, `${place}/${keyword}`];
    throw new TypeError(
      `at ${place} the reference ${JSON.stringify(node[keyword])} leads nowhere in the schema, allowed are those such as "#/$defs/NAME"; nothing is fetched`,
    );
  });
}

function checkKeywords(node: JsonSchema, place: string): void {
  const { type, required, pattern, patternProperties, $dynamicRef } = node;
  const values = node["enum"];
  const refuse = (keyword: string, allowed: string): never => {
    throw new TypeError(`at ${place}/${keyword} stands ${JSON.stringify(node[keyword])}, allowed is ${allowed}`);
  };
  for (const name of Array.isArray(type) ? type : [type]) {
    if (name !== undefined && !TYPES.has(name as string)) refuse("type", [...TYPES].join(", "));
  }
  if (required !== undefined && !(Array.isArray(required) && required.every((key) => typeof key === "string"))) {
    refuse("required", "a list of field names");
  }
  if (values !== undefined && !(Array.isArray(values) && values.length > 0)) refuse("enum", "a list of values");
  for (const key of NUMBERS) if (node[key] !== undefined && !Number.isFinite(node[key])) refuse(key, "a number");
  for (const key of SIZES)
    if (node[key] !== undefined && !(Number.isInteger(node[key]) && (node[key] as number) >= 0))
      refuse(key, "a whole number from 0");
  if (node["multipleOf"] !== undefined && !((node["multipleOf"] as number) > 0))
    refuse("multipleOf", "a number above 0");
  if (node["$ref"] !== undefined && node["$recursiveRef"] !== undefined)
    refuse("$recursiveRef", "one reference, not two");
  if ($dynamicRef !== undefined) refuse("$dynamicRef", "$ref");
  for (const expression of isJsonObject(patternProperties) ? Object.keys(patternProperties) : []) {
    checkPattern(expression, `${place}/patternProperties`);
  }
  if (pattern !== undefined) checkPattern(pattern, `${place}/pattern`);
}

function checkPattern(pattern: unknown, place: string): void {
  try {
    if (typeof pattern !== "string") throw new TypeError("it is no text");
    // In Unicode mode, as the validator reads it, where `[\w-.]` is no longer forgiven.
    void new RegExp(pattern, "u");
  } catch (cause) {
    const why = (cause as Error).message;
    throw new TypeError(`at ${place} stands no regular expression in Unicode mode, ${why}`, { cause });
  }
}
