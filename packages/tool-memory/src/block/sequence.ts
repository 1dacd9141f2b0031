import type { Tier } from "./tier.ts";

/**
 * The sequence that a block belongs to, `null` for none. Blocks of a sequence were written one after the other and may
 * explain each other, so the ranking lifts a block next to a good hit. Archival notes whose labels share a path form a
 * sequence (`log/…`); in other tiers, blocks whose labels differ only in their last number (`log/turn-7`, `log/turn-8`).
 */
export function sequenceOf(tier: Tier, key: string): string | null {
  const path = key.slice(0, key.lastIndexOf("/") + 1);
  if (tier === "archival") return `archival ${path}`;
  const numbered = /^(.*?)\p{N}+$/su.exec(key);
  return numbered === null ? null : `${tier} ${numbered[1]}#`;
}
