import type { JsonSchema } from "../../json/json.ts";
import { accept, fault, type Check, type CheckOf } from "./check.ts";

/** Checks the keywords whose schemas are of the same value. A union is one fault, however many its branches have. */
export function inPlaceKeywords(node: JsonSchema, checkOf: CheckOf): Check[] {
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
