import { canonicalText } from "../../json/canonical-text.ts";
import type { JsonSchema } from "../../json/json.ts";
import { accept, checkBelow, fault, type Check, type CheckOf, type Faults } from "./check.ts";

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
