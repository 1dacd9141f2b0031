import type { Query } from "../database/database.ts";

/** A day. */
export const DAY_SECONDS = 86_400;

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
