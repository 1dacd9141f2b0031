import type { PendingWrite } from "../sandbox/sandbox-hooks.ts";
import { contentHash } from "../version/content-version.ts";

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

/** Keeps records as long as the process lives. */
export class MemoryJournal implements JournalStore {
  readonly #bounds: JournalBounds;
  /** In the order they were made. */
  readonly #kept = new Set<KeptRecord>();
  #bytes = 0;

  constructor(bounds: JournalBounds) {
    this.#bounds = bounds;
  }

  add(record: JournalRecord): KeptRecord {
    const kept: KeptRecord = {
      record,
      drop: () => {
        if (this.#kept.delete(kept)) this.#bytes -= record.before?.length ?? 0;
      },
    };
    this.#kept.add(kept);
    this.#bytes += record.before?.length ?? 0;
    for (const oldest of this.#kept) {
      if (this.#kept.size <= this.#bounds.maxChanges && this.#bytes <= this.#bounds.maxBytes) break;
      oldest.drop();
    }
    return kept;
  }

  newest(): Iterable<KeptRecord> {
    return [...this.#kept].toReversed();
  }
}
