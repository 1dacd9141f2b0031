import { isJsonObject, type JsonSchema } from "../../json/json.ts";
import { compilePattern } from "../pattern/compile-pattern.ts";
import { accept, checkBelow, fault, refuse, type Check, type CheckOf, type Faults } from "./check.ts";

type JsonObject = { readonly [key: string]: unknown };
type ObjectCheck = (value: JsonObject, faults?: Faults) => boolean;

/** Checks objects. */
export function objectKeywords(node: JsonSchema, checkOf: CheckOf): Check[] {
  const { required, minProperties, maxProperties, properties, patternProperties, additionalProperties } = node;
  const { propertyNames, dependentRequired, dependentSchemas, dependencies } = node;
  const checks: ObjectCheck[] = [];
  if (required !== undefined) checks.push(requiring(required as readonly string[]));
  if (properties !== undefined || patternProperties !== undefined || additionalProperties !== undefined) {
    checks.push(eachField(node, checkOf));
  }
  if (propertyNames !== undefined) checks.push(naming(checkOf(propertyNames)));
  if (typeof minProperties === "number") {
    const message = `expected at least ${minProperties} fields`;
    checks.push((value, faults) => Object.keys(value).length >= minProperties || fault(faults, message));
  }
  if (typeof maxProperties === "number") {
    const message = `expected at most ${maxProperties} fields`;
    checks.push((value, faults) => Object.keys(value).length <= maxProperties || fault(faults, message));
  }
  for (const rules of [dependentRequired, dependentSchemas, dependencies]) {
    for (const [key, rule] of Object.entries(rules ?? {})) checks.push(depending(key, rule, checkOf));
  }
  return checks.map((check) => (value, faults) => !isJsonObject(value) || check(value, faults));
}

function requiring(keys: readonly string[]): ObjectCheck {
  return (value, faults) => {
    let fits = true;
    for (const key of keys) if (!Object.hasOwn(value, key)) fits = fault(faults, "expected a value", key);
    return fits;
  };
}

function eachField(
  { properties = {}, patternProperties = {}, additionalProperties }: JsonSchema,
  checkOf: CheckOf,
): ObjectCheck {
  const named = new Map(Object.entries(properties as object).map(([key, node]) => [key, checkOf(node)]));
  const patterns = Object.entries(patternProperties as object).map(
    ([pattern, node]) => [compilePattern(pattern), checkOf(node)] as const,
  );
  const rest = additionalProperties === undefined ? accept : checkOf(additionalProperties);
  return (value, faults) => {
    let fits = true;
    for (const key of Object.keys(value)) {
      const check = named.get(key);
      if (check !== undefined && !checkField(check, value, key, faults)) fits = false;
      let isNamed = check !== undefined;
      for (const [matches, inner] of patterns) {
        if (!matches(key)) continue;
        isNamed = true;
        if (!checkField(inner, value, key, faults)) fits = false;
      }
      if (!isNamed && !checkField(rest, value, key, faults)) fits = false;
      if (!fits && faults === undefined) return false;
    }
    return fits;
  };
}

/** Checks a field. One that is forbidden is a fault of its object. */
export function checkField(check: Check, value: JsonObject, key: string, faults: Faults | undefined): boolean {
  return check === refuse
    ? fault(faults, `Unrecognized key: ${JSON.stringify(key)}`)
    : checkBelow(check, value[key], key, faults);
}

function naming(check: Check): ObjectCheck {
  return (value, faults) => {
    let fits = true;
    for (const key of Object.keys(value)) if (!check(key)) fits = fault(faults, "expected another field name", key);
    return fits;
  };
}

/** The requirements that the presence of a field adds to its object: other fields, or a schema. */
function depending(key: string, rule: unknown, checkOf: CheckOf): ObjectCheck {
  if (!Array.isArray(rule)) {
    const check = checkOf(rule);
    return (value, faults) => !Object.hasOwn(value, key) || check(value, faults);
  }
  return (value, faults) => {
    const missing = Object.hasOwn(value, key) ? rule.find((other: string) => !Object.hasOwn(value, other)) : undefined;
    return missing === undefined || fault(faults, `expected the field ${String(missing)} beside ${key}`);
  };
}
