import type { EntryKind, PendingWrite } from "../sandbox/write-journal.ts";
import { contentHash } from "../version/content-hash.ts";

/** A write as it is kept. */
export interface JournalRecord {
  /** Real path of the worktree. */
  readonly worktree: string;
  /** Path of the file from the worktree, links resolved. */
  readonly path: string;
  /** Whether there was a file before. */
  readonly existed: boolean;
  /** Its bytes; `undefined` if there was none, or it was too long to be kept. */
  readonly before: Uint8Array | undefined;
  /** {@link contentHash} of the written or moved contents; `null` if unknown, or if nothing is left. */
  readonly after: string | null;
  /** Length of the written contents, in bytes. */
  readonly size: number;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** See {@link PendingWrite}. */
  readonly kind?: "write" | "remove" | "move" | undefined;
  readonly from?: string | undefined;
  readonly entry?: EntryKind | undefined;
  readonly executable?: boolean | undefined;
  readonly wasExecutable?: boolean | undefined;
  readonly group?: string | undefined;
}

/** A record that can be dropped. */
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

/** Bounds of a store. */
export interface JournalBounds {
  readonly maxChanges: number;
  readonly maxBytes: number;
}

/** The record of a write. */
export function recordOf({ after, ...write }: PendingWrite): JournalRecord {
  return {
    ...write,
    after: after === undefined ? null : contentHash(after),
    size: after?.length ?? 0,
    at: Date.now(),
  };
}
