import { toKey } from "../block/label.ts";
import type { Trust } from "../block/memory-block.ts";
import type { MemoryActor } from "../block/memory-event.ts";
import { toEssence, type MutationRecord, type PendingMutation, type MutationStatus } from "../block/mutation.ts";
import type { Dialect, Query } from "../database/database.ts";
import { toUnifiedDiff } from "../text/unified-diff.ts";
import { changeRows, insertRow, toColumn } from "./columns.ts";
import { hashText } from "./event-rows.ts";
import type { LockedOwner } from "./lock-owner.ts";

/** A proposal before it is queued. */
type NewMutation = Omit<
  PendingMutation,
  "diff" | "stale" | "supersedesLabel" | "supersedesSource" | "at" | "expiresAt"
>;

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

const FIELDS =
  "id op label tier newLabel blockId baseVersion baseHash before source trust supersedes supersedesVersion validFrom reason actorKind actorId session status feedback resolvedBy"
    .split(" ")
    .map((field) => `mutation.${toColumn(field)} AS "${field}"`);

const select = ({ iso, intact }: Dialect): string => `SELECT ${FIELDS.join(", ")},
    ${intact("mutation", "proposed")} AS proposed, old.label AS "supersedesLabel",
    old.source AS "supersedesSource", ${intact("block", "content", "old")} AS "oldContent", block.trust AS "blockTrust",
    ${iso("mutation.at")} AS at, ${iso("mutation.expires_at")} AS "expiresAt", ${iso("mutation.resolved_at")} AS "resolvedAt",
    CAST(mutation.resolved_seq AS double precision) AS "resolvedSeq",
    coalesce(block.id, '') <> coalesce(mutation.block_id, '') OR coalesce(block.version, 0) <> mutation.base_version AS "isOther",
    mutation.supersedes IS NOT NULL AND coalesce(old.version, 0) <> coalesce(mutation.supersedes_version, -1) AS "isOldOther"
  FROM dispatch_memory.mutation LEFT JOIN dispatch_memory.block ON block.owner = mutation.owner AND block.key = mutation.key
    LEFT JOIN dispatch_memory.block AS old ON old.owner = mutation.owner AND old.id = mutation.supersedes`;

/** The proposals of an owner (`$1`) for which a condition holds. */
async function selectStored(
  sql: Query,
  condition: string,
  params: readonly (string | number)[],
): Promise<readonly StoredMutation[]> {
  const rows = await sql.query<MutationRow>(
    `${select(sql.dialect)} WHERE mutation.owner = $1 AND ${condition}`,
    params,
  );
  return rows.map(toStored);
}

/** SHA-256 of the fields in which two equal proposals for one label agree. */
export function hashProposal(proposal: Omit<NewMutation, "actor">): string {
  const { op, tier, newLabel, proposed, supersedes, validFrom } = proposal;
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
): Promise<StoredMutation | undefined> {
  const found = await selectStored(
    tx,
    `mutation.key = $2 AND mutation.essence = $3 AND mutation.status = 'rejected'
       AND (mutation.supersedes IS NULL OR mutation.supersedes = $4) ORDER BY mutation.resolved_at DESC LIMIT 1`,
    [owner, key, hashText(essence), supersedes ?? ""],
  );
  return found[0];
}

/** The latest pending proposal that is equal and was made for the same version of the block. */
export async function selectSameMutation(
  tx: Query,
  owner: string,
  { label, blockId, baseVersion }: NewMutation,
  hash: string,
): Promise<StoredMutation | undefined> {
  const found = await selectStored(
    tx,
    `mutation.key = $2 AND coalesce(mutation.block_id, '') = $3 AND mutation.base_version = $4
       AND mutation.proposed_hash = $5 AND mutation.status = 'pending' ORDER BY mutation.at DESC LIMIT 1`,
    [owner, toKey(label), blockId ?? "", baseVersion, hash],
  );
  return found[0];
}

function toRow(owner: string, { actor, ...mutation }: NewMutation) {
  return {
    ...mutation,
    owner,
    key: toKey(mutation.label),
    baseHash: hashText(mutation.before),
    proposedHash: hashProposal(mutation),
    essence: hashText(toEssence(mutation)),
    actorKind: actor.kind,
    actorId: actor.id,
  };
}

