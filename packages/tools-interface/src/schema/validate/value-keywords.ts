import { truncate } from "../../error/describe-received.ts";
import { canonicalText } from "../../json/canonical-text.ts";
import type { JsonSchema } from "../../json/json.ts";
import { compilePattern } from "../pattern/compile-pattern.ts";
import { accept, type Check, checkBelow, type CheckOf, fault, type Faults } from "./check.ts";

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

/** Checks `type`, `enum` and `const`. */
export function valueKeywords(node: JsonSchema): Check[] {
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

/** Checks numbers. */
export function numberKeywords(node: JsonSchema): Check[] {
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

/** Checks texts. */
export function textKeywords(node: JsonSchema, isFormat: (format: string, text: string) => boolean): Check[] {
  const { minLength, maxLength, pattern, format } = node;
  const checks: Check[] = [];
  const add = (message: string, holds: (text: string) => boolean): void => {
    checks.push((value, faults) => typeof value !== "string" || holds(value) || fault(faults, message));
  };
  if (typeof minLength === "number") {
    add(
      `expected at least ${minLength} characters`,
      (text) => text.length >= minLength && characters(text) >= minLength,
    );
  }
  if (typeof maxLength === "number") {
    add(
      `expected at most ${maxLength} characters`,
      (text) => text.length <= maxLength || characters(text) <= maxLength,
    );
  }
  if (typeof pattern === "string") {
    add(`expected text that matches ${truncate(pattern, 100)}`, compilePattern(pattern));
  }
  if (typeof format === "string")
    add(`expected text in the format ${truncate(format, 60)}`, (text) => isFormat(format, text));
  return checks;
}

/** The length of a text as JSON Schema counts it: a pair of surrogates is one character. */
function characters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.codePointAt(index) as number) > 0xff_ff) index += 1;
    count += 1;
  }
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

/** Checks arrays. */
export function arrayKeywords(node: JsonSchema, checkOf: CheckOf): Check[] {
  const { minItems, maxItems, uniqueItems, prefixItems, items, contains } = node;
  const checks: ArrayCheck[] = [];
  if (typeof minItems === "number") {
    checks.push(({ length }, faults) => length >= minItems || fault(faults, `expected at least ${minItems} items`));
  }
  if (typeof maxItems === "number") {
    checks.push(({ length }, faults) => length <= maxItems || fault(faults, `expected at most ${maxItems} items`));
  }
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
