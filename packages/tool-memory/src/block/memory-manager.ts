import type { Refusal } from "../text/refusal.ts";
import type { MemoryBlock, MemorySummary, Source, Tier, MemoryHit, Provenance } from "./memory-block.ts";
import type { Splice } from "./memory-event.ts";
import type { PendingMutation } from "./mutation.ts";

/** Options of a search. */
export interface SearchOptions {
  /** Maximum number of blocks, 1 to 50. Default 5. */
  readonly limit?: number | undefined;
  /** Search only this tier. Default all. */
  readonly tier?: Tier | undefined;
  /**
   * Maximum number of tokens of the hits, as the tools print them. Blocks are whole while they fit; longer ones are cut to
   * their best passages. Default: no maximum, whole blocks.
   */
  readonly maxTokens?: number | undefined;
  /** Search only blocks changed at this time or later: ISO 8601, such as `2026-01-31`. Default: any. */
  readonly since?: string | undefined;
  /** Search only blocks changed before this time: ISO 8601. Default: any. */
  readonly before?: string | undefined;
  /** Search only blocks whose labels begin so, in any case, such as `log/monday/`. Default: any. */
  readonly labelPrefix?: string | undefined;
  /** Search only blocks from this source. Default: any. */
  readonly source?: Source | undefined;
  /** Also find superseded blocks. Default false. A query that is the label of a superseded block always finds it. */
  readonly superseded?: boolean | undefined;
}

/** Options of every change by the agent. */
export interface ChangeOptions {
  /** The reason, for the history and for the person who approves. */
  readonly reason?: string | undefined;
  /** Change only a block of this version; 0: only if the block does not exist. Default: any version. */
  readonly expectVersion?: number | undefined;
  /**
   * The source of the text, as the host knows it. A source less trusted than `agent` marks the text and keeps it out of core
   * until a person approves. `person` counts as `agent`: the agent cannot write in a person's name. Default: the `source`
   * that the memory was opened with.
   */
  readonly source?: Source | undefined;
}

/** A text for the agent's memory. */
export interface WriteRequest extends ChangeOptions {
  /** Names the block: letters and digits of any script, then also space `_` `-` `.` `:`, in parts separated by `/`. Labels that differ only in case are the same. */
  readonly label: string;
  /** The whole text; for a block with permission `append`, the addition only. */
  readonly content: string;
  /** Tier of a new block, default `working`. For an existing block it must be the block's own tier. */
  readonly tier?: Tier | undefined;
  /**
   * Label of another block that this one supersedes. That block is kept unchanged but found only on request. Hiding counts as
   * removing: `readonly` refuses; every permission but `readwrite`, and a block more trusted than this text, requires a
   * person's approval.
   */
  readonly supersedes?: string | undefined;
  /**
   * Since when the text is true: ISO 8601, such as `2026-01-31`. Searches order changing facts by it. Default: since this write; an
   * addition to a block leaves the block's time as it is.
   */
  readonly validFrom?: string | undefined;
  /** After creating a block, also search for blocks that say nearly the same or are about the same subject. Default false. */
  readonly findSimilar?: boolean | undefined;
}

/** A change of a part of a text: at `offset`, `before` is replaced by `after`. */
export interface EditRequest extends ChangeOptions, Splice {
  /** Names the block. */
  readonly label: string;
}

/** A move of a block to another label, another tier, or both. */
export interface MoveRequest extends ChangeOptions {
  /** Names the block. */
  readonly label: string;
  /** The new label, which no other block may have. Default: the present one. */
  readonly newLabel?: string | undefined;
  /** The new tier. The block's permission there is at most that of a new block. Default: the present one. */
  readonly tier?: Tier | undefined;
}

/** The removal of a block. A person can restore it. */
export interface RemoveRequest extends ChangeOptions {
  /** Names the block. */
  readonly label: string;
}

/** Options of a list. */
export interface ListOptions {
  /** List only this tier. Default all. */
  readonly tier?: Tier | undefined;
}

/**
 * The agent's side of a memory: everything the tools need. No method approves, changes a permission, raises trust or names
 * an owner, so code that holds only a manager cannot do these things.
 */
export interface MemoryManager {
  /** The blocks that match a query, best first. */
  search(query: string, options?: SearchOptions): Promise<MemoryHits>;
  /** One block with its whole text, `null` when no block has the label. */
  get(label: string): Promise<MemoryBlock | null>;
  /** Writes, queues a proposal for a person, or refuses, according to the block's permission. */
  write(request: WriteRequest): Promise<WriteResult>;
  /** Changes a part of a text by the same rules. With `append`, a change other than an addition at the end is queued. */
  edit(request: EditRequest): Promise<WriteResult>;
  /** Moves a block to another label or tier: directly with `readwrite` into a tier that allows new blocks, otherwise queued. */
  move(request: MoveRequest): Promise<WriteResult>;
  /** Removes a block: directly with `readwrite`, otherwise queued. An applied result holds the block as it was. */
  remove(request: RemoveRequest): Promise<WriteResult>;
  /** Every block without its text, in the order core, working, archival; within a tier the latest changed first. */
  list(options?: ListOptions): Promise<readonly MemorySummary[]>;
}

/** The blocks that a search found, best first. */
export interface MemoryHits extends ReadonlyArray<MemoryHit> {
  /** The reason why the search used words only, when vectors were expected. */
  readonly degraded?: string;
  /** Number of matching blocks left out to keep to `maxTokens`. */
  readonly omitted?: number;
  /** The part of the query that was searched for, when the whole was longer than `limits.queryChars`. */
  readonly searched?: string;
}

/** The block has changed since it was read. Nothing was written. */
export interface Conflict {
  /** Discriminates the outcomes. */
  readonly outcome: "conflict";
  /** The present block, `null` when there is none. */
  readonly current: MemoryBlock | null;
  /** The text that was not written. */
  readonly proposed: string;
  /** Set when a proposal conflicts by the block that it would supersede: that block now, `null` when there is none. */
  readonly superseded?: MemoryBlock | null;
  /** States the expected version, the found one and the next step. */
  readonly reason: string;
}

/** The change is stored. */
export interface Applied {
  /** Discriminates the outcomes. */
  readonly outcome: "applied";
  /** The present block; for a removal, the block as it was. Its version is unchanged when there was nothing to change. */
  readonly block: MemoryBlock;
  /** Blocks that say nearly the same, or are about the same subject, most alike first, if the request asked for them. */
  readonly similar?: readonly SimilarBlock[];
}

/** A block whose text is nearly equal to another's, or that is about the same subject. */
export interface SimilarBlock extends Provenance {
  /** Its label. */
  readonly label: string;
  /** Similarity, 0 to 1; 1 for equal texts. */
  readonly likeness: number;
  /** The beginning of its text. */
  readonly preview: string;
}

/** The change requires a person's approval. Nothing was changed yet. */
export interface Queued {
  /** Discriminates the outcomes. */
  readonly outcome: "queued";
  /** The queued proposal. Equal proposals share one entry. */
  readonly mutation: PendingMutation;
}

/** The outcome of a write. */
export type WriteResult = Applied | Queued | Refusal | Conflict;
