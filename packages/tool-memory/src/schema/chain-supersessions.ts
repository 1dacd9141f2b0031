import type { MemoryActor } from "../block/memory-actor.ts";
import { toState } from "../block/memory-block.ts";
import { applyChange, NO_SPLICE } from "../change/apply-change.ts";
import type { Query } from "../database/database.ts";
import { lockBlockById } from "../rows/block-rows.ts";
import { lockOwner } from "../rows/lock-owner.ts";

interface Unchained {
  readonly owner: string;
  readonly byId: string;
  readonly kind: MemoryActor["kind"] | null;
  readonly actor: string | null;
  readonly session: string | null;
}

/**
 * Migrates supersessions into the history. Schema version 2 kept them only in a table beside it. Every superseding block gets
 * an event, in the name of the author of its text, so that undoing that author's work undoes the supersession too. Runs in
 * the migration's transaction, after all tables have the new schema.
 */
export async function chainSupersessions(tx: Query): Promise<void> {
  const unchained = await tx.query<Unchained>(
    `SELECT DISTINCT ON (supersession.owner, by_id) supersession.owner, by_id AS "byId", actor_kind AS kind, actor_id AS actor, session
     FROM dispatch_memory.supersession LEFT JOIN dispatch_memory.event ON event.owner = supersession.owner AND event.seq = supersession.seq
     ORDER BY supersession.owner, by_id, supersession.seq DESC`,
  );
  await tx.query("ALTER TABLE dispatch_memory.supersession DROP COLUMN seq");
  for (const { owner, byId, kind, actor, session } of unchained) {
    const locked = await lockOwner(tx, owner);
    const is = await lockBlockById(tx, owner, byId);
    if (is === null) throw new Error("a block that supersedes another is not there");
    const { supersedes: _supersedes, ...block } = is;
    const by = { kind: kind ?? "person", id: actor ?? "person" };
    const reason = "What it supersedes is part of the history from here on.";
    await applyChange(
      locked,
      { kind: "edited", block, is: toState(is), splice: NO_SPLICE },
      { actor: by, session, reason },
    );
  }
}
