import { isJsonObject, type JsonSchema } from "../../json/json.ts";
import { compilePattern } from "../pattern/compile-pattern.ts";
import { checkBelow, type Check, type CheckOf } from "./check.ts";
import { checkField } from "./object-keywords.ts";

/** The parts of a whole schema that `unevaluated…` keywords need. */
export interface Whole {
  readonly checkOf: CheckOf;
  /** The schema that a reference leads to. */
  readonly target: (node: JsonSchema) => unknown;
  /** Whether items that `contains` matched count as evaluated, as since draft 2020-12. */
  readonly countsContained: boolean;
}

/** Checks `unevaluatedProperties` and `unevaluatedItems`: the fields and items that no other keyword has looked at. */
export function unevaluatedKeywords(node: JsonSchema, whole: Whole): Check[] {
  const { unevaluatedProperties, unevaluatedItems } = node;
  const checks: Check[] = [];
  if (unevaluatedProperties !== undefined) {
    const check = whole.checkOf(unevaluatedProperties);
    checks.push((value, faults) => {
      if (!isJsonObject(value)) return true;
      const others = unevaluated(node, value, whole);
      return others.filter((key) => !checkField(check, value, key, faults)).length === 0;
    });
  }
  if (unevaluatedItems !== undefined) {
    const check = whole.checkOf(unevaluatedItems);
    checks.push((value, faults) => {
      if (!Array.isArray(value)) return true;
      const others = unevaluated(node, value, whole).map(Number);
      return others.filter((index) => !checkBelow(check, value[index], index, faults)).length === 0;
    });
  }
  return checks;
}

function unevaluated(node: JsonSchema, value: object, whole: Whole): readonly string[] {
  const known = new Set<string>();
  evaluate(node, value, { known, seen: new Set() }, whole, true);
  return Object.keys(value).filter((key) => !known.has(key));
}

/** The keys that are evaluated, and the schemas that were looked at: several references may lead to one. */
interface Evaluated {
  readonly known: Set<string>;
  readonly seen: Set<unknown>;
}

/**
 * Adds the keys of the fields or items that the keywords of a schema look at. The value fits the schema, or a fault has been
 * found.
 */
function evaluate(node: unknown, value: object, found: Evaluated, whole: Whole, isOutermost = false): void {
  const { known, seen } = found;
  if (!isJsonObject(node) || seen.has(node)) return;
  seen.add(node);
  const { checkOf, target, countsContained } = whole;
  const keys = Object.keys(value);
  const add = (isKnown: (key: string) => boolean): void => keys.filter(isKnown).forEach((key) => known.add(key));
  const into = (inner: unknown): void => evaluate(inner, value, found, whole);
  const listed = (keyword: string): readonly unknown[] => (node[keyword] ?? []) as readonly unknown[];
  const entries = (keyword: string): readonly [string, unknown][] => Object.entries(node[keyword] ?? {});
  if (Array.isArray(value)) {
    const { prefixItems = [], items, unevaluatedItems, contains } = node;
    if (items !== undefined || (unevaluatedItems !== undefined && !isOutermost)) add(() => true);
    else add((key) => Number(key) < (prefixItems as readonly unknown[]).length);
    if (contains !== undefined && countsContained) add((key) => checkOf(contains)(value[Number(key)]));
  } else {
    const { properties = {}, additionalProperties, unevaluatedProperties } = node;
    if (additionalProperties !== undefined || (unevaluatedProperties !== undefined && !isOutermost)) add(() => true);
    add((key) => Object.hasOwn(properties as object, key));
    for (const [pattern] of entries("patternProperties")) add(compilePattern(pattern));
    for (const [key, rule] of [...entries("dependentSchemas"), ...entries("dependencies")]) {
      if (Object.hasOwn(value, key)) into(rule);
    }
  }
  if (node["$ref"] !== undefined || node["$recursiveRef"] !== undefined) into(target(node));
  listed("allOf").forEach(into);
  for (const branch of [...listed("anyOf"), ...listed("oneOf")]) if (checkOf(branch)(value)) into(branch);
  if (node["if"] === undefined) return;
  if (!checkOf(node["if"])(value)) return into(node["else"]);
  into(node["if"]);
  into(node["then"]);
}
