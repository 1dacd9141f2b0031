import { createHash } from "node:crypto";
import { iso } from "./iso.ts";
import type { Label } from "./label.ts";
import type { MemoryActor } from "./memory-actor.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { MutationRecord, MutationStatus, PendingMutation } from "./mutation.ts";
import type { SqlQuery } from "./sql.ts";
import type { Tier } from "./tier.ts";
import { toUnifiedDiff } from "./unified-diff.ts";

/** A proposal before it is queued. */
export interface NewMutation {
  /** Identifies it. */
  readonly id: string;
  /** The block as it is, `null` when it would be created. */
  readonly block: MemoryBlock | null;
  /** The tier of the block. */
  readonly tier: Tier;
  /** The text. */
  readonly proposed: string;
  /** Why. */
  readonly reason: string | null;
  /** Who. */
  readonly actor: MemoryActor;
}

/** A stored proposal with what only this package needs of it. */
export interface StoredMutation extends MutationRecord {
  /** Hash of the text it was made for. */
  readonly baseHash: string;
  /** The key of its label. */
  readonly key: string;
}

interface MutationRow extends Omit<StoredMutation, "actor" | "diff"> {
  readonly actorKind: MemoryActor["kind"];
  readonly actorId: string;
}

const select = `SELECT mutation.id, mutation.label, mutation.key, mutation.tier, mutation.block_id AS "blockId",
    mutation.base_version AS "baseVersion", mutation.base_hash AS "baseHash", mutation.before, mutation.proposed,
    mutation.reason, mutation.actor_kind AS "actorKind", mutation.actor_id AS "actorId", mutation.status,
    mutation.feedback, ${iso("mutation.at")} AS at,
    coalesce(block.id, '') <> coalesce(mutation.block_id, '') OR coalesce(block.version, 0) <> mutation.base_version AS stale
  FROM dispatch_memory.mutation LEFT JOIN dispatch_memory.block ON block.owner = mutation.owner AND block.key = mutation.key`;

/** SHA-256 of a text, in hex. */
export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** SHA-256 of what makes two proposals for one label the same. */
export function hashProposal(tier: Tier, content: string): string {
  return hashText(`${tier}\n${content}`);
}

/** The latest proposal of the same text for the same version of the block, if it was pending or rejected. */
export async function selectSameMutation(
  tx: SqlQuery,
  owner: string,
  key: string,
  block: MemoryBlock | null,
  hash: string,
): Promise<StoredMutation | null> {
  const rows = await tx.query<MutationRow>(
    `${select} WHERE mutation.owner = $1 AND mutation.key = $2 AND coalesce(mutation.block_id, '') = $3
       AND mutation.base_version = $4::integer AND mutation.proposed_hash = $5 AND mutation.status IN ('pending', 'rejected')
     ORDER BY mutation.at DESC LIMIT 1`,
    [owner, key, block?.id ?? "", block?.version ?? 0, hash],
  );
  return rows[0] === undefined ? null : toStored(rows[0]);
}

/** Takes a pending proposal of the same text, made for an older version, out of the queue. */
export async function supersedeMutation(tx: SqlQuery, owner: string, key: string, hash: string): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.mutation SET status = 'superseded', resolved_at = clock_timestamp()
     WHERE owner = $1 AND key = $2 AND proposed_hash = $3 AND status = 'pending'`,
    [owner, key, hash],
  );
}

/** How many proposals wait. */
export async function countPending(tx: SqlQuery, owner: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM dispatch_memory.mutation WHERE owner = $1 AND status = 'pending'",
    [owner],
  );
  return rows[0]?.count ?? 0;
}

/** Queues a proposal. */
export async function insertMutation(
  tx: SqlQuery,
  owner: string,
  label: Label,
  mutation: NewMutation,
): Promise<PendingMutation> {
  const { id, block, tier, proposed, reason, actor } = mutation;
  const before = block?.content ?? "";
  await tx.query(
    `INSERT INTO dispatch_memory.mutation (owner, id, label, key, tier, block_id, base_version, base_hash, before, proposed,
       proposed_hash, reason, actor_kind, actor_id, status, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'pending', clock_timestamp())`,
    [
      owner,
      id,
      label.text,
      label.key,
      tier,
      block?.id ?? null,
      block?.version ?? 0,
      hashText(before),
      before,
      proposed,
      hashProposal(tier, proposed),
      reason,
      actor.kind,
      actor.id,
    ],
  );
  const stored = await lockMutation(tx, owner, id);
  if (stored === null) throw new Error("a proposal that was queued is not there");
  return toPending(stored);
}

/** One proposal, locked until the transaction ends. */
export async function lockMutation(tx: SqlQuery, owner: string, id: string): Promise<StoredMutation | null> {
  const rows = await tx.query<MutationRow>(
    `${select} WHERE mutation.owner = $1 AND mutation.id = $2 FOR UPDATE OF mutation`,
    [owner, id],
  );
  return rows[0] === undefined ? null : toStored(rows[0]);
}

/** Says what became of a proposal. */
export async function resolveMutation(
  tx: SqlQuery,
  owner: string,
  id: string,
  status: MutationStatus,
  by: string,
  feedback: string | null,
): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.mutation SET status = $3, resolved_by = $4, feedback = $5, resolved_at = clock_timestamp()
     WHERE owner = $1 AND id = $2`,
    [owner, id, status, by, feedback],
  );
}

/** What waits, first come first. */
export async function selectPending(sql: SqlQuery, owner: string): Promise<readonly PendingMutation[]> {
  const rows = await sql.query<MutationRow>(
    `${select} WHERE mutation.owner = $1 AND mutation.status = 'pending' ORDER BY mutation.at, mutation.id`,
    [owner],
  );
  return rows.map((row) => toPending(toStored(row)));
}

/** Every proposal, first to last. */
export async function selectMutations(sql: SqlQuery, owner: string): Promise<readonly MutationRecord[]> {
  const rows = await sql.query<MutationRow>(`${select} WHERE mutation.owner = $1 ORDER BY mutation.at, mutation.id`, [
    owner,
  ]);
  return rows.map((row) => toRecord(toStored(row)));
}

/** What a caller sees of a proposal that waits. */
export function toPending(stored: StoredMutation): PendingMutation {
  const { status: _status, feedback: _feedback, ...pending } = toRecord(stored);
  return pending;
}

/** What a caller sees of a proposal, and of what became of it. */
export function toRecord(stored: StoredMutation): MutationRecord {
  const { baseHash: _hash, key: _key, ...record } = stored;
  return record;
}

function toStored(row: MutationRow): StoredMutation {
  const { actorKind, actorId, ...rest } = row;
  const before = {
    name: row.baseVersion === 0 ? "/dev/null" : `${row.label} (version ${row.baseVersion})`,
    text: row.before,
  };
  const diff = toUnifiedDiff(before, { name: `${row.label} (proposed)`, text: row.proposed });
  return { ...rest, diff, actor: { kind: actorKind, id: actorId } };
}
