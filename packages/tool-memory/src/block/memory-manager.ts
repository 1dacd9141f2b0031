import type { MemoryBlock, MemorySummary } from "./memory-block.ts";
import type { Splice } from "./memory-event.ts";
import type { MemoryHits } from "./memory-hits.ts";
import type { Source } from "./provenance.ts";
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

/** What every change by the agent may say. */
export interface ChangeOptions {
  /** Why, for the history and for the person who approves. */
  readonly reason?: string | undefined;
  /** Change only if the block has this version, 0 if it must not exist. Default: whatever it has. */
  readonly expectVersion?: number | undefined;
  /**
   * Where the text comes from, as the host knows it. What is less trusted than `agent` keeps that mark, and may not come
   * into core without a person. `person` counts as `agent`: what the agent writes is the agent's. Default: the `source`
   * the memory was opened with.
   */
  readonly source?: Source | undefined;
}

/** What the agent wants remembered. */
export interface WriteRequest extends ChangeOptions {
  /** Names the block: letters and digits of any script, then also space `_` `-` `.` `:`, in parts separated by `/`. Case does not tell labels apart. */
  readonly label: string;
  /** The text: the whole of it, or for a block with permission `append` the addition. */
  readonly content: string;
  /** Tier of a new block, default `working`. For a block that exists it must be the block's own. */
  readonly tier?: Tier | undefined;
  /**
   * Label of another block that this one takes the place of. That block stays as it is, but is found only when it is asked
   * for. Its permission holds: `readonly` refuses, `familiar` has a person asked.
   */
  readonly supersedes?: string | undefined;
  /** Look for blocks that say nearly the same, when the write creates one. Default false. */
  readonly findSimilar?: boolean | undefined;
}

/** What the agent wants changed in a text: at `offset`, `before` by `after`. */
export interface EditRequest extends ChangeOptions, Splice {
  /** Names the block. */
  readonly label: string;
}

/** Where the agent wants a block moved: to another label, another tier, or both. */
export interface MoveRequest extends ChangeOptions {
  /** Names the block. */
  readonly label: string;
  /** The label it is to have, one that no block has. Default: its own. */
  readonly newLabel?: string | undefined;
  /** The tier it is to have. There the agent has no more freedom with it than with a new block. Default: its own. */
  readonly tier?: Tier | undefined;
}

/** What the agent wants removed. A person can bring it back. */
export interface RemoveRequest extends ChangeOptions {
  /** Names the block. */
  readonly label: string;
}

/** What narrows a list. */
export interface ListOptions {
  /** List this tier alone. Default all. */
  readonly tier?: Tier | undefined;
}

/**
 * The agent's side of a memory: all that the tools need. No method approves, changes a permission, raises trust or names
 * an owner, so whoever holds a manager alone cannot do any of these.
 */
export interface MemoryManager {
  /** The blocks that match, best first. Empty when none does. */
  read(query: string, options?: ReadOptions): Promise<MemoryHits>;
  /** One block with its whole text, `null` when there is none of that label. */
  get(label: string): Promise<MemoryBlock | null>;
  /** Writes, queues for a person, or says why not, as the block's permission has it. */
  write(request: WriteRequest): Promise<WriteResult>;
  /** Changes a part of a text, by the same rules: with `append` all but an addition at the end is queued. */
  edit(request: EditRequest): Promise<WriteResult>;
  /** Gives a block another label or tier: at once with `readwrite` and where new blocks may be made, else queued. */
  move(request: MoveRequest): Promise<WriteResult>;
  /** Removes a block: at once with `readwrite`, else queued. Applied, the answer has the block as it last was. */
  remove(request: RemoveRequest): Promise<WriteResult>;
  /** Every block without its text: core, working, archival, in each the latest changed first. */
  list(options?: ListOptions): Promise<readonly MemorySummary[]>;
}
