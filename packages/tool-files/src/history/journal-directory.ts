import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { z } from "zod";
import { FilesError } from "../error/files-error.ts";
import type { JournalBounds, JournalRecord, JournalStore, KeptRecord } from "./journal-record.ts";

const EXTENSION = ".undo";

/** A file that this process appends to. */
interface Segment {
  readonly path: string;
  bytes: number;
  changes: number;
}

/**
 * Keeps records in files of a directory that only its owner can read. Each process appends to a file of its own, so several
 * processes may share the directory. Old files are removed as a whole.
 */
export class DirectoryJournal implements JournalStore {
  readonly #directory: string;
  readonly #bounds: JournalBounds;
  #segment: Segment | undefined;
  #last = 0;

  /** @throws {FilesError} When other users may read the directory, or the path is not a directory; code `invalid_history`. */
  constructor(directory: string, bounds: JournalBounds) {
    if (!isAbsolute(directory)) throw unusable("its path is relative, allowed are absolute paths");
    const stats = made(directory);
    if (stats?.isDirectory() !== true) throw unusable("it is no directory and cannot be made one");
    const own = process.getuid?.();
    // Windows has no modes: there the directory is as private as its parent.
    if (own !== undefined && (stats.uid !== own || (stats.mode & 0o077) !== 0))
      throw unusable("others may read it, allowed is mode 0700 and the owner's own");
    this.#directory = fs.realpathSync.native(directory);
    this.#bounds = bounds;
  }

