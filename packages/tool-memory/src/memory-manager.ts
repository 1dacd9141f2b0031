import type { MemorySummary } from "./memory-block.ts";
import type { MemoryHits } from "./memory-hits.ts";
import type { Tier } from "./tier.ts";
import type { WriteResult } from "./write-result.ts";

/** What narrows a search. */
export interface ReadOptions {
  /** Most blocks to answer with, 1 to 50. Default 5. */
  readonly limit?: number | undefined;
  /** Search this tier alone. Default all. */
  readonly tier?: Tier | undefined;
  /**
   * Most tokens of the blocks found, as the tools print them: whole blocks while they fit, of longer ones the best
   * passages. Default none: whole blocks.
   */
  readonly budget?: number | undefined;
  /** Find blocks too that others supersede. Default false; the label of one finds it always. */
  readonly superseded?: boolean | undefined;
}

/** What the agent wants remembered. */
export interface WriteRequest {
  /** Names the block: letters and digits of any script, then also space `_` `-` `.` `:`, in parts separated by `/`. Case does not tell labels apart. */
  readonly label: string;
  /** The text: the whole of it, or for a block with permission `append` the addition. */
  readonly content: string;
  /** Tier of a new block, default `working`. For a block that exists it must be the block's own. */
  readonly tier?: Tier | undefined;
  /** Why, for the history and for the person who approves. */
  readonly reason?: string | undefined;
  /** Write only if the block has this version, 0 if it must not exist. Default: whatever it has. */
  readonly expectVersion?: number | undefined;
  /**
   * Label of another block that this one takes the place of. That block stays as it is, but is found only when it is asked
   * for. Its permission holds: `readonly` refuses, `familiar` has a person asked.
   */
  readonly supersedes?: string | undefined;
  /** Look for blocks that say nearly the same, when the write creates one. Default false. */
  readonly findSimilar?: boolean | undefined;
}

/** What narrows a list. */
export interface ListOptions {
  /** List this tier alone. Default all. */
  readonly tier?: Tier | undefined;
}

/**
 * The agent's side of a memory: all that the tools need. No method approves, changes a permission or names an owner,
 * so whoever holds a manager alone cannot do any of these.
 */
export interface MemoryManager {
  /** The blocks that match, best first. Empty when none does. */
  read(query: string, options?: ReadOptions): Promise<MemoryHits>;
  /** Writes, queues for a person, or says why not, as the block's permission has it. */
  write(request: WriteRequest): Promise<WriteResult>;
  /** Every block without its text: core, working, archival, in each the latest changed first. */
  list(options?: ListOptions): Promise<readonly MemorySummary[]>;
}
