import type { Refusal } from "../text/refusal.ts";
import type { MemoryBlock, Permission, Source, Tier } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { Applied, Conflict, WriteRequest } from "./memory-manager.ts";
import type { MutationRecord, PendingMutation } from "./mutation.ts";

/** Options of an approval. */
export interface ApproveOptions {
  /** Text to write instead of the proposed text. */
  readonly content?: string | undefined;
  /** The version of the block that the person has seen, 0 for no block; settles a conflict. Default: the version the proposal was made for. */
  readonly version?: number | undefined;
  /**
   * The version of the block to supersede that the person has seen, 0 to supersede nothing; settles a conflict about it.
   * Default: the version the proposal was made for.
   */
  readonly supersededVersion?: number | undefined;
  /** Recorded in the history instead of the proposal's reason. */
  readonly reason?: string | undefined;
}

/** The reason of an action. */
export interface ReasonOption {
  /** Recorded in the history. */
  readonly reason?: string | undefined;
}

/** A direct write by a person. */
export interface AdminWrite extends ReasonOption, Pick<WriteRequest, "label" | "tier" | "expectVersion" | "validFrom"> {
  /** The whole text. Replaces the present text regardless of the permission. */
  readonly content: string;
  /** Permission of a new block. Default: that of its tier. Not allowed for an existing block. */
  readonly permission?: Permission | undefined;
  /** Label of another block that this one supersedes. */
  readonly supersedes?: string | undefined;
  /** The source of the text, for a host that fills a memory with texts of others. Default `person`: who writes a text vouches for it. */
  readonly source?: Source | undefined;
}

/** The destination of a move by a person. */
export interface AdminMove extends ReasonOption {
  /** The new label. Default: the present one. */
  readonly newLabel?: string | undefined;
  /** The new tier. The permission becomes that of new blocks there if it is stricter. Default: the present one. */
  readonly tier?: Tier | undefined;
}

/** Selects events. */
export interface HistoryOptions {
  /** Maximum number of events, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined;
  /** Only events before this `seq`, for the next page. Default: from the latest event. */
  readonly before?: number | undefined;
  /** Only events of this actor, by name. */
  readonly actor?: string | undefined;
  /** Only events of this session. */
  readonly session?: string | undefined;
  /** Only events of this time or later: ISO 8601. */
  readonly since?: string | undefined;
}

/** The events to undo: one or several by `seq`, or those of an actor, a session or both, optionally since a time. */
export type UndoTarget = number | readonly number[] | Pick<HistoryOptions, "actor" | "session" | "since">;

/** A moment in a history: after an event, or at a time. */
export type Moment =
  | {
      /** The `seq` of the last event to include; 0 for none. */
      readonly seq: number;
    }
  | {
      /** Includes the events up to this time: ISO 8601. */
      readonly time: string;
    };

/** A proposal was rejected. */
export interface Rejected {
  /** Discriminates the outcomes. */
  readonly outcome: "rejected";
  /** The rejected proposal. */
  readonly mutation: MutationRecord;
}

/** Events were undone. */
export interface Undone {
  /** Discriminates the outcomes. */
  readonly outcome: "undone";
  /** The new events. Undoing them by their `seq`s restores everything. Empty when there was nothing to undo. */
  readonly events: readonly MemoryEvent[];
  /** The changed blocks that still exist. */
  readonly blocks: readonly MemoryBlock[];
}

/** Events cannot be undone because blocks changed since. Nothing was changed. */
export interface UndoConflict {
  /** Discriminates the outcomes. */
  readonly outcome: "conflict";
  /** For each conflicting block, the latest event that cannot be undone. */
  readonly conflicts: readonly {
    /** The `seq` of the event. */
    readonly seq: number;
    /** The label of the block after the event. */
    readonly label: string;
    /** The present block, `null` when it does not exist. */
    readonly current: MemoryBlock | null;
  }[];
  /** Describes the conflicts. */
  readonly reason: string;
}

/** The content to forget: exactly one property. */
export interface ForgetTarget {
  /** A present or former label of a block: the block is deleted. */
  readonly label?: string | undefined;
  /** The name of an actor: their lines are deleted from every block. */
  readonly actor?: string | undefined;
  /** A text, in any case: every line that contains it is deleted, and every block whose label contains it. */
  readonly match?: string | undefined;
}

/** The amount of content that was forgotten. */
export interface Forgotten {
  /** Number of deleted blocks. Other blocks may have lost lines. */
  readonly blocks: number;
  /** Number of events of which only position, time and hashes are left. */
  readonly events: number;
  /** Number of deleted proposals. */
  readonly mutations: number;
}

/** The end of a history. Kept in another place, it later proves whether an earlier event was changed. */
export interface HistoryHead {
  /** `seq` of the last event, 0 when there is none. */
  readonly seq: number;
  /** Its `hash`, empty when there is none. */
  readonly hash: string;
}

