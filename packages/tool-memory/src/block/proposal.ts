import type { Splice } from "./memory-event.ts";
import type { Permission } from "./permission.ts";
import type { Source } from "./provenance.ts";
import type { Tier } from "./tier.ts";

/** What every proposal says. */
interface Proposed {
  /** The label of the block, as it is shown. */
  readonly label: string;
  /** Where the text comes from. */
  readonly source: Source;
  /** The reason, if one was given. */
  readonly reason?: string | undefined;
  /** The version the block must have, if one was named. */
  readonly expectVersion?: number | undefined;
}

/** A whole text, or an addition, for a block that may have to be created. */
export interface WriteProposal extends Proposed {
  /** Tells it from the others. */
  readonly op: "write";
  /** The text, or the addition. */
  readonly content: string;
  /** The tier, if one was named. */
  readonly tier?: Tier | undefined;
  /** The permission, if one was named: a person's privilege. */
  readonly permission?: Permission | undefined;
  /** The label of the block whose place it takes, if one was named. */
  readonly supersedes?: string | undefined;
}

/** A change of a part of a text. */
interface EditProposal extends Proposed, Splice {
  /** Tells it from the others. */
  readonly op: "edit";
}

/** Another label or tier. */
export interface MoveProposal extends Proposed {
  /** Tells it from the others. */
  readonly op: "move";
  /** The other label, if it is to have one. */
  readonly newLabel?: string | undefined;
  /** The other tier, if it is to have one. */
  readonly tier?: Tier | undefined;
}

/** A block is to go. */
export interface RemoveProposal extends Proposed {
  /** Tells it from the others. */
  readonly op: "remove";
}

/** What is asked for, its labels already read. */
export type Proposal = WriteProposal | EditProposal | MoveProposal | RemoveProposal;
