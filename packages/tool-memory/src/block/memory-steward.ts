import type { Refusal } from "../text/refusal.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { Imported, ImportOptions, ImportRefusal, MemoryExport } from "./memory-export.ts";
import type { MutationRecord, PendingMutation } from "./mutation.ts";
import type { Permission } from "./permission.ts";
import type { Source } from "./provenance.ts";
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
  /** Where the text comes from, when a host fills a memory from elsewhere. Default `person`, who vouches for it by writing it. */
  readonly source?: Source | undefined;
}

/** Where a person moves a block. */
export interface StewardMove {
  /** The label it is to have. Default: its own. */
  readonly newLabel?: string | undefined;
  /** The tier it is to have. Its permission becomes that of new blocks there, if that gives the agent less freedom. Default: its own. */
  readonly tier?: Tier | undefined;
  /** Why, for the history. */
  readonly reason?: string | undefined;
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
  /** Only events of this actor, by name. */
  readonly actor?: string | undefined;
  /** Only events of this session. */
  readonly session?: string | undefined;
  /** Only events of this time or later: ISO 8601. */
  readonly since?: string | undefined;
}

/** Which events are to be undone: one or several by `seq`, or those of an actor, of a session or of both, if wanted since a time. */
export type UndoTarget =
  | number
  | readonly number[]
  | {
      /** The name of who made them. */
      readonly actor?: string | undefined;
      /** The run they were made in. */
      readonly session?: string | undefined;
      /** Made at this time or later: ISO 8601. */
      readonly since?: string | undefined;
    };

/** A moment of a history: after an event, or at a time. */
export type Moment =
  | {
      /** The `seq` of the last event that counts; 0 is before the first. */
      readonly seq: number;
    }
  | {
      /** What happened up to this time counts: ISO 8601. */
      readonly time: string;
    };

/** A proposal was turned down. */
export interface Rejected {
  /** Tells this from the other outcomes. */
  readonly outcome: "rejected";
  /** What was turned down. */
  readonly mutation: MutationRecord;
}

/** Events were undone. */
export interface Undone {
  /** Tells this from the other outcomes. */
  readonly outcome: "undone";
  /** The new events, themselves undoable: their `seq`s given to `undo` bring everything back. Empty when there was nothing to undo. */
  readonly events: readonly MemoryEvent[];
  /** The blocks as they are now, without those that are gone. */
  readonly blocks: readonly MemoryBlock[];
}

/** Events cannot be undone because blocks changed since. Nothing was changed. */
export interface UndoConflict {
  /** Tells this from the other outcomes. */
  readonly outcome: "conflict";
  /** For each block in the way, the latest event that cannot be undone. */
  readonly conflicts: readonly {
    /** The event. */
    readonly seq: number;
    /** The label its block had. */
    readonly label: string;
    /** The block as it is now, `null` when there is none. */
    readonly current: MemoryBlock | null;
  }[];
  /** What stands in the way. */
  readonly reason: string;
}

/** What is to be forgotten: exactly one of these. */
export interface ForgetTarget {
  /** A block's label, or one it once had: the block goes. */
  readonly label?: string | undefined;
  /** Who wrote it: of each block they wrote to, their lines go. */
  readonly actor?: string | undefined;
  /** A text, whatever its case: every line that holds it goes, and every block whose label does. */
  readonly match?: string | undefined;
}

/** How much is gone. */
export interface Forgotten {
  /** Blocks deleted. Of others lines may be gone. */
  readonly blocks: number;
  /** Events of which nothing is left but their place and hashes. */
  readonly events: number;
  /** Proposals deleted. */
  readonly mutations: number;
}

/** Where a history ends. Noted elsewhere, it shows later whether what came before it was changed. */
export interface HistoryHead {
  /** `seq` of the last event, 0 when there is none. */
  readonly seq: number;
  /** Its `hash`, empty when there is none. */
  readonly hash: string;
}

/** What became of checking a history. */
export type Verified =
  | {
      /** Every event says what its hash says, follows from the one before, and together they give the blocks as they are. */
      readonly ok: true;
      /** Where the history ends. */
      readonly head: HistoryHead;
    }
  | {
      /** Something was changed other than through this package. */
      readonly ok: false;
      /** The first event that does not fit; one after the last when the blocks are not what the events amount to. */
      readonly seq: number;
      /** What does not fit. */
      readonly reason: string;
    };

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
  /** Moves a block to another label or tier. */
  move(label: string, to: StewardMove): Promise<Applied | Refusal>;
  /** Removes a block. Its history stays and `undo` brings it back; for good it goes with `forget`. */
  remove(label: string, options?: ReasonOption): Promise<Applied | Refusal>;
  /** Approves proposals one after the other, all that wait when none is named. Each has its own outcome, in the same order. */
  approveAll(ids?: readonly string[]): Promise<readonly (Applied | Refusal | Conflict)[]>;
  /** Gives a proposal that waits until this many days from now. */
  extend(id: string, days: number): Promise<PendingMutation | Refusal>;
  /** Events, latest first, of one label or of all. */
  history(label?: string, options?: HistoryOptions): Promise<readonly MemoryEvent[]>;
  /** The blocks as they were at a moment, by label, without what was forgotten since. */
  at(moment: Moment): Promise<readonly MemoryBlock[]>;
  /**
   * Reverses events by new ones: all that are meant, or none and a list of what stands in the way. What others added
   * before or after stays. Undoing an undo brings the change back.
   */
  undo(target: UndoTarget, options?: ReasonOption): Promise<Undone | UndoConflict | Refusal>;
  /** Takes what is meant out of blocks, events and proposals for good: a label, a person or agent, or a text. There is no undo. */
  forget(target: string | ForgetTarget): Promise<Forgotten | Refusal>;
  /** Checks that no event and no block was changed other than through this package, and if given that a head noted earlier still stands. */
  verify(noted?: HistoryHead): Promise<Verified>;
  /** Everything, at one moment. */
  export(): Promise<MemoryExport>;
  /**
   * Brings in what `toJsonLines` made, in pieces of any size; all of it or nothing. Texts come in with the source
   * `import`; what would enter core or replace a block waits as a proposal. With `restore` everything comes back as it was.
   */
  import(pieces: Iterable<string> | AsyncIterable<string>, options?: ImportOptions): Promise<Imported | ImportRefusal>;
}
