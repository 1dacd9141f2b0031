import type { MemoryHit } from "./memory-block.ts";

/** What a search found, best first. */
export interface MemoryHits extends ReadonlyArray<MemoryHit> {
  /** Why the search went by words alone, where vectors were to be searched too. */
  readonly degraded?: string;
  /** How many more blocks matched that the budget had no room for. */
  readonly omitted?: number;
}

/** Hits with what is to be said of them all; a plain array when nothing is. */
export function toHits(
  hits: readonly MemoryHit[],
  { degraded, omitted = 0 }: { readonly degraded?: string | undefined; readonly omitted?: number },
): MemoryHits {
  const array: readonly MemoryHit[] & { degraded?: string; omitted?: number } = [...hits];
  if (degraded !== undefined) array.degraded = degraded;
  if (omitted > 0) array.omitted = omitted;
  return array;
}
