import { MAX_ISSUES, type FoundIssues, type Issue } from "../../error/issue.ts";

/** Checks a value against one schema. Stops at the first fault unless `faults` is given, which then collects all. */
export type Check = (value: unknown, faults?: Faults) => boolean;

/** The faults of a value, and the place that is being checked. */
export class Faults implements FoundIssues {
  readonly path: (string | number)[] = [];
  readonly issues: Issue[] = [];
  others = 0;
}

/** Notes a fault at the current place, or at one of its fields, if faults are collected. Answers `false`. */
export function fault(faults: Faults | undefined, message: string, key?: string | number): false {
  if (faults === undefined) return false;
  if (faults.issues.length < MAX_ISSUES) {
    faults.issues.push({ path: key === undefined ? [...faults.path] : [...faults.path, key], message });
  } else faults.others += 1;
  return false;
}

/** Checks a field or an item. */
export function checkBelow(check: Check, value: unknown, key: string | number, faults: Faults | undefined): boolean {
  if (faults === undefined) return check(value);
  faults.path.push(key);
  const fits = check(value, faults);
  faults.path.pop();
  return fits;
}

/** The check of the schema `true`. */
export const accept: Check = () => true;
/** The check of the schema `false`. */
export const refuse: Check = (_, faults) => fault(faults, "expected nothing here");

/** All checks as one. */
export function all(checks: readonly Check[]): Check {
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
export type CheckOf = (node: unknown) => Check;
