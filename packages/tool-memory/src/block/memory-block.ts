/** The tiers: `core` is in every prompt, `working` and `archival` are searched. `core` and `archival` are MemGPT's names (arXiv 2310.08560). */
export const TIERS = ["core", "working", "archival"] as const;

/** The tier of a block. Writing to a block never changes its tier. */
export type Tier = (typeof TIERS)[number];

/** Every permission, from least to most freedom for the agent. */
export const PERMISSIONS = ["readonly", "familiar", "append", "readwrite"] as const;

/**
 * How the agent may change a block. A person may change every block.
 *
 * - `readonly`: the agent may change nothing.
 * - `familiar`: every change requires a person's approval. The agent proposes; a person, called the agent's familiar,
 *   approves or rejects.
 * - `append`: the agent may add a line at the end. Every other change requires a person's approval.
 * - `readwrite`: the agent may replace the text, remove the block, and move it to another label or to a tier in which the
 *   agent may create blocks.
 *
 * Texts of a source below `agent` never change, move or remove a more trusted text without approval, except for additions to
 * a block with `append`.
 */
export type Permission = (typeof PERMISSIONS)[number];

/** The permission of new blocks by tier. With `familiar`, creating a block requires approval as well. */
export type TierPermissions = { readonly [T in Tier]: Permission };

/** Core requires a person's approval, working is the agent's own, archival is append-only. */
export const DEFAULT_PERMISSIONS: TierPermissions = Object.freeze({
  core: "familiar",
  working: "readwrite",
  archival: "append",
});

/** The stricter of two permissions. */
export function stricter(a: Permission, b: Permission): Permission {
  return PERMISSIONS.indexOf(a) < PERMISSIONS.indexOf(b) ? a : b;
}

/** Every {@link Source}, most trusted first. */
export const SOURCES = ["person", "agent", "import", "tool", "web"] as const;

/**
 * The origin of a text.
 *
 * - `person`: a person wrote it.
 * - `agent`: the agent wrote it and, as far as the host knows, had read nothing less trusted.
 * - `import`: it was imported from a file.
 * - `tool`: it contains a tool's result or was written after reading one.
 * - `web`: it contains web content, which anyone may have written, or was written after reading such content.
 */
export type Source = (typeof SOURCES)[number];

/** Every {@link Trust}, lowest first. */
export const TRUST_LEVELS = ["low", "medium", "high"] as const;

/** The trust in a text: `high` if a person wrote or approved it, `medium` if the agent wrote it, otherwise `low`. */
export type Trust = (typeof TRUST_LEVELS)[number];

/** The origin of a text and the trust in it: each the lowest of all texts that went into it. */
export interface Provenance {
  /** The least trusted origin of any part of the text. A person's approval does not change it. */
  readonly source: Source;
  /** The trust in the whole text. A person's approval makes it `high`. */
  readonly trust: Trust;
}

/** The provenance of a text from a single source. */
export function toProvenance(source: Source): Provenance {
  return { source, trust: source === "person" ? "high" : source === "agent" ? "medium" : "low" };
}

/** Whether one level is below another. */
export function isBelow(trust: Trust, least: Trust): boolean {
  return TRUST_LEVELS.indexOf(trust) < TRUST_LEVELS.indexOf(least);
}

/**
 * Whether the source is too little trusted to change, move or remove a text: it is below the agent's own trust and below the
 * text's. A permission is given to the agent, not to the sources that the agent repeats.
 */
export function isOutranked(source: Source, { trust }: Provenance): boolean {
  const by = toProvenance(source).trust;
  return isBelow(by, "medium") && isBelow(by, trust);
}

/** The provenance of a text made of two: the lower of both, so that a text gains no trust by additions or rewriting. */
export function leastTrusted(a: Provenance, b: Provenance): Provenance {
  return {
    source: SOURCES.indexOf(a.source) > SOURCES.indexOf(b.source) ? a.source : b.source,
    trust: isBelow(a.trust, b.trust) ? a.trust : b.trust,
  };
}

