import { z } from "zod";
import { blockSchema, mutationSchema, stateSchema } from "../block/block-schema.ts";
import { EVENT_KINDS } from "../block/memory-event.ts";
import { MUTATION_STATUSES } from "../block/mutation.ts";

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
export const headingSchema = z.strictObject({
  format: z.literal("dispatch-memory/1"),
  owner: z.string(),
  exportedAt: z.string(),
});

/** The schema of each line, by the line's only key. */
export const lineSchemas = {
  block,
  event,
  mutation,
  end: z.strictObject({ blocks: z.int(), events: z.int(), mutations: z.int() }),
};
