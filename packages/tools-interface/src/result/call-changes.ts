import type { IgnoredField } from "../error/ignored-field.ts";
import type { Repair } from "../repair/repair.ts";

/** How the call that ran differs from the call that was sent. */
export interface CallChanges {
  /** Repairs made. */
  readonly repairs: readonly Repair[];
  /** Fields left out. */
  readonly ignored: readonly IgnoredField[];
}

/** Of a call that ran as it was sent. */
export const NO_CHANGES: CallChanges = Object.freeze({ repairs: Object.freeze([]), ignored: Object.freeze([]) });

/** A result of an older copy of this package has none of either. */
export function changesOf({ repairs, ignored }: Partial<CallChanges>): CallChanges {
  return { repairs: repairs ?? NO_CHANGES.repairs, ignored: ignored ?? NO_CHANGES.ignored };
}
