import type { PendingWrite } from "../sandbox/write-journal.ts";
import { contentHash } from "../version/content-hash.ts";

/** A write as it is kept: `before` is also left out where it was too long to be kept. */
export interface JournalRecord extends Omit<PendingWrite, "after"> {
  /** {@link contentHash} of the written or moved contents; `null` if unknown, or if nothing is left. */
  readonly after: string | null;
  /** Length of the written contents, in bytes. */
  readonly size: number;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

export interface KeptRecord {
  readonly record: JournalRecord;
  drop(): void;
}

/** Where records are kept, within bounds: the oldest go first. */
export interface JournalStore {
  add(record: JournalRecord): KeptRecord;
  /** The records of all worktrees, the newest first. */
  newest(): Iterable<KeptRecord>;
}

export interface JournalBounds {
  readonly maxChanges: number;
  readonly maxBytes: number;
}

export function recordOf({ after, ...write }: PendingWrite): JournalRecord {
  return {
    ...write,
    after: after === undefined ? null : contentHash(after),
    size: after?.length ?? 0,
    at: Date.now(),
  };
}
