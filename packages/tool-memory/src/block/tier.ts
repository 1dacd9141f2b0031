/** The tiers, from what is always at hand to what is only looked up. The names are MemGPT's (arXiv 2310.08560), `core` and `archival`, with `working` between them. */
export const TIERS = ["core", "working", "archival"] as const;

/** How close to the agent a block is kept. A block never changes its tier by being written. */
export type Tier = (typeof TIERS)[number];