  add(record: JournalRecord): KeptRecord {
    const inside = relative(record.worktree, this.#directory);
    if (!inside.startsWith("..") && !isAbsolute(inside)) throw unusable("it is inside the worktree");
    const id = randomBytes(9).toString("base64url");
    this.#append(recordBytes(id, record), 1);
    return { record, drop: () => this.#append(droppedLine(id), 0) };
  }

  newest(): Iterable<KeptRecord> {
    const segments = this.#segments().map((path) => readSegment(path));
    const dropped = new Set(segments.flatMap((segment) => segment.dropped));
    return segments
      .flatMap(({ records }) => records)
      .toSorted((one, other) => one.record.at - other.record.at)
      .toReversed()
      .slice(0, this.#bounds.maxChanges)
      .filter(({ id }) => !dropped.has(id))
      .map(({ id, record }) => ({ record, drop: () => this.#append(droppedLine(id), 0) }));
  }

  /** Appends all of `bytes`, or nothing. */
  #append(bytes: Buffer, changes: number): void {
    try {
      const segment = this.#segmentFor(bytes.length);
      const fd = fs.openSync(segment.path, "a", 0o600);
      try {
        const done = fs.writeSync(fd, bytes);
        if (done < bytes.length) fs.ftruncateSync(fd, segment.bytes);
        if (done < bytes.length) throw new Error("written in part");
      } finally {
        fs.closeSync(fd);
      }
      segment.bytes += bytes.length;
      segment.changes += changes;
    } catch (error) {
      throw new FilesError(
        "Cannot keep a history of file changes: its directory cannot be written, nothing was changed",
        {
          code: "history_failed",
          cause: error,
        },
      );
    }
  }

  /** One file holds a quarter of the bounds, or one long change. */
  #segmentFor(length: number): Segment {
    const maxBytes = Math.ceil(this.#bounds.maxBytes / 4);
    const maxChanges = Math.ceil(this.#bounds.maxChanges / 4);
    const last = this.#segment;
    if (last !== undefined && last.bytes + length <= maxBytes && last.changes < maxChanges) return last;
    this.#prune(this.#bounds.maxBytes - Math.max(length, maxBytes), this.#bounds.maxChanges - maxChanges);
    // Sorts by time, also where the clock stands still.
    this.#last = Math.max(this.#last + 1, Date.now() * 1000);
    const name = `${`${this.#last}`.padStart(17, "0")}-${randomBytes(6).toString("hex")}${EXTENSION}`;
    return (this.#segment = { path: join(this.#directory, name), bytes: 0, changes: 0 });
  }

  /** Paths of the files, the oldest first. */
  #segments(): readonly string[] {
    const names = fs.readdirSync(this.#directory).filter((name) => name.endsWith(EXTENSION));
    return names.toSorted().map((name) => join(this.#directory, name));
  }

  /** Keeps the newest files that are within these bounds together. */
  #prune(maxBytes: number, maxChanges: number): void {
    let bytes = 0;
    let changes = 0;
    for (const path of this.#segments().toReversed()) {
      bytes += fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      changes += bytes > maxBytes ? 0 : readSegment(path).records.length;
      if (bytes > maxBytes || changes > maxChanges) fs.rmSync(path, { force: true });
    }
  }
}

function made(directory: string): fs.Stats | undefined {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch {
    // The caller checks the existing entry.
  }
  return fs.lstatSync(directory, { throwIfNoEntry: false });
}

function unusable(found: string): FilesError {
  return new FilesError(`Cannot keep a history of file changes in the directory given: ${found}`, {
    code: "invalid_history",
  });
}

const NEWLINE = 10;

const dropped = z.object({ dropped: z.string() });
/** The line before the former bytes, which are `kept` long. */
const header = z.object({
  id: z.string(),
  worktree: z.string(),
  path: z.string(),
  existed: z.boolean(),
  kept: z.int().min(0).nullable(),
  after: z.string().nullable(),
  size: z.int(),
  at: z.number(),
  kind: z.enum(["write", "remove", "move"]).optional(),
  from: z.string().optional(),
  entry: z.enum(["file", "directory", "link"]).optional(),
  executable: z.boolean().optional(),
  wasExecutable: z.boolean().optional(),
  mode: z.int().optional(),
  group: z.string().optional(),
});
const line = z.union([header, dropped]);

/** The contents of a file of a journal. */
interface JournalSegment {
  /** In the order they were made. */
  readonly records: readonly { readonly id: string; readonly record: JournalRecord }[];
  /** Records that are no more, of this file or others. */
  readonly dropped: readonly string[];
}

/** A record as it stands in a file: a line of JSON, the former bytes, a line's end. */
function recordBytes(id: string, { before, ...rest }: JournalRecord): Buffer {
  const kept = before === undefined ? null : before.length;
  const head = Buffer.from(`${JSON.stringify({ id, ...rest, kept })}\n`);
  return Buffer.concat([head, ...(before === undefined ? [] : [before, Buffer.of(NEWLINE)])]);
}

/** The line that marks a record as dropped. */
function droppedLine(id: string): Buffer {
  return Buffer.from(`${JSON.stringify({ dropped: id })}\n`);
}

/** Reads a file as far as it is whole: the last write of a killed process may be torn. */
function readSegment(path: string): JournalSegment {
  const bytes = contents(path);
  const records: { id: string; record: JournalRecord }[] = [];
  const gone: string[] = [];
  for (let from = 0; ;) {
    const end = bytes.indexOf(NEWLINE, from);
    const entry = end === -1 ? undefined : parsed(bytes.toString("utf8", from, end));
    if (entry === undefined) break;
    from = end + 1;
    if ("dropped" in entry) {
      gone.push(entry.dropped);
      continue;
    }
    const { id, kept, ...rest } = entry;
    const before = kept === null ? undefined : bytes.subarray(from, from + kept);
    if (kept !== null && bytes[from + kept] !== NEWLINE) break;
    from += kept === null ? 0 : kept + 1;
    records.push({ id, record: { ...rest, before } });
  }
  return { records, dropped: gone };
}

function contents(path: string): Buffer {
  try {
    return fs.readFileSync(path);
  } catch {
    // Another process removed it as too old.
    return Buffer.alloc(0);
  }
}

function parsed(text: string): z.infer<typeof line> | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
