import { lockBlock } from "./block-rows.ts";
import { toKey, toLabel, type Label } from "./label.ts";
import type { MemoryActor } from "./memory-actor.ts";
import type { MemoryBlock } from "./memory-block.ts";
import { refuse, type Refusal } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import type { SqlQuery } from "./sql.ts";
import type { Turn } from "./turn.ts";

/** A block that a write puts in the place of another. */
export interface Superseding {
  /** The block that will no longer be found. */
  readonly old: MemoryBlock;
  /** Whether a person has to agree. */
  readonly queue: boolean;
}

/**
 * Reads what a write is to supersede; `null` when nothing. The permission of the old block holds: what may not be changed
 * may not be put out of sight either. Nothing of the old block changes, so `append` is no hindrance.
 */
export async function toSuperseding(
  { tx, owner }: Turn,
  { actor, policy }: Scope,
  label: string,
  supersedes: string | undefined,
): Promise<Superseding | Refusal | null> {
  if (supersedes === undefined) return null;
  const read = toLabel(supersedes, policy.limits);
  if ("outcome" in read) return read;
  if (read.key === toKey(label)) {
    return refuse(
      "invalid_value",
      `Write to ${label} refused: it would supersede itself, allowed is another label; leave supersedes out`,
    );
  }
  return judge(await lockBlock(tx, owner, read.key), read, label, actor.kind);
}

function judge(old: MemoryBlock | null, read: Label, label: string, actor: MemoryActor["kind"]): Superseding | Refusal {
  if (old === null) {
    return refuse(
      "not_found",
      `Write to ${label} refused: there is no block ${read.text} to supersede, allowed is a label that exists; leave supersedes out or look the label up with memory_list`,
    );
  }
  if (actor === "agent" && old.permission === "readonly") {
    return refuse(
      "readonly",
      `Write to ${label} refused: ${old.label} is readonly, only a person can have it superseded; leave supersedes out or ask the person`,
    );
  }
  return { old, queue: actor === "agent" && old.permission === "familiar" };
}

/** Has a block rank out for another. `seq` is the event that did it, 0 when the text had not to change. */
export async function insertSupersession(
  tx: SqlQuery,
  owner: string,
  oldId: string,
  byId: string,
  seq: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO dispatch_memory.supersession (owner, block_id, by_id, seq) VALUES ($1, $2, $3, $4::bigint) ON CONFLICT DO NOTHING`,
    [owner, oldId, byId, seq],
  );
}

/** Takes back what an event superseded. */
export async function undoSupersession(tx: SqlQuery, owner: string, seq: number): Promise<void> {
  await tx.query("DELETE FROM dispatch_memory.supersession WHERE owner = $1 AND seq = $2::bigint", [owner, seq]);
}

/** Remembers what a proposal is to supersede when it is approved. */
export async function proposeSupersession(
  tx: SqlQuery,
  owner: string,
  mutationId: string,
  oldId: string,
): Promise<void> {
  await tx.query(
    "INSERT INTO dispatch_memory.proposed_supersession (owner, mutation_id, block_id) VALUES ($1, $2, $3)",
    [owner, mutationId, oldId],
  );
}

/** Carries out what an approved proposal is to supersede. */
export async function approveSupersession(
  tx: SqlQuery,
  owner: string,
  mutationId: string,
  byId: string,
  seq: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO dispatch_memory.supersession (owner, block_id, by_id, seq)
     SELECT owner, block_id, $3, $4::bigint FROM dispatch_memory.proposed_supersession
     WHERE owner = $1 AND mutation_id = $2 AND block_id <> $3 ON CONFLICT DO NOTHING`,
    [owner, mutationId, byId, seq],
  );
}
