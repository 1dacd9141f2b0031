import type { MemoryHit } from "./memory-block.ts";

/** The blocks that a search found, best first. */
export interface MemoryHits extends ReadonlyArray<MemoryHit> {
  /** The reason why the search used words only, when vectors were expected. */
  readonly degraded?: string;
  /** Number of matching blocks left out to keep to `maxTokens`. */
  readonly omitted?: number;
}

/** Adds `degraded` and `omitted` to an array of hits; each only when it applies. */
export function toHits(
  hits: readonly MemoryHit[],
  { degraded, omitted = 0 }: { readonly degraded?: string | undefined; readonly omitted?: number },
): MemoryHits {
  const array: readonly MemoryHit[] & { degraded?: string; omitted?: number } = [...hits];
  if (degraded !== undefined) array.degraded = degraded;
  if (omitted > 0) array.omitted = omitted;
  return array;
}
