import { z } from "zod";
import { blockSchema, mutationSchema, stateSchema } from "../block/block-schema.ts";
import { toLabel } from "../block/label.ts";
import type { MemoryExport } from "../block/memory-admin.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import { EVENT_KINDS, type MemoryEvent } from "../block/memory-event.ts";
import type { MemoryLimits } from "../block/memory-limits.ts";
import { MUTATION_STATUSES, type MutationRecord } from "../block/mutation.ts";
import { hashProposal } from "../rows/mutation-rows.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";

/**
 * Formats an export as JSON Lines: a heading, then each block, event and proposal, then their numbers. Yields one line at a
 * time. Invisible characters are escaped, so the lines are safe to print in a terminal.
 *
 * @example
 * ```ts
 * for (const line of toJsonLines(await memory.admin.export())) file.write(line);
 * ```
 */
export function* toJsonLines({
  format,
  owner,
  exportedAt,
  blocks,
  events,
  mutations,
}: MemoryExport): Generator<string> {
  const line = (value: object): string => `${escapeInvisible(JSON.stringify(value))}\n`;
  yield line({ format, owner, exportedAt });
  for (const block of blocks) yield line({ block });
  for (const event of events) yield line({ event });
  for (const mutation of mutations) yield line({ mutation });
  yield line({ end: { blocks: blocks.length, events: events.length, mutations: mutations.length } });
}

/** Splits a text that arrives in pieces of any size into lines. */
async function* fromPieces(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Maximum length of a line: a proposal holds its text three times, and JSON can make six characters of one. */
const MAX_LINE_CHARS = 2_000_000;

/** The value of a line, with the line's number. */
export interface Numbered<Value> {
  /** The line number, from 1. */
  readonly line: number;
  readonly value: Value;
}

/** The content of an export. */
export interface ReadExport {
  readonly blocks: readonly Numbered<MemoryBlock>[];
  readonly events: readonly Numbered<MemoryEvent>[];
  readonly mutations: readonly Numbered<MutationRecord>[];
}

/** An export cannot be imported. Names the line. */
export class ExportError extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Parses an export in JSON Lines. Throws an {@link ExportError} at the first invalid line. */
export async function readExport(
  pieces: Iterable<string> | AsyncIterable<string>,
  limits: MemoryLimits,
): Promise<ReadExport> {
  const blocks: Numbered<MemoryBlock>[] = [];
  const events: Numbered<MemoryEvent>[] = [];
  const mutations: Numbered<MutationRecord>[] = [];
  const ids = new Set<string>();
  const labels = new Set<string>();
  let line = 0;
  let ended = false;
  for await (const text of fromPieces(pieces)) {
    line++;
    if (ended) throw new ExportError(line, "there is more after the end");
    const found = parse(text, line);
    if (line === 1) {
      if (!headingSchema.safeParse(found).success) throw new ExportError(1, "it is not the heading of an export");
      continue;
    }
    const [key = "", value] = Object.entries(found as object)[0] ?? [];
    const schema = Object.hasOwn(lineSchemas, key) ? lineSchemas[key as keyof typeof lineSchemas] : undefined;
    const parsed = schema?.safeParse(value);
    if (parsed?.success !== true || Object.keys(found as object).length !== 1) {
      const [issue] = parsed?.error?.issues ?? [];
      const where = issue === undefined ? "" : ` at ${[key, ...issue.path].join(".")}`;
      throw new ExportError(line, `it is no block, event, proposal or end of an export${where}`);
    }
    if (key === "end") {
      const counts = JSON.stringify({ blocks: blocks.length, events: events.length, mutations: mutations.length });
      if (JSON.stringify(parsed.data) !== counts)
        throw new ExportError(line, `it does not count what came before: ${counts}`);
      ended = true;
    } else if (key === "block") {
      const block = parsed.data as MemoryBlock;
      checkBlock(block, line, limits, labels);
      blocks.push({ line, value: block });
      unique(`block ${block.id}`, ids, line);
    } else if (key === "event") {
      const event = parsed.data as MemoryEvent;
      for (const state of [event.was, event.is]) if (state !== null) checkLabel(state.label, line, limits);
      if (event.kind !== "forgotten") checkLabel(event.label, line, limits);
      checkSize(event.after, line, limits);
      events.push({ line, value: event });
    } else {
      const mutation = parsed.data as MutationRecord;
      checkLabel(mutation.label, line, limits);
      if (mutation.newLabel !== null) checkLabel(mutation.newLabel, line, limits);
      checkSize(mutation.proposed, line, limits);
      mutations.push({ line, value: mutation });
      unique(`proposal ${mutation.id}`, ids, line);
      if (mutation.status === "pending")
        unique(
          `an equal proposal for ${checkLabel(mutation.label, line, limits)} ${hashProposal(mutation)}`,
          ids,
          line,
        );
    }
    if (blocks.length > limits.blocks) throw new ExportError(line, `there are more than ${limits.blocks} blocks`);
  }
  if (!ended) throw new ExportError(line + 1, "the end is missing");
  return { blocks, events, mutations };
}

function parse(text: string, line: number): unknown {
  if (text.length > MAX_LINE_CHARS) throw new ExportError(line, `it has ${text.length} characters`);
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === "object" && found !== null && !Array.isArray(found)) return found;
  } catch {
    // Reported below.
  }
  throw new ExportError(line, "it is not an object in JSON");
}

