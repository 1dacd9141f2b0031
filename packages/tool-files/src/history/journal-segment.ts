import fs from "node:fs";
import { z } from "zod";
import type { JournalRecord } from "./journal-record.ts";

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
  group: z.string().optional(),
});
const line = z.union([header, dropped]);

/** The contents of a file of a journal. */
export interface JournalSegment {
  /** In the order they were made. */
  readonly records: readonly { readonly id: string; readonly record: JournalRecord }[];
  /** Records that are no more, of this file or others. */
  readonly dropped: readonly string[];
}

/** A record as it stands in a file: a line of JSON, the former bytes, a line's end. */
export function recordBytes(id: string, { before, ...rest }: JournalRecord): Buffer {
  const kept = before === undefined ? null : before.length;
  const head = Buffer.from(`${JSON.stringify({ id, ...rest, kept })}\n`);
  return Buffer.concat([head, ...(before === undefined ? [] : [before, Buffer.of(NEWLINE)])]);
}

/** The line that marks a record as dropped. */
export function droppedLine(id: string): Buffer {
  return Buffer.from(`${JSON.stringify({ dropped: id })}\n`);
}

/** Reads a file as far as it is whole: the last write of a killed process may be torn. */
export function readSegment(path: string): JournalSegment {
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
