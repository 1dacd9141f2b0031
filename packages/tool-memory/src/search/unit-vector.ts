import type { UnitVector } from "../database/candidate.ts";

/**
 * Scales a vector to length 1. Four digits after the point: the error is far too small to affect a ranking. A vector of
 * zeros becomes a unit vector.
 *
 * @throws Error when the vector has another length or a value that is not a finite number.
 */
export function toUnitVector(vector: ArrayLike<number>, dimensions: number): UnitVector {
  if (vector.length !== dimensions) {
    throw new Error(`Cannot use a vector: it has ${vector.length} numbers, allowed are ${dimensions}`);
  }
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (vector[at] ?? 0) ** 2;
  if (!Number.isFinite(sum))
    throw new Error("Cannot use a vector: it has a value that is not finite, allowed are finite numbers");
  const length = Math.sqrt(sum);
  if (length === 0) return Int16Array.from({ length: dimensions }, (_, at) => (at === 0 ? 10_000 : 0));
  return Int16Array.from({ length: dimensions }, (_, at) => Math.round(((vector[at] ?? 0) / length) * 10_000));
}
