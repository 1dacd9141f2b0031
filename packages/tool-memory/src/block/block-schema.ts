import { z } from "zod";
import { PERMISSIONS, SOURCES, TRUST_LEVELS, TIERS } from "./memory-block.ts";

/** A tier. */
export const tierSchema = z.enum(TIERS);

const provenance = { source: z.enum(SOURCES), trust: z.enum(TRUST_LEVELS) };

/** A `BlockState`. */
export const stateSchema = z.object({
  label: z.string(),
  tier: tierSchema,
  permission: z.enum(PERMISSIONS),
  ...provenance,
});

const head = { id: z.string(), ...stateSchema.shape, version: z.int() };

/** A `MemoryBlock`. */
export const blockSchema = z.object({
  ...head,
  supersedes: z.array(z.string()).readonly().optional(),
  validFrom: z.string().optional(),
  content: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A `MemoryHit`. */
export const hitSchema = blockSchema.omit({ supersedes: true }).extend({
  score: z.number(),
  scope: z.string().optional(),
  explain: z
    .object({
      lexical: z.number(),
      dense: z.number().nullable(),
      weights: z.object({ lexical: z.number(), dense: z.number() }),
      bonus: z.number(),
      missing: z.string().optional(),
    })
    .optional(),
  passages: z
    .array(z.tuple([z.int(), z.int()]).readonly())
    .readonly()
    .optional(),
  similar: z.object({ count: z.int(), labels: z.array(z.string()).readonly() }).optional(),
  omitted: z.int().optional(),
});

/** A `MemorySummary`. */
export const summarySchema = z.object({
  ...head,
  characters: z.int(),
  preview: z.string(),
  updatedAt: z.string(),
  scope: z.string().optional(),
});

/** A `SimilarBlock`. */
export const similarSchema = z.object({ label: z.string(), ...provenance, likeness: z.number(), preview: z.string() });

/** A `PendingMutation`. */
export const mutationSchema = z.object({
  id: z.string(),
  op: z.enum(["write", "move", "remove"]),
  label: z.string(),
  tier: tierSchema,
  newLabel: z.string().nullable(),
  blockId: z.string().nullable(),
  baseVersion: z.int(),
  before: z.string(),
  proposed: z.string(),
  diff: z.string(),
  stale: z.boolean(),
  supersedes: z.string().nullable(),
  supersedesLabel: z.string().nullable(),
  supersedesVersion: z.int().nullable(),
  supersedesSource: provenance.source.nullable(),
  validFrom: z.string().nullable(),
  reason: z.string().nullable(),
  actor: z.object({ kind: z.enum(["agent", "person"]), id: z.string() }),
  session: z.string().nullable(),
  ...provenance,
  at: z.string(),
  expiresAt: z.string(),
});
