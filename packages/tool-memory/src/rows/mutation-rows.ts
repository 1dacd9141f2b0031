import { toKey } from "../block/label.ts";
import type { MemoryBlock, Provenance, Trust, Tier } from "../block/memory-block.ts";
import type { MemoryActor } from "../block/memory-event.ts";
import {
  toEssence,
  type MutationOp,
  type MutationRecord,
  type PendingMutation,
  type MutationStatus,
} from "../block/mutation.ts";
import type { Dialect, Query } from "../database/database.ts";
import { toUnifiedDiff } from "../text/unified-diff.ts";
import { hashText } from "./event-hash.ts";
import type { LockedOwner } from "./lock-owner.ts";

/** A proposal before it is queued. */
interface NewMutation extends Provenance {
  /** Identifies it. */
  readonly id: string;
  /** The operation. */
  readonly op: MutationOp;
  /** The label of the block. */
  readonly label: string;
  /** The present block, `null` when the proposal would create it. */
  readonly block: MemoryBlock | null;
  /** The tier the block would have. */
  readonly tier: Tier;
  /** The label the block would have, `null` for its present one. */
  readonly newLabel: string | null;
  /** The text the block would have. */
  readonly proposed: string;
  /** The block that the proposed one would supersede, `null` for none. */
  readonly old: MemoryBlock | null;
  /** Since when the text is true, `null` when that is not said. */
  readonly validFrom: string | null;
  /** The reason given, if any. */
  readonly reason: string | null;
  /** The proposer. */
  readonly actor: MemoryActor;
  /** The session, if one was named. */
  readonly session: string | null;
  /** Days until it expires. */
  readonly days: number;
}

/** A stored proposal with the fields that only this package uses. */
export interface StoredMutation extends MutationRecord {
  /** Hash of the text that the proposal was made for. */
  readonly baseHash: string;
  /** `seq` of the last event before the decision, `null` when that is not known. */
  readonly resolvedSeq: number | null;
}

interface MutationRow extends Omit<StoredMutation, "actor" | "diff" | "stale"> {
  readonly isOther: boolean | number;
  readonly isOldOther: boolean | number;
  readonly blockTrust: Trust | null;
  readonly oldContent: string | null;
  readonly actorKind: MemoryActor["kind"];
  readonly actorId: string;
}

const select = ({
  iso,
  intact,
}: Dialect): string => `SELECT mutation.id, mutation.op, mutation.label, mutation.tier, mutation.new_label AS "newLabel",
    mutation.block_id AS "blockId", mutation.base_version AS "baseVersion", mutation.base_hash AS "baseHash", mutation.before,
    ${intact("mutation", "proposed")} AS proposed, mutation.source, mutation.trust, mutation.supersedes,
    mutation.supersedes_version AS "supersedesVersion", mutation.valid_from AS "validFrom", old.label AS "supersedesLabel",
    old.source AS "supersedesSource", ${intact("block", "content", "old")} AS "oldContent",
    block.trust AS "blockTrust", mutation.reason, mutation.actor_kind AS "actorKind",
    mutation.actor_id AS "actorId", mutation.session, mutation.status, mutation.feedback, mutation.resolved_by AS "resolvedBy",
    ${iso("mutation.at")} AS at, ${iso("mutation.expires_at")} AS "expiresAt", ${iso("mutation.resolved_at")} AS "resolvedAt",
    CAST(mutation.resolved_seq AS double precision) AS "resolvedSeq",
    coalesce(block.id, '') <> coalesce(mutation.block_id, '') OR coalesce(block.version, 0) <> mutation.base_version AS "isOther",
    mutation.supersedes IS NOT NULL AND coalesce(old.version, 0) <> coalesce(mutation.supersedes_version, -1) AS "isOldOther"
  FROM dispatch_memory.mutation LEFT JOIN dispatch_memory.block ON block.owner = mutation.owner AND block.key = mutation.key
    LEFT JOIN dispatch_memory.block AS old ON old.owner = mutation.owner AND old.id = mutation.supersedes`;

/** SHA-256 of the fields in which two equal proposals for one label agree. */
export function hashProposal({
  op,
  tier,
  newLabel,
  proposed,
  supersedes,
  validFrom,
}: Pick<MutationRecord, "op" | "tier" | "newLabel" | "proposed" | "supersedes" | "validFrom">) {
  const more = [...(supersedes === null ? [] : [supersedes]), ...(validFrom === null ? [] : [{ validFrom }])];
  return hashText(JSON.stringify([op, tier, newLabel, proposed, ...more]));
}

/** The latest rejected proposal of the same essence, with or without a block to supersede; with one only if that is the same. */
export async function selectRejected(
  tx: Query,
  owner: string,
  key: string,
  essence: string,
  supersedes: string | null,
): Promise<StoredMutation | null> {
  const rows = await tx.query<MutationRow>(
    `${select(tx.dialect)} WHERE mutation.owner = $1 AND mutation.key = $2 AND mutation.essence = $3 AND mutation.status = 'rejected'
       AND (mutation.supersedes IS NULL OR mutation.supersedes = $4) ORDER BY mutation.resolved_at DESC LIMIT 1`,
    [owner, key, hashText(essence), supersedes ?? ""],
  );
  return rows[0] === undefined ? null : toStored(rows[0]);
}

