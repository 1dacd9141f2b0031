import type { Tier } from "./tier.ts";

/**
 * The series a block belongs to, `null` when to none: what was written one after the other and may explain one another.
 * Archival notes of one folder are one; in other tiers, blocks whose labels differ in their last number alone, such as
 * `log/turn-7` and `log/turn-8`.
 */
export function seriesOf(tier: Tier, key: string): string | null {
  const folder = key.slice(0, key.lastIndexOf("/") + 1);
  if (tier === "archival") return `archival ${folder}`;
  const numbered = /^(.*?)\p{N}+$/su.exec(key);
  return numbered === null ? null : `${tier} ${numbered[1]}#`;
}