function checkBlock({ label, content }: MemoryBlock, line: number, limits: MemoryLimits, labels: Set<string>): void {
  unique(`label ${checkLabel(label, line, limits)}`, labels, line);
  checkSize(content, line, limits);
  if (content.trim() === "") throw new ExportError(line, "its text is empty");
}

function checkLabel(label: string, line: number, limits: MemoryLimits): string {
  const read = toLabel(label, limits);
  if ("outcome" in read || read.text !== label) throw new ExportError(line, "its label is not one");
  return read.key;
}

function checkSize(text: string, line: number, { contentChars }: MemoryLimits): void {
  if (text.length <= contentChars) return;
  throw new ExportError(line, `its text has ${text.length} characters, allowed are ${contentChars}`);
}

function unique(name: string, seen: Set<string>, line: number): void {
  if (seen.has(name)) throw new ExportError(line, `${name} was there before`);
  seen.add(name);
}

const time = z.iso.datetime({ precision: 3 });
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().refine((value) => !value.includes("\0") && value.isWellFormed(), "not a text that can be kept");
const name = text.max(200);
const actor = z.strictObject({ kind: z.enum(["agent", "person"]), id: name });

/** A block's id. Databases list several with a space between them. */
const id = name.regex(/^\S*$/u);
/** A number that every database can keep, and count on from. */
const count = z.int().min(0).max(2_000_000_000);
const supersedes = z
  .array(id)
  .min(1)
  .max(1_000)
  .refine((ids) => new Set(ids).size === ids.length, "an id twice")
  .optional();
const validFrom = time.optional();
const state = z.strictObject({ ...stateSchema.shape, supersedes, validFrom });

const event = z.strictObject({
  seq: z.int().min(1),
  blockId: id,
  label: text,
  kind: z.enum(EVENT_KINDS),
  version: count,
  was: state.nullable(),
  is: state.nullable(),
  offset: count,
  before: text,
  after: text,
  actor,
  session: name.nullable(),
  reason: text.nullable(),
  mutationId: name.nullable(),
  undoes: z.int().nullable(),
  at: time,
  salt: text.max(64),
  bodyHash: hash,
  previousHash: z.union([hash, z.literal("")]),
  hash,
});

const mutation = z.strictObject({
  ...mutationSchema.shape,
  baseVersion: count,
  before: text,
  proposed: text,
  // Absent in exports of the first versions.
  supersedes: name.nullable().default(null),
  supersedesLabel: text.nullable().default(null),
  supersedesVersion: count.min(1).nullable().default(null),
  supersedesSource: mutationSchema.shape.supersedesSource.default(null),
  validFrom: time.nullable().default(null),
  reason: text.nullable(),
  actor,
  at: time,
  expiresAt: time,
  status: z.enum(MUTATION_STATUSES),
  feedback: text.nullable(),
  resolvedBy: name.nullable(),
  resolvedAt: time.nullable(),
});

const block = z.strictObject({
  ...blockSchema.shape,
  id,
  content: text,
  supersedes,
  validFrom,
  version: count.min(1),
  createdAt: time,
  updatedAt: time,
});

/** The first line of an export. */
const headingSchema = z.strictObject({
  format: z.literal("dispatch-memory/1"),
  owner: z.string(),
  exportedAt: z.string(),
});

/** The schema of each line, by the line's only key. */
const lineSchemas = {
  block,
  event,
  mutation,
  end: z.strictObject({ blocks: z.int(), events: z.int(), mutations: z.int() }),
};