/** The latest pending proposal that is equal and was made for the same version of the block. */
export async function selectSameMutation(
  tx: Query,
  owner: string,
  key: string,
  block: MemoryBlock | null,
  hash: string,
): Promise<StoredMutation | null> {
  const rows = await tx.query<MutationRow>(
    `${select(tx.dialect)} WHERE mutation.owner = $1 AND mutation.key = $2 AND coalesce(mutation.block_id, '') = $3
       AND mutation.base_version = $4 AND mutation.proposed_hash = $5 AND mutation.status = 'pending'
     ORDER BY mutation.at DESC LIMIT 1`,
    [owner, key, block?.id ?? "", block?.version ?? 0, hash],
  );
  return rows[0] === undefined ? null : toStored(rows[0]);
}

/** Queues a proposal. */
export async function insertMutation(tx: Query, owner: string, mutation: NewMutation): Promise<PendingMutation> {
  const {
    id,
    block,
    op,
    label,
    tier,
    newLabel,
    proposed,
    source,
    trust,
    old,
    reason,
    actor,
    session,
    days,
    validFrom,
  } = mutation;
  const before = block?.content ?? "";
  const supersedes = old?.id ?? null;
  await tx.query(
    `INSERT INTO dispatch_memory.mutation (owner, id, op, label, key, tier, new_label, block_id, base_version, base_hash, before,
       proposed, proposed_hash, source, trust, reason, actor_kind, actor_id, session, supersedes, supersedes_version,
       essence, valid_from, status, at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, 'pending',
       ${tx.dialect.time()}, ${tx.dialect.time("$24")})`,
    [
      owner,
      id,
      op,
      label,
      toKey(label),
      tier,
      newLabel,
      block?.id ?? null,
      block?.version ?? 0,
      hashText(before),
      before,
      proposed,
      hashProposal({ ...mutation, supersedes }),
      source,
      trust,
      reason,
      actor.kind,
      actor.id,
      session,
      supersedes,
      old?.version ?? null,
      hashText(toEssence({ ...mutation, before })),
      validFrom,
      days * DAY_SECONDS,
    ],
  );
  const stored = await lockMutation(tx, owner, id);
  if (stored === null) throw new Error("a proposal that was queued is not there");
  return toPending(stored);
}

/** Inserts an exported proposal, unchanged. */
export async function restoreMutation(tx: Query, owner: string, mutation: MutationRecord): Promise<void> {
  const m = mutation;
  await tx.query(
    `INSERT INTO dispatch_memory.mutation (owner, id, op, label, key, tier, new_label, block_id, base_version, base_hash, before,
       proposed, proposed_hash, source, trust, reason, actor_kind, actor_id, session, status, at, expires_at, feedback, resolved_by,
       resolved_at, supersedes, supersedes_version, essence, valid_from)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)`,
    [
      owner,
      m.id,
      m.op,
      m.label,
      toKey(m.label),
      m.tier,
      m.newLabel,
      m.blockId,
      m.baseVersion,
      hashText(m.before),
      m.before,
      m.proposed,
      hashProposal(m),
      m.source,
      m.trust,
      m.reason,
      m.actor.kind,
      m.actor.id,
      m.session,
      m.status,
      m.at,
      m.expiresAt,
      m.feedback,
      m.resolvedBy,
      m.resolvedAt,
      m.supersedes,
      m.supersedesVersion,
      hashText(toEssence(m)),
      m.validFrom,
    ],
  );
}

/** One proposal, locked until the transaction ends. */
export async function lockMutation(tx: Query, owner: string, id: string): Promise<StoredMutation | null> {
  const rows = await tx.query<MutationRow>(
    `${select(tx.dialect)} WHERE mutation.owner = $1 AND mutation.id = $2${tx.dialect.lock("mutation")}`,
    [owner, id],
  );
  return rows[0] === undefined ? null : toStored(rows[0]);
}

/** The pending proposals, oldest first. */
export async function selectPending(sql: Query, owner: string): Promise<readonly PendingMutation[]> {
  const rows = await sql.query<MutationRow>(
    `${select(sql.dialect)} WHERE mutation.owner = $1 AND mutation.status = 'pending' AND mutation.expires_at > ${sql.dialect.time()}
     ORDER BY mutation.at, ${sql.dialect.order("mutation")}`,
    [owner],
  );
  return rows.map((row) => toPending(toStored(row)));
}

/** Every proposal, oldest first. */
export async function selectMutations(sql: Query, owner: string): Promise<readonly MutationRecord[]> {
  const rows = await sql.query<MutationRow>(
    `${select(sql.dialect)} WHERE mutation.owner = $1 ORDER BY mutation.at, ${sql.dialect.order("mutation")}`,
    [owner],
  );
  return rows.map((row) => toRecord(toStored(row)));
}

