import type { UnitVector } from "../database/candidate.ts";

/** A vector in pgvector's text format. */
export function toVectorText(vector: UnitVector): string {
  return `[${Array.from(vector, (value) => value / 10_000).join(",")}]`;
}
