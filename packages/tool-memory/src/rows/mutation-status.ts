import type { MutationStatus } from "../block/mutation.ts";
import type { Query } from "../database/database.ts";
import type { LockedOwner } from "./lock-owner.ts";

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
