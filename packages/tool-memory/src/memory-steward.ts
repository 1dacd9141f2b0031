import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { MutationRecord, PendingMutation } from "./mutation.ts";
import type { Permission } from "./permission.ts";
import type { Refusal } from "./refusal.ts";
import type { Tier } from "./tier.ts";
import type { Applied, Conflict } from "./write-result.ts";

/** How a person approves. */
export interface ApproveOptions {
  /** Text to write instead of the proposed one. */
  readonly content?: string | undefined;
  /** The version of the block the person has looked at, 0 for none. Default: the one the proposal was made for. Give it to settle a conflict. */
  readonly version?: number | undefined;
  /** Said in the history instead of the proposal's own reason. */
  readonly reason?: string | undefined;
}

/** What a person writes. */
export interface StewardWrite {
  /** As in `MemoryManager.write`. */
  readonly label: string;
  /** The whole text. Replaces what is there, whatever the permission. */
  readonly content: string;
  /** Tier of a new block, default `working`. For a block that exists it must be the block's own. */
  readonly tier?: Tier | undefined;
  /** Permission of a new block. Default: that of its tier. Not allowed for a block that exists. */
  readonly permission?: Permission | undefined;
  /** Why, for the history. */
  readonly reason?: string | undefined;
  /** Write only if the block has this version, 0 if it must not exist. Default: whatever it has. */
  readonly expectVersion?: number | undefined;
  /** Label of another block that this one takes the place of. */
  readonly supersedes?: string | undefined;
}

/** Why a person did something. */
export interface ReasonOption {
  /** Said in the history. */
  readonly reason?: string | undefined;
}

/** Which events are wanted. */
export interface HistoryOptions {
  /** Most events to answer with, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined;
  /** Only events before this `seq`, to page on. Default: from the latest. */
  readonly before?: number | undefined;
}

/** A proposal was turned down. */
export interface Rejected {
  /** Tells this from the other outcomes. */
  readonly outcome: "rejected";
  /** What was turned down. */
  readonly mutation: MutationRecord;
}

/** An event was undone. */
export interface Undone {
  /** Tells this from the other outcomes. */
  readonly outcome: "undone";
  /** The new event, itself undoable. */
  readonly event: MemoryEvent;
  /** The block as it is now, `null` when undoing its creation removed it. */
  readonly block: MemoryBlock | null;
}

/** An event cannot be undone because the block changed since. Undo the later events first. */
export interface UndoConflict {
  /** Tells this from the other outcomes. */
  readonly outcome: "conflict";
  /** The block as it is now, `null` when there is none. */
  readonly current: MemoryBlock | null;
  /** What stands in the way. */
  readonly reason: string;
}

/** How many rows are gone. */
export interface Forgotten {
  /** Blocks deleted: 0 or 1. */
  readonly blocks: number;
  /** Events deleted. */
  readonly events: number;
  /** Proposals deleted. */
  readonly mutations: number;
}

/** Everything one owner's memory holds, at one moment. Plain data, fit for JSON. */
export interface MemoryExport {
  /** Names the shape of this object. */
  readonly format: "dispatch-memory/1";
  /** Whose memory. */
  readonly owner: string;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  /** Every block, by label. */
  readonly blocks: readonly MemoryBlock[];
  /** Every event, first to last. */
  readonly events: readonly MemoryEvent[];
  /** Every proposal, first to last. */
  readonly mutations: readonly MutationRecord[];
}

/**
 * A person's side of a memory: a separate object that no tool reaches. Whoever holds it may do everything with this
 * owner's memory and nothing with another's.
 */
export interface MemorySteward {
  /** One block with its whole text, `null` when there is none of that label. */
  get(label: string): Promise<MemoryBlock | null>;
  /** Writes directly, whatever the permission: how a host sets up core and readonly blocks. */
  write(request: StewardWrite): Promise<Applied | Refusal | Conflict>;
  /** What waits for a person, first come first. */
  pending(): Promise<readonly PendingMutation[]>;
  /** Carries out a proposal, also one rejected earlier, unless the block changed since it was made. */
  approve(id: string, options?: ApproveOptions): Promise<Applied | Refusal | Conflict>;
  /** Turns a proposal down. The agent reads the reason when it proposes the same again. */
  reject(id: string, reason: string): Promise<Rejected | Refusal>;
  /** Changes what the agent may do with a block. */
  setPermission(label: string, permission: Permission, options?: ReasonOption): Promise<Applied | Refusal>;
  /** Events, latest first, of one label or of all. */
  history(label?: string, options?: HistoryOptions): Promise<readonly MemoryEvent[]>;
  /** Reverses one event by a new one, if what it did still stands. Undoing an undo brings the change back. */
  undo(seq: number, options?: ReasonOption): Promise<Undone | UndoConflict | Refusal>;
  /** Deletes a label's block, events and proposals for good. There is no undo. */
  forget(label: string): Promise<Forgotten>;
  /** Everything, at one moment. */
  export(): Promise<MemoryExport>;
}
