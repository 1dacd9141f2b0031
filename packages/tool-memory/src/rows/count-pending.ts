import type { Trust } from "../block/provenance.ts";
import type { Query } from "../database/database.ts";

/** The number of pending proposals of a trust and a session. */
export interface PendingCount {
  /** The trust of their texts. */
  readonly trust: Trust;
  /** The session, `null` for none. */
  readonly session: string | null;
  /** The number. */
  readonly count: number;
}

/** The numbers of pending proposals. */
export function countPending(tx: Query, owner: string): Promise<readonly PendingCount[]> {
  return tx.query<PendingCount>(
    `SELECT trust, session, CAST(count(*) AS integer) AS count FROM dispatch_memory.mutation
     WHERE owner = $1 AND status = 'pending' GROUP BY trust, session`,
    [owner],
  );
}
