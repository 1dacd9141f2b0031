/**
 * A vector in pgvector's text format, normalized, with four digits after the point: the error is far too small to affect a
 * ranking, and the text is half as long. A vector of zeros becomes a unit vector.
 *
 * @throws Error when the vector has another length or a value that is not a finite number.
 */
export function toVectorText(vector: ArrayLike<number>, dimensions: number): string {
  if (vector.length !== dimensions) {
    throw new Error(`Cannot use a vector: it has ${vector.length} numbers, allowed are ${dimensions}`);
  }
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (vector[at] ?? 0) ** 2;
  if (!Number.isFinite(sum))
    throw new Error("Cannot use a vector: it has a value that is not finite, allowed are finite numbers");
  const length = Math.sqrt(sum);
  if (length === 0) return `[1${",0".repeat(dimensions - 1)}]`;
  return `[${Array.from({ length: dimensions }, (_, at) => Math.round(((vector[at] ?? 0) / length) * 1e4) / 1e4).join(",")}]`;
}
