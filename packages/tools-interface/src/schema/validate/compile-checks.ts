import { truncate } from "../../error/describe-received.ts";
import { type FoundIssues, type Issue, MAX_ISSUES } from "../../error/issue.ts";
import { canonicalText, isJsonObject, type JsonSchema } from "../../json/json.ts";
import { compilePattern } from "../pattern/compile-pattern.ts";

/** A schema document, checked by `checkRawJsonSchema`. */
export interface SchemaDocument {
  /** The schema that a node's `$ref` or `$recursiveRef` leads to. */
  readonly target: (node: JsonSchema) => unknown;
  /** Whether it is of draft 2020-12, in which items that `contains` matched count as evaluated, not an earlier one. */
  readonly isLatest: boolean;
  /** Whether a text is in a format. Every text is in one that nobody knows. */
  readonly isFormat: (format: string, text: string) => boolean;
}

/** References to schemas that no keyword leads to: definitions, and the whole. */
const ONLY_REFERRED = /^#$|\/(?:\$defs|definitions)\/[^/]+$/;

/**
 * Makes a check of a JSON Schema out of functions, once, so that nothing of it is read again for a value. No code is
 * generated, which many hosts forbid.
 */
export function compileChecks(schema: JsonSchema, document: SchemaDocument): Check {
  const { target, isFormat } = document;
  const made = new Map<unknown, Check>();
  const shared = new SharedChecks();
  // These keywords check the branches of a union once more.
  const looksTwice = JSON.stringify(schema).includes('"unevaluated');
  const referred = (node: JsonSchema): Check => {
    const to = target(node);
    return shared.of(to, checkOf(to), ONLY_REFERRED.test(String(node["$ref"])));
  };
  const checkOf: CheckOf = (node) => {
    if (typeof node === "boolean") return node ? accept : refuse;
    const known = made.get(node);
    if (known !== undefined) return known;
    let own: Check = accept;
    // A schema that refers to itself finds this one while its own is being made.
    made.set(node, (value, faults) => own(value, faults));
    own = make(node as JsonSchema);
    const check = looksTwice ? shared.of(node, own, false) : own;
    made.set(node, check);
    return check;
  };
  const make = (node: JsonSchema): Check =>
    all([
      ...boundKeywords(node),
      ...textKeywords(node, isFormat),
      ...arrayKeywords(node, checkOf),
      ...objectKeywords(node, checkOf),
      ...(node["$ref"] === undefined && node["$recursiveRef"] === undefined ? [] : [referred(node)]),
      ...inPlaceKeywords(node, checkOf),
      ...unevaluatedKeywords(node, checkOf, document),
    ]);
  return shared.whole(checkOf(schema));
}

/** Checks the keywords whose schemas are of the same value. A union is one fault, however many its branches have. */
function inPlaceKeywords(node: JsonSchema, checkOf: CheckOf): Check[] {
  const { not, if: condition, then, else: otherwise } = node;
  const listed = (key: string): readonly Check[] => ((node[key] ?? []) as readonly unknown[]).map(checkOf);
  const checks: Check[] = [...listed("allOf")];
  const any = listed("anyOf");
  const exactlyOne = listed("oneOf");
  if (any.length > 0) {
    const message = `expected a value of one of ${any.length} kinds`;
    checks.push((value, faults) => any.some((check) => check(value)) || fault(faults, message));
  }
  if (exactlyOne.length > 0) {
    checks.push((value, faults) => {
      const count = exactlyOne.reduce((found, check) => found + (check(value) ? 1 : 0), 0);
      return (
        count === 1 || fault(faults, `expected a value of exactly one of ${exactlyOne.length} kinds, it is of ${count}`)
      );
    });
  }
  if (not !== undefined) {
    const check = checkOf(not);
    checks.push((value, faults) => !check(value) || fault(faults, `expected a value that does not fit "not"`));
  }
  if (condition !== undefined) {
    const [test, yes, no] = [condition, then, otherwise].map((one) => (one === undefined ? accept : checkOf(one)));
    checks.push((value, faults) => ((test as Check)(value) ? (yes as Check) : (no as Check))(value, faults));
  }
  return checks;
}

type JsonObject = { readonly [key: string]: unknown };
type ObjectCheck = (value: JsonObject, faults?: Faults) => boolean;

