/** Checks an option of a runtime that counts processes or engines. Throws a `RangeError` unless it is an integer up to 1,000. */
export function checkCount(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= 1_000) return value;
  throw new RangeError(`Cannot set ${name}: found ${String(value)}, allowed are integers from ${least} to 1000`);
}