/** Deletes the proposals that concern a block or would supersede it, by its id or its label's key. Returns their number. */
export async function deleteMutations(tx: Query, owner: string, blockId: string, key: string): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM dispatch_memory.mutation WHERE owner = $1 AND (block_id = $2 OR supersedes = $2 OR key = $3) RETURNING 1 AS one`,
    [owner, blockId, key],
  );
  return rows.length;
}

/** The public fields of a pending proposal. */
export function toPending(stored: StoredMutation): PendingMutation {
  const { status: _status, feedback: _feedback, resolvedBy: _by, resolvedAt: _at, ...pending } = toRecord(stored);
  return pending;
}

/** The public fields of a proposal and of the decision on it. */
export function toRecord(stored: StoredMutation): MutationRecord {
  const { baseHash: _hash, resolvedSeq: _seq, ...record } = stored;
  return record;
}

function toStored(found: MutationRow): StoredMutation {
  const { actorKind, actorId, isOther, isOldOther, blockTrust, oldContent, ...row } = found;
  const old = { label: row.supersedesLabel, version: row.supersedesVersion, content: oldContent };
  // Without the block that it was made for, the trust of that block is not known.
  const diff = toMutationDiff(row, isOther ? null : blockTrust, old);
  return { ...row, stale: Boolean(isOther) || Boolean(isOldOther), diff, actor: { kind: actorKind, id: actorId } };
}

/** The block that a proposal would supersede, as far as it is there. */
interface Superseded {
  /** Its label. */
  readonly label: string | null;
  /** The version that the proposal was made for. */
  readonly version: number | null;
  /** Its present text. */
  readonly content: string | null;
}

/**
 * A proposed change as a unified diff with context, and the text that it would supersede. Where an approval makes lines trusted
 * that the change leaves as they are, the diff has every line.
 *
 * @param trust the trust of the present text, `null` when it is not known.
 */
function toMutationDiff(
  mutation: Pick<
    PendingMutation,
    "op" | "label" | "newLabel" | "tier" | "baseVersion" | "before" | "proposed" | "validFrom"
  >,
  trust: Trust | null,
  superseded: Superseded,
): string {
  const { op, label, newLabel, tier, baseVersion, before, proposed, validFrom } = mutation;
  const old = { name: baseVersion === 0 ? "/dev/null" : `${label} (version ${baseVersion})`, text: before };
  const gains = baseVersion > 0 && op !== "remove" && trust !== "high";
  const since = op === "write" && validFrom !== null ? `, valid from ${validFrom}` : "";
  const more = `${op === "move" ? `, in tier ${tier}` : ""}${since}${gains ? "; the whole text becomes trusted" : ""}`;
  const name = op === "remove" ? "/dev/null" : (newLabel ?? label);
  const now = { name: `${name} (proposed${more})`, text: proposed };
  const change = toUnifiedDiff(old, now, { isWhole: gains });
  const parts = [change === "" ? `--- ${old.name}\n+++ ${now.name}` : change];
  if (superseded.label !== null && superseded.content !== null) {
    const hidden = { name: `${superseded.label} (version ${superseded.version})`, text: superseded.content };
    parts.push(toUnifiedDiff(hidden, { name: "/dev/null (superseded: searches no longer find it)", text: "" }));
  }
  return parts.join("\n");
}

/** A day. */
const DAY_SECONDS = 86_400;

/** Marks pending proposals whose time is over as `expired`. */
export async function expireMutations(tx: Query, owner: string): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.mutation SET status = 'expired', resolved_at = ${tx.dialect.time()}
     WHERE owner = $1 AND status = 'pending' AND expires_at <= ${tx.dialect.time()}`,
    [owner],
  );
}

/** Sets a proposal to expire this many days from now. */
export async function extendExpiry(tx: Query, owner: string, id: string, days: number): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.mutation SET expires_at = ${tx.dialect.time("$3")}
     WHERE owner = $1 AND id = $2`,
    [owner, id, days * DAY_SECONDS],
  );
}

/** Marks an equal pending proposal that was made for an older version of the block as `superseded`. */
export async function supersedeMutation(tx: Query, owner: string, key: string, hash: string): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.mutation SET status = 'superseded', resolved_at = ${tx.dialect.time()}
     WHERE owner = $1 AND key = $2 AND proposed_hash = $3 AND status = 'pending'`,
    [owner, key, hash],
  );
}

/** Stores the decision on a proposal. */
export async function resolveMutation(
  { tx, owner, at, seq }: LockedOwner,
  id: string,
  status: MutationStatus,
  by: string,
  feedback: string | null,
): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.mutation SET status = $3, resolved_by = $4, feedback = $5, resolved_at = $6, resolved_seq = $7
     WHERE owner = $1 AND id = $2`,
    [owner, id, status, by, feedback, at, seq],
  );
}