/** The result of checking a history. */
export type Verified =
  | {
      /** Every event matches its hash and follows from the one before, and the events together give the present blocks. */
      readonly ok: true;
      /** The end of the history. */
      readonly head: HistoryHead;
    }
  | {
      /** The data was changed by other means than this package. */
      readonly ok: false;
      /** The first invalid event; one more than the last `seq` when the blocks differ from the events; 0 when the file is damaged. */
      readonly seq: number;
      /** Describes the difference. */
      readonly reason: string;
    };

/**
 * The administrator's side of a memory: a separate object for a person, which no tool can reach. Its holder
 * may do everything with this owner's memory and nothing with another owner's.
 */
export interface MemoryAdmin {
  /** One block with its whole text, `null` when no block has the label. */
  get(label: string): Promise<MemoryBlock | null>;
  /** Writes directly, regardless of the permission. A host sets up core and readonly blocks with it. */
  write(request: AdminWrite): Promise<Applied | Refusal | Conflict>;
  /** The pending proposals, oldest first. */
  pending(): Promise<readonly PendingMutation[]>;
  /** Applies a proposal, also a rejected one, unless the block has changed since it was proposed. */
  approve(id: string, options?: ApproveOptions): Promise<Applied | Refusal | Conflict>;
  /** Rejects a proposal. The agent reads the reason when it proposes the same change again. */
  reject(id: string, reason: string): Promise<Rejected | Refusal>;
  /** Changes the permission of a block. */
  setPermission(label: string, permission: Permission, options?: ReasonOption): Promise<Applied | Refusal>;
  /** Moves a block to another label or tier. */
  move(label: string, to: AdminMove): Promise<Applied | Refusal>;
  /** Removes a block. Its history stays and `undo` restores it; `forget` deletes it for good. */
  remove(label: string, options?: ReasonOption): Promise<Applied | Refusal>;
  /** Approves proposals one after the other, by default all pending ones. Returns one outcome each, in the same order. */
  approveAll(ids?: readonly string[]): Promise<readonly (Applied | Refusal | Conflict)[]>;
  /** Sets a pending proposal to expire this many days from now. */
  extend(id: string, days: number): Promise<PendingMutation | Refusal>;
  /** The events of one label or of all, latest first. */
  history(label?: string, options?: HistoryOptions): Promise<readonly MemoryEvent[]>;
  /**
   * The blocks at a moment, by label, without content that was forgotten since.
   *
   * @throws MemoryError `memory_options` when the time is none.
   */
  at(moment: Moment): Promise<readonly MemoryBlock[]>;
  /**
   * Reverses events by adding new ones: all of them, or none and a list of conflicts. Additions by other events are kept.
   * Undoing an undo restores the change.
   */
  undo(target: UndoTarget, options?: ReasonOption): Promise<Undone | UndoConflict | Refusal>;
  /** Deletes content from blocks, events and proposals for good, by label, actor or text. There is no undo. */
  forget(target: string | ForgetTarget): Promise<Forgotten | Refusal>;
  /**
   * Checks that the file of a directory is whole, that only this package has changed events and blocks and, if `noted` is
   * given, that the noted head is still in the history.
   */
  verify(noted?: HistoryHead): Promise<Verified>;
  /** The whole memory at one moment. */
  export(): Promise<MemoryExport>;
  /**
   * Imports the output of `toJsonLines`, in pieces of any size: all of it or nothing. Imported texts have the source
   * `import`. A text that would enter core or replace a block is queued as a proposal. With `restore` everything is restored
   * unchanged.
   */
  import(pieces: Iterable<string> | AsyncIterable<string>, options?: ImportOptions): Promise<Imported | ImportRefusal>;
}

/** The whole content of one owner's memory at one moment. Plain data that can be written as JSON. */
export interface MemoryExport {
  /** Names the format. */
  readonly format: "dispatch-memory/1";
  /** The owner. */
  readonly owner: string;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  /** Every block, by label. */
  readonly blocks: readonly MemoryBlock[];
  /** Every event, oldest first. */
  readonly events: readonly MemoryEvent[];
  /** Every proposal, oldest first. */
  readonly mutations: readonly MutationRecord[];
}

/** Options of an import. */
export interface ImportOptions extends ReasonOption {
  /**
   * Restore blocks, events and proposals unchanged, trust included, into an empty memory. Only for an export that you have
   * kept yourself: the author of the file decides the content of core. Default false.
   */
  readonly restore?: boolean | undefined;
}

/** The result of an import. */
export interface Imported {
  /** Discriminates the outcomes. */
  readonly outcome: "imported";
  /** Blocks added. */
  readonly blocks: number;
  /** Blocks that existed with the same text. */
  readonly unchanged: number;
  /** Proposals queued, or with `restore` restored. */
  readonly proposals: number;
  /** Events restored; 0 without `restore`. */
  readonly events: number;
}

/** Nothing was imported. Code `invalid_import`, or the code of the refusal that a line met. */
export interface ImportRefusal extends Refusal {
  /** The refused line, from 1; 0 when the refusal concerns no single line. */
  readonly line: number;
}
