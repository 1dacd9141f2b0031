import type { MemoryHit } from "./memory-block.ts";

/** The blocks that a search found, best first. */
export interface MemoryHits extends ReadonlyArray<MemoryHit> {
  /** The reason why the search used words only, when vectors were expected. */
  readonly degraded?: string;
  /** Number of matching blocks left out to keep to `maxTokens`. */
  readonly omitted?: number;
  /** The part of the query that was searched for, when the whole was longer than `limits.queryChars`. */
  readonly searched?: string;
}

/** Adds properties to an array of hits; each only when it applies. */
export function toHits(
  hits: readonly MemoryHit[],
  {
    degraded,
    omitted = 0,
    searched,
  }: { readonly degraded?: string | undefined; readonly omitted?: number; readonly searched?: string | undefined },
): MemoryHits {
  const array: readonly MemoryHit[] & { degraded?: string; omitted?: number; searched?: string } = [...hits];
  if (degraded !== undefined) array.degraded = degraded;
  if (omitted > 0) array.omitted = omitted;
  if (searched !== undefined) array.searched = searched;
  return array;
}