/** Queues a proposal for some days. */
export async function insertMutation(
  tx: Query,
  owner: string,
  mutation: NewMutation,
  days: number,
): Promise<PendingMutation> {
  const { time } = tx.dialect;
  const row = { ...toRow(owner, mutation), status: "pending" };
  const columns = [...Object.keys(row), "at", "expiresAt"].map(toColumn);
  const values = columns.slice(0, -2).map((_, at) => `$${at + 1}`);
  const times = [time(), time(`$${columns.length - 1}`)];
  await tx.query(
    `INSERT INTO dispatch_memory.mutation (${columns.join(", ")}) VALUES (${[...values, ...times].join(", ")})`,
    [...Object.values(row), days * DAY_SECONDS],
  );
  const stored = await selectMutation(tx, owner, mutation.id);
  if (stored === null) throw new Error("a proposal that was queued is not there");
  return toPending(stored);
}

/** Inserts an exported proposal, unchanged. */
export async function restoreMutation(tx: Query, owner: string, mutation: MutationRecord): Promise<void> {
  // Found out anew when it is read.
  const { diff: _, stale: __, supersedesLabel: ___, supersedesSource: ____, ...record } = mutation;
  await changeRows(tx, (statement) => insertRow(statement, "mutation", toRow(owner, record)));
}

/** One proposal. */
export async function selectMutation(tx: Query, owner: string, id: string): Promise<StoredMutation | null> {
  return (await selectStored(tx, "mutation.id = $2", [owner, id]))[0] ?? null;
}

/** The pending proposals, oldest first. */
export async function selectPending(sql: Query, owner: string): Promise<readonly PendingMutation[]> {
  const { time, order } = sql.dialect;
  const isPending = `mutation.status = 'pending' AND mutation.expires_at > ${time()}`;
  return (await selectStored(sql, `${isPending} ORDER BY mutation.at, ${order("mutation")}`, [owner])).map(toPending);
}

/** Every proposal, oldest first. */
export async function selectMutations(sql: Query, owner: string): Promise<readonly MutationRecord[]> {
  const { order } = sql.dialect;
  return (await selectStored(sql, `true ORDER BY mutation.at, ${order("mutation")}`, [owner])).map(toRecord);
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

function toStored(read: MutationRow): StoredMutation {
  const { actorKind, actorId, isOther, isOldOther, blockTrust, oldContent, ...row } = read;
  // Without the block that it was made for, the trust of that block is not known.
  const diff = toMutationDiff(row, isOther ? null : blockTrust, oldContent);
  return { ...row, stale: Boolean(isOther) || Boolean(isOldOther), diff, actor: { kind: actorKind, id: actorId } };
}

/**
 * A proposed change as a unified diff with context, and the text that it would supersede. Where an approval makes lines trusted
 * that the change leaves as they are, the diff has every line.
 *
 * @param trust the trust of the present text, `null` when it is not known.
 * @param hidden the present text of the block that it would supersede, `null` for none.
 */
function toMutationDiff(
  mutation: Omit<StoredMutation, "actor" | "diff" | "stale">,
  trust: Trust | null,
  hidden: string | null,
): string {
  const { op, label, newLabel, tier, baseVersion, before, proposed, validFrom, supersedesLabel } = mutation;
  const old = { name: baseVersion === 0 ? "/dev/null" : `${label} (version ${baseVersion})`, text: before };
  const gains = baseVersion > 0 && op !== "remove" && trust !== "high";
  const since = op === "write" && validFrom !== null ? `, valid from ${validFrom}` : "";
  const more = `${op === "move" ? `, in tier ${tier}` : ""}${since}${gains ? "; the whole text becomes trusted" : ""}`;
  const name = op === "remove" ? "/dev/null" : (newLabel ?? label);
  const now = { name: `${name} (proposed${more})`, text: proposed };
  const change = toUnifiedDiff(old, now, { isWhole: gains }) || `--- ${old.name}\n+++ ${now.name}`;
  if (supersedesLabel === null || hidden === null) return change;
  const gone = { name: `${supersedesLabel} (version ${mutation.supersedesVersion})`, text: hidden };
  const none = { name: "/dev/null (superseded: searches no longer find it)", text: "" };
  return `${change}\n${toUnifiedDiff(gone, none)}`;
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
