/** The tiers: `core` is in every prompt, `working` and `archival` are searched. `core` and `archival` are MemGPT's names (arXiv 2310.08560). */
export const TIERS = ["core", "working", "archival"] as const;

/** The tier of a block. Writing to a block never changes its tier. */
export type Tier = (typeof TIERS)[number];
