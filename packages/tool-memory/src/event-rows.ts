import { iso } from "./iso.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { SqlQuery } from "./sql.ts";

/** An event before it has its place in the history. Without `at` it happens now. */
export type NewEvent = Omit<MemoryEvent, "seq" | "at"> & { readonly at: string | null };

interface EventRow extends Omit<MemoryEvent, "actor" | "seq" | "undoes"> {
  readonly seq: number | string;
  readonly undoes: number | string | null;
  readonly actorKind: MemoryEvent["actor"]["kind"];
  readonly actorId: string;
}

const columns = `seq, block_id AS "blockId", label, tier, kind, version, permission_before AS "permissionBefore", permission,
  "offset", before, after, actor_kind AS "actorKind", actor_id AS "actorId", reason, mutation_id AS "mutationId", undoes,
  ${iso("at")} AS at`;

/** Adds an event at the end of its owner's history. The owner must be locked. */
export async function insertEvent(tx: SqlQuery, owner: string, key: string, event: NewEvent): Promise<MemoryEvent> {
  const rows = await tx.query<EventRow>(
    `WITH next AS (UPDATE dispatch_memory.owner SET seq = seq + 1 WHERE owner = $1 RETURNING seq)
     INSERT INTO dispatch_memory.event (owner, seq, block_id, label, key, tier, kind, version, permission_before, permission,
       "offset", before, after, actor_kind, actor_id, reason, mutation_id, undoes, at)
     SELECT $1, next.seq, $2, $3, $4, $5, $6, $7::integer, $8, $9, $10::integer, $11, $12, $13, $14, $15, $16, $17::bigint, coalesce($18::timestamptz, clock_timestamp())
     FROM next RETURNING ${columns}`,
    [
      owner,
      event.blockId,
      event.label,
      key,
      event.tier,
      event.kind,
      event.version,
      event.permissionBefore,
      event.permission,
      event.offset,
      event.before,
      event.after,
      event.actor.kind,
      event.actor.id,
      event.reason,
      event.mutationId,
      event.undoes,
      event.at,
    ],
  );
  const row = rows[0];
  if (row === undefined) throw new Error("an event was written for an owner that is not locked");
  return toEvent(row);
}

/** One event and the key of its label. */
export async function selectEvent(
  tx: SqlQuery,
  owner: string,
  seq: number,
): Promise<(MemoryEvent & { readonly key: string }) | null> {
  const rows = await tx.query<EventRow & { key: string }>(
    `SELECT key, ${columns} FROM dispatch_memory.event WHERE owner = $1 AND seq = $2::bigint`,
    [owner, seq],
  );
  const row = rows[0];
  return row === undefined ? null : { ...toEvent(row), key: row.key };
}

/** Events of one label or of all, latest first. */
export async function selectHistory(
  sql: SqlQuery,
  owner: string,
  key: string | null,
  limit: number,
  before: number | null,
): Promise<readonly MemoryEvent[]> {
  const rows = await sql.query<EventRow>(
    `SELECT ${columns} FROM dispatch_memory.event
     WHERE owner = $1 AND ($2::text IS NULL OR key = $2::text) AND ($4::bigint IS NULL OR event.seq < $4::bigint)
     ORDER BY event.seq DESC LIMIT $3::integer`,
    [owner, key, limit, before],
  );
  return rows.map(toEvent);
}

/** Every event of an owner, first to last. */
export async function selectEvents(sql: SqlQuery, owner: string): Promise<readonly MemoryEvent[]> {
  const rows = await sql.query<EventRow>(
    `SELECT ${columns} FROM dispatch_memory.event WHERE owner = $1 ORDER BY event.seq`,
    [owner],
  );
  return rows.map(toEvent);
}

function toEvent({ actorKind, actorId, ...row }: EventRow): MemoryEvent {
  return {
    ...row,
    seq: Number(row.seq),
    actor: { kind: actorKind, id: actorId },
    undoes: row.undoes === null ? null : Number(row.undoes),
  };
}
