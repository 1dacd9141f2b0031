import type { JsonSchema } from "../json/json.ts";
import { DATA_KEYWORDS, NAMED_SCHEMAS } from "./map-schemas.ts";

/** Deeper than this counts as circular. */
const MAX_DEPTH = 200;
/** More parts than this are refused: a few objects that share each other can stand for more than any memory holds. */
const MAX_PARTS = 200_000;

/**
 * A deep copy of a JSON Schema: plain data, in the keywords of draft 2020-12, and without keywords that are useless to
 * a model (`$schema`, and the bounds of safe integers that Zod writes on every `int()`).
 *
 * @param refsStandAlone Whether keywords beside a `$ref` have no effect, as before draft 2019-09: they are left out.
 * Default false.
 * @throws {TypeError} When it is no object, circular, too large, or holds values without a JSON form.
 */
export function copyJsonSchema(schema: unknown, refsStandAlone = false): JsonSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new TypeError(`a JSON Schema is an object, and this is ${nameOf(schema)}`);
  }
  return copy(schema, "schema", 0, { left: MAX_PARTS, refsStandAlone }) as JsonSchema;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

interface Budget {
  left: number;
  readonly refsStandAlone: boolean;
}

/** What stands at a place: a schema, schemas by name, or a value. */
type Content = "schema" | "named" | "value";

/** Under these keywords stand values, not schemas: they are copied as they are. */
const VALUES = new Set([...DATA_KEYWORDS, "example"]);
/** Under these keywords stand schemas by name. */
const NAMED = new Set([...NAMED_SCHEMAS, "dependencies"]);

/** Keywords allowed beside a `$ref` in any draft: annotations, and targets of other references. */
const BESIDE_REF = new Set(["$ref", "$id", "title", "description", "default", "examples", "$defs", "definitions"]);

/** Written as a loop: it runs once for each schema, before the engine has optimised anything; measured, half the time. */
function copy(value: unknown, content: Content, depth: number, budget: Budget): unknown {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    throw new TypeError(`JSON Schema cannot hold a ${typeof value}`);
  }
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  spend(keys.length, depth, budget);
  const within = content === "value" ? "value" : "schema";
  if (Array.isArray(value)) return value.map((item) => copy(item, within, depth + 1, budget));
  const copied: Record<string, unknown> = {};
  const isSchema = content === "schema";
  const isAlone = isSchema && budget.refsStandAlone && Object.hasOwn(value, "$ref");
  for (const key of keys) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined || (isSchema && saysNothing(key, inner)) || (isAlone && !BESIDE_REF.has(key))) continue;
    const below = !isSchema ? within : VALUES.has(key) ? "value" : NAMED.has(key) ? "named" : "schema";
    setOwn(copied, key, copy(inner, below, depth + 1, budget));
  }
  return isSchema && Array.isArray(copied["items"]) ? withPrefixItems(copied) : copied;
}

/** An assignment to `__proto__` would set the prototype. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function spend(parts: number, depth: number, budget: Budget): void {
  budget.left -= parts + 1;
  if (depth > MAX_DEPTH) throw new TypeError(`the schema is circular or deeper than ${MAX_DEPTH}`);
  if (budget.left < 0) throw new TypeError(`the schema has more than ${MAX_PARTS} parts`);
}

function saysNothing(keyword: string, value: unknown): boolean {
  return (
    (keyword === "$schema" && typeof value === "string") ||
    keyword === "~standard" ||
    (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)
  );
}

/** A tuple as draft 2020-12 writes it: providers refuse the older `items: […]`. */
function withPrefixItems({ items, additionalItems, ...rest }: JsonSchema): JsonSchema {
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}
