/**
 * A vector as pgvector reads it. Four digits after the point: an error far below what any ranking rests on, and half the
 * text to send and to parse.
 *
 * @throws Error when it has another length, holds what is no finite number, or nothing but zeros.
 */
export function toVectorText(vector: ArrayLike<number>, dimensions: number): string {
  if (vector.length !== dimensions) {
    throw new Error(`Cannot use a vector: it has ${vector.length} numbers, allowed are ${dimensions}`);
  }
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (vector[at] ?? 0) ** 2;
  if (!Number.isFinite(sum))
    throw new Error("Cannot use a vector: it holds what is no number, allowed are finite numbers");
  const length = Math.sqrt(sum);
  if (length === 0) return `[1${",0".repeat(dimensions - 1)}]`;
  return `[${Array.from({ length: dimensions }, (_, at) => Math.round(((vector[at] ?? 0) / length) * 1e4) / 1e4).join(",")}]`;
}