function objectKeywords(node: JsonSchema, checkOf: CheckOf): Check[] {
  const { required, properties, patternProperties, additionalProperties } = node;
  const { propertyNames, dependentRequired, dependentSchemas, dependencies } = node;
  const checks: ObjectCheck[] = [];
  if (required !== undefined) checks.push(requiring(required as readonly string[]));
  if (properties !== undefined || patternProperties !== undefined || additionalProperties !== undefined) {
    checks.push(eachField(node, checkOf));
  }
  if (propertyNames !== undefined) checks.push(naming(checkOf(propertyNames)));
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
function checkField(check: Check, value: JsonObject, key: string, faults: Faults | undefined): boolean {
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

/** Whether a value is of a type of JSON Schema. */
const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Checks the keywords that need no other schema, `pattern` and `format` aside. */
function boundKeywords(node: JsonSchema): Check[] {
  return [...valueKeywords(node), ...sizeKeywords(node), ...numberKeywords(node)];
}

export function boundsCheck(node: JsonSchema): Check {
  return all(boundKeywords(node));
}

/** Checks `type`, `enum` and `const`. */
function valueKeywords(node: JsonSchema): Check[] {
  const { type } = node;
  const checks: Check[] = [];
  if (type !== undefined) {
    const names = (Array.isArray(type) ? type : [type]) as readonly string[];
    const tests = names.map((name) => TYPES[name] as (value: unknown) => boolean);
    const [first] = tests;
    const message = `expected ${names.join(" or ")}`;
    const fits = tests.length === 1 && first !== undefined ? first : (value: unknown) => tests.some((is) => is(value));
    checks.push((value, faults) => fits(value) || fault(faults, message));
  }
  if (node["enum"] !== undefined) checks.push(oneOfValues(node["enum"] as readonly unknown[]));
  if (Object.hasOwn(node, "const")) checks.push(oneOfValues([node["const"]]));
  return checks;
}

function oneOfValues(values: readonly unknown[]): Check {
  const isNested = (value: unknown): boolean => typeof value === "object" && value !== null;
  const plain = new Set(values.filter((value) => !isNested(value)));
  const nested = new Set(values.filter(isNested).map(canonicalText));
  const message = truncate(`expected ${values.map((value) => JSON.stringify(value)).join(" or ")}`, 200);
  return (value, faults) =>
    plain.has(value) ||
    (nested.size > 0 && isNested(value) && nested.has(canonicalText(value))) ||
    fault(faults, message);
}

function numberKeywords(node: JsonSchema): Check[] {
  const checks: Check[] = [];
  const add = (keyword: string, words: string, holds: (value: number, limit: number) => boolean): void => {
    const limit = node[keyword];
    if (typeof limit !== "number") return;
    const message = `expected ${words} ${limit}`;
    checks.push((value, faults) => typeof value !== "number" || holds(value, limit) || fault(faults, message));
  };
  add("minimum", "a number from", (value, limit) => value >= limit);
  add("maximum", "a number up to", (value, limit) => value <= limit);
  add("exclusiveMinimum", "a number above", (value, limit) => value > limit);
  add("exclusiveMaximum", "a number below", (value, limit) => value < limit);
  add("multipleOf", "a multiple of", isMultipleOf);
  return checks;
}

function textKeywords(node: JsonSchema, isFormat: (format: string, text: string) => boolean): Check[] {
  const { pattern, format } = node;
  const checks: Check[] = [];
  const add = (message: string, holds: (text: string) => boolean): void => {
    checks.push((value, faults) => typeof value !== "string" || holds(value) || fault(faults, message));
  };
  if (typeof pattern === "string") {
    add(`expected text that matches ${truncate(pattern, 100)}`, compilePattern(pattern));
  }
  if (typeof format === "string")
    add(`expected text in the format ${truncate(format, 60)}`, (text) => isFormat(format, text));
  return checks;
}

/** The size of a value that has one, by the keywords for it. */
const SIZES: readonly (readonly [keyword: string, unit: string, sizeOf: (value: unknown) => number | undefined])[] = [
  ["Length", "characters", (value) => (typeof value === "string" ? characters(value) : undefined)],
  ["Items", "items", (value) => (Array.isArray(value) ? value.length : undefined)],
  ["Properties", "fields", (value) => (isJsonObject(value) ? Object.keys(value).length : undefined)],
];

function sizeKeywords(node: JsonSchema): Check[] {
  const checks: Check[] = [];
  for (const [keyword, unit, sizeOf] of SIZES) {
    const add = (limit: unknown, words: string, holds: (size: number, limit: number) => boolean): void => {
      if (typeof limit !== "number") return;
      const message = `expected ${words} ${limit} ${unit}`;
      checks.push((value, faults) => {
        const size = sizeOf(value);
        return size === undefined || holds(size, limit) || fault(faults, message);
      });
    };
    add(node[`min${keyword}`], "at least", (size, limit) => size >= limit);
    add(node[`max${keyword}`], "at most", (size, limit) => size <= limit);
  }
  return checks;
}

/** The length of a text as JSON Schema counts it: a pair of surrogates is one character. */
function characters(text: string): number {
  if (!/[\uD800-\uDBFF]/.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a number is a multiple of another, as they are written in decimal: 0.3 is one of 0.1. */
function isMultipleOf(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimal(value);
  const [stepDigits, stepExponent] = decimal(step);
  const least = Math.min(exponent, stepExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (stepDigits * 10n ** BigInt(stepExponent - least)) === 0n;
}

/** A number as whole digits times a power of ten. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

type ArrayCheck = (items: readonly unknown[], faults?: Faults) => boolean;

function arrayKeywords(node: JsonSchema, checkOf: CheckOf): Check[] {
  const { uniqueItems, prefixItems, items, contains } = node;
  const checks: ArrayCheck[] = [];
  if (prefixItems !== undefined || items !== undefined) {
    const first = ((prefixItems ?? []) as readonly unknown[]).map(checkOf);
    checks.push(eachItem(first, items === undefined ? accept : checkOf(items)));
  }
  if (contains !== undefined) checks.push(containing(node, checkOf(contains)));
  if (uniqueItems === true) checks.push(areUnique);
  return checks.map((check) => (value, faults) => !Array.isArray(value) || check(value, faults));
}

function eachItem(first: readonly Check[], rest: Check): ArrayCheck {
  return (items, faults) => {
    let fits = true;
    const length = rest === accept ? Math.min(first.length, items.length) : items.length;
    for (let index = 0; index < length; index += 1) {
      if (checkBelow(first[index] ?? rest, items[index], index, faults)) continue;
      if (faults === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

function containing({ minContains = 1, maxContains = Infinity }: JsonSchema, check: Check): ArrayCheck {
  const [min, max] = [minContains as number, maxContains as number];
  const range = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
  return (items, faults) => {
    const count = items.reduce<number>((found, item) => found + (check(item) ? 1 : 0), 0);
    return (count >= min && count <= max) || fault(faults, `expected ${range} items as "contains" says, ${count} are`);
  };
}

function areUnique(items: readonly unknown[], faults: Faults | undefined): boolean {
  const known = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    // Nested values by a text that no item is likely to be, and that is no harm where one is.
    const key = typeof item === "object" && item !== null ? `\0${canonicalText(item)}` : item;
    const earlier = known.get(key);
    if (earlier !== undefined) return fault(faults, `expected items that differ, ${earlier} and ${index} are the same`);
    known.set(key, index);
  }
  return true;
}

/** Checks `unevaluatedProperties` and `unevaluatedItems`: the fields and items that no other keyword has looked at. */
function unevaluatedKeywords(node: JsonSchema, checkOf: CheckOf, document: SchemaDocument): Check[] {
  const { unevaluatedProperties, unevaluatedItems } = node;
  const checks: Check[] = [];
  if (unevaluatedProperties !== undefined) {
    const check = checkOf(unevaluatedProperties);
    checks.push((value, faults) => {
      if (!isJsonObject(value)) return true;
      const others = unevaluated(node, value, checkOf, document);
      return others.filter((key) => !checkField(check, value, key, faults)).length === 0;
    });
  }
  if (unevaluatedItems !== undefined) {
    const check = checkOf(unevaluatedItems);
    checks.push((value, faults) => {
      if (!Array.isArray(value)) return true;
      const others = unevaluated(node, value, checkOf, document).map(Number);
      return others.filter((index) => !checkBelow(check, value[index], index, faults)).length === 0;
    });
  }
  return checks;
}

function unevaluated(node: JsonSchema, value: object, checkOf: CheckOf, document: SchemaDocument): readonly string[] {
  const known = new Set<string>();
  evaluate(node, value, { known, seen: new Set(), checkOf, document }, true);
  return Object.keys(value).filter((key) => !known.has(key));
}

/** The keys that are evaluated, and the schemas that were looked at: several references may lead to one. */
interface Evaluated {
  readonly known: Set<string>;
  readonly seen: Set<unknown>;
  readonly checkOf: CheckOf;
  readonly document: SchemaDocument;
}

/**
 * Adds the keys of the fields or items that the keywords of a schema look at. The value fits the schema, or a fault has been
 * found.
 */
function evaluate(node: unknown, value: object, found: Evaluated, isOutermost = false): void {
  const { known, seen, checkOf, document } = found;
  if (!isJsonObject(node) || seen.has(node)) return;
  seen.add(node);
  const keys = Object.keys(value);
  const add = (isKnown: (key: string) => boolean): void => keys.filter(isKnown).forEach((key) => known.add(key));
  const into = (inner: unknown): void => evaluate(inner, value, found);
  const listed = (keyword: string): readonly unknown[] => (node[keyword] ?? []) as readonly unknown[];
  const entries = (keyword: string): readonly [string, unknown][] => Object.entries(node[keyword] ?? {});
  if (Array.isArray(value)) {
    const { prefixItems = [], items, unevaluatedItems, contains } = node;
    if (items !== undefined || (unevaluatedItems !== undefined && !isOutermost)) add(() => true);
    else add((key) => Number(key) < (prefixItems as readonly unknown[]).length);
    if (contains !== undefined && document.isLatest) add((key) => checkOf(contains)(value[Number(key)]));
  } else {
    const { properties = {}, additionalProperties, unevaluatedProperties } = node;
    if (additionalProperties !== undefined || (unevaluatedProperties !== undefined && !isOutermost)) add(() => true);
    add((key) => Object.hasOwn(properties as object, key));
    for (const [pattern] of entries("patternProperties")) add(compilePattern(pattern));
    for (const [key, rule] of [...entries("dependentSchemas"), ...entries("dependencies")]) {
      if (Object.hasOwn(value, key)) into(rule);
    }
  }
  if (node["$ref"] !== undefined || node["$recursiveRef"] !== undefined) into(document.target(node));
  listed("allOf").forEach(into);
  for (const branch of [...listed("anyOf"), ...listed("oneOf")]) if (checkOf(branch)(value)) into(branch);
  if (node["if"] === undefined) return;
  if (!checkOf(node["if"])(value)) return into(node["else"]);
  into(node["if"]);
  into(node["then"]);
}

/** What one validation has found of a schema: whether a value fits, and the places of its faults. */
interface Found {
  readonly fits: Map<unknown, boolean>;
  readonly told: Map<unknown, Set<string>>;
}

/**
 * Checks of schemas to which references lead. Where several ways lead to any of them, each is done once for a value in one
 * validation: in a schema whose unions lead twice to the next one, and so on, the checks of one value would double with each
 * step.
 */
class SharedChecks {
  readonly #shared = new Map<unknown, Check>();
  #areNeeded = false;
  #found: Map<Check, Found> | undefined;

  /**
   * The check of a schema, for one way that leads to it.
   *
   * @param isOnlyWay - Whether no other way is known yet.
   */
  of(node: unknown, own: Check, isOnlyWay: boolean): Check {
    const known = this.#shared.get(node);
    this.#areNeeded ||= known !== undefined || !isOnlyWay;
    if (known !== undefined) return known;
    const check: Check = (value, faults) => {
      const found = this.#foundOf(check);
      if (found === undefined) return own(value, faults);
      let fits = found.fits.get(value);
      if (fits === undefined) found.fits.set(value, (fits = own(value)));
      if (fits || faults === undefined) return fits;
      const place = JSON.stringify(faults.path);
      const places = found.told.get(value) ?? new Set();
      if (places.has(place)) return false;
      found.told.set(value, places.add(place));
      return own(value, faults);
    };
    this.#shared.set(node, check);
    return check;
  }

  whole(check: Check): Check {
    if (!this.#areNeeded) return check;
    return (value, faults) => {
      // A value may validate another one when a field of it is read.
      const before = this.#found;
      this.#found = new Map();
      try {
        return check(value, faults);
      } finally {
        this.#found = before;
      }
    };
  }

  #foundOf(check: Check): Found | undefined {
    if (this.#found === undefined) return undefined;
    const found = this.#found.get(check) ?? { fits: new Map(), told: new Map() };
    this.#found.set(check, found);
    return found;
  }
}

/** Checks a value against one schema. Stops at the first fault unless `faults` is given, which then collects all. */
export type Check = (value: unknown, faults?: Faults) => boolean;

/** The faults of a value, and the place that is being checked. */
export class Faults implements FoundIssues {
  readonly path: (string | number)[] = [];
  readonly issues: Issue[] = [];
  others = 0;
}

/** Notes a fault at the current place, or at one of its fields, if faults are collected. Answers `false`. */
function fault(faults: Faults | undefined, message: string, key?: string | number): false {
  if (faults === undefined) return false;
  if (faults.issues.length < MAX_ISSUES) {
    faults.issues.push({ path: key === undefined ? [...faults.path] : [...faults.path, key], message });
  } else faults.others += 1;
  return false;
}

/** Checks a field or an item. */
function checkBelow(check: Check, value: unknown, key: string | number, faults: Faults | undefined): boolean {
  if (faults === undefined) return check(value);
  faults.path.push(key);
  const fits = check(value, faults);
  faults.path.pop();
  return fits;
}

/** The check of the schema `true`. */
const accept: Check = () => true;
/** The check of the schema `false`. */
const refuse: Check = (_, faults) => fault(faults, "expected nothing here");

function all(checks: readonly Check[]): Check {
  const [first = accept, ...others] = checks;
  if (others.length === 0) return first;
  return (value, faults) => {
    let fits = true;
    for (const check of checks) {
      if (check(value, faults)) continue;
      if (faults === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

/** Makes the check of a schema that stands within another. */
type CheckOf = (node: unknown) => Check;
