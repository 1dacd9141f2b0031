import { truncate } from "../../error/describe-received.ts";
import { canonicalText } from "../../json/canonical-text.ts";
import type { JsonSchema } from "../../json/json.ts";
import { compilePattern } from "../pattern/compile-pattern.ts";
import { fault, type Check } from "./check.ts";
import { isMultipleOf } from "./multiple-of.ts";

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
