import type { Query } from "../database/database.ts";

/** Number of characters that the agent's events of one block replaced and wrote between two times. */
export async function countWritten(
  tx: Query,
  owner: string,
  blockId: string,
  since: string,
  until: string,
): Promise<number> {
  const [row] = await tx.query<{ chars: number }>(
    `SELECT CAST(coalesce(sum(length(before) + length(after)), 0) AS double precision) AS chars FROM dispatch_memory.event
     WHERE owner = $1 AND block_id = $2 AND actor_kind = 'agent' AND event.at >= $3 AND event.at <= $4`,
    [owner, blockId, since, until],
  );
  return row?.chars ?? 0;
}

/** The condition that an event of the owner `$1` is about a label. As a subquery it reads only an index, also where that begins with something else. */
export function hasKey(placeholder: string): string {
  return `event.seq IN (SELECT labelled.seq FROM dispatch_memory.event AS labelled
    WHERE labelled.owner = $1 AND labelled.key = ${placeholder})`;
}

/** Whether a person has changed the block of a label after an event, or after a time. */
export async function isChangedByPerson(
  tx: Query,
  owner: string,
  key: string,
  after: number | string,
): Promise<boolean> {
  const column = typeof after === "number" ? "event.seq" : "event.at";
  const rows = await tx.query(
    `SELECT 1 AS one FROM dispatch_memory.event
     WHERE owner = $1 AND ${hasKey("$2")} AND actor_kind = 'person' AND ${column} > $3 LIMIT 1`,
    [owner, key, after],
  );
  return rows.length > 0;
}
