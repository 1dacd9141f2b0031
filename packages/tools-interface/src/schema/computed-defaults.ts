import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { mapSchemas } from "./map-schemas.ts";

const DAY_MS = 86_400_000;

/**
 * The JSON Schema without the defaults that are computed anew for each call, such as a time or a random id: their value
 * at the moment of conversion is useless to a model, and would give the tool another fingerprint in every process.
 *
 * No library marks them apart from constants. A default counts as computed if converting once more gives another, or if
 * it is the present time.
 *
 * @param convert Converts the schema once more.
 */
export function withoutComputedDefaults(schema: JsonSchema, convert: () => JsonSchema): JsonSchema {
  if (![...defaultsOf(schema).values()].some((value) => holds(value, mayBeComputed))) return schema;
  const second = defaultsOf(convert());
  return mapSchemas(schema, (node, path) => {
    const { default: value, ...others } = node;
    const isConstant = JSON.stringify(value) === JSON.stringify(second.get(path));
    return isConstant && !holds(value, isPresentTime) ? node : others;
  });
}

/** The defaults by their places. */
function defaultsOf(schema: JsonSchema): ReadonlyMap<string, unknown> {
  const defaults = new Map<string, unknown>();
  mapSchemas(schema, (node, path) => {
    if (Object.hasOwn(node, "default")) defaults.set(path, node["default"]);
    return node;
  });
  return defaults;
}

/** False for most constants, so that few schemas are converted twice. */
function mayBeComputed(leaf: unknown): boolean {
  return typeof leaf === "number" || (typeof leaf === "string" && /\d/.test(leaf));
}

function holds(value: unknown, test: (leaf: unknown) => boolean): boolean {
  const parts: readonly unknown[] = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return test(value) || parts.some((part) => holds(part, test));
}

/** Milliseconds or seconds, or a date in text, within a day of now. */
function isPresentTime(value: unknown): boolean {
  const times =
    typeof value === "number" ? [value, value * 1_000] : typeof value === "string" ? [Date.parse(value)] : [];
  return times.some((time) => Math.abs(time - Date.now()) < DAY_MS);
}