/** The source of an agent's write: the source that its host names, except that `person` counts as `agent`. */
export function toAgentSource(source: unknown): Source {
  if (source === undefined || source === "person") return "agent";
  // An unknown source counts as the least trusted one.
  return SOURCES.find((known) => known === source) ?? "web";
}

/** The properties of a block besides its text. */
export interface BlockState extends Provenance {
  /** Unique in one owner's memory, ignoring case. Kept as it was first written. */
  readonly label: string;
  /** The tier it is kept in. */
  readonly tier: Tier;
  /** How the agent may change it. */
  readonly permission: Permission;
  /**
   * Ids of the blocks that it supersedes, sorted; left out when there are none. While this block exists, searches find those
   * blocks by their labels only, except for a block that is more trusted than this one.
   */
  readonly supersedes?: readonly string[];
  /** Since when the text is true: ISO 8601, UTC. Left out when that was not said: then since the last change. */
  readonly validFrom?: string;
}

/** A labelled text in memory. */
export interface MemoryBlock extends BlockState {
  /** Unique for ever. A block that is removed and written again gets a new id. */
  readonly id: string;
  /** The text: data, never instructions, regardless of its author. */
  readonly content: string;
  /** 1 when created, one more with every change. */
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** The parts of a hit's score. */
export interface HitExplanation {
  /** The score by words: BM25 of the block and of its best passage, and of words that the best blocks share. */
  readonly lexical: number;
  /** The highest cosine of the query and a passage, `null` when vectors were not searched or the passage has none yet. */
  readonly dense: number | null;
  /** Weights of the two scores, which are first scaled to 0 to 1 within the query. Their sum is 1. */
  readonly weights: { readonly lexical: number; readonly dense: number };
  /** Score added by neighbours in the same sequence. */
  readonly bonus: number;
  /** The reason why vectors did not count. */
  readonly missing?: string;
}

/** A block that a search found, without `supersedes`. */
export interface MemoryHit extends Omit<MemoryBlock, "supersedes"> {
  /** Relevance, 0 to 1, comparable within one answer only. Higher is better; 0 when nothing but the label matched. */
  readonly score: number;
  /** The owner of a memory in `readScopes` that it is from; left out for the owner's own. */
  readonly scope?: string;
  /** The parts of the score. */
  readonly explain?: HitExplanation;
  /** The matching passages, `content.slice(start, end)`, best first. */
  readonly passages?: readonly (readonly [start: number, end: number])[];
  /** Blocks of the same tier and trust that state the same and were left out for others; this one is the newest. Left out when there are none. */
  readonly similar?: {
    /** Their number. */
    readonly count: number;
    /** The labels of the ten that match best. */
    readonly labels: readonly string[];
  };
  /** Characters of the text that `content` leaves out to keep to `maxTokens`; `content` then holds the best passages, joined by ` […] `. */
  readonly omitted?: number;
}

/** A block in a list: everything but its text. */
export interface MemorySummary extends Omit<MemoryBlock, "content" | "createdAt" | "supersedes"> {
  /** Length of the text in Unicode code points, as PostgreSQL counts them. Named as `memory_list` prints it. */
  readonly characters: number;
  /** The first 80 characters of the text. */
  readonly preview: string;
  /** The owner of a memory in `readScopes` that it is from; left out for the owner's own. */
  readonly scope?: string;
}

/** The {@link BlockState} of a block, without the block's other properties. */
export function toState({
  label,
  tier,
  permission,
  source,
  trust,
  supersedes = [],
  validFrom,
}: Omit<BlockState, "validFrom"> & { readonly validFrom?: string | undefined }): BlockState {
  // `supersedes` and `validFrom` are left out when empty: histories of versions without the fields keep their hashes.
  return {
    label,
    tier,
    permission,
    source,
    trust,
    ...(supersedes.length > 0 && { supersedes: supersedes.toSorted() }),
    ...(validFrom !== undefined && { validFrom }),
  };
}
