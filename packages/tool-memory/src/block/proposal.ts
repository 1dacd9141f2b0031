import type { Splice } from "./memory-event.ts";
import type { Permission } from "./permission.ts";
import type { Source } from "./provenance.ts";
import type { Tier } from "./tier.ts";

/** Properties of every proposal. */
interface Proposed {
  /** The label of the block, as shown. */
  readonly label: string;
  /** The source of the text. */
  readonly source: Source;
  /** The reason, if one was given. */
  readonly reason?: string | undefined;
  /** The version that the block must have, if any. */
  readonly expectVersion?: number | undefined;
}

/** Writes a whole text or an addition. Creates the block if needed. */
export interface WriteProposal extends Proposed {
  /** Discriminates the proposals. */
  readonly op: "write";
  /** The text, or the addition. */
  readonly content: string;
  /** The tier, if given. */
  readonly tier?: Tier | undefined;
  /** The permission, if given. Only a person may give one. */
  readonly permission?: Permission | undefined;
  /** The label of the block to supersede, if given. */
  readonly supersedes?: string | undefined;
  /** Since when the text is true: ISO 8601, if given. */
  readonly validFrom?: string | undefined;
}

/** Changes a part of a text. */
interface EditProposal extends Proposed, Splice {
  /** Discriminates the proposals. */
  readonly op: "edit";
}

/** Moves a block to another label or tier. */
export interface MoveProposal extends Proposed {
  /** Discriminates the proposals. */
  readonly op: "move";
  /** The new label, if any. */
  readonly newLabel?: string | undefined;
  /** The new tier, if any. */
  readonly tier?: Tier | undefined;
}

/** Removes a block. */
export interface RemoveProposal extends Proposed {
  /** Discriminates the proposals. */
  readonly op: "remove";
}

/** A requested change, by the agent or a person. */
export type Proposal = WriteProposal | EditProposal | MoveProposal | RemoveProposal;
