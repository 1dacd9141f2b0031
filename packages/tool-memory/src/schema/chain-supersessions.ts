import type { MemoryActor } from "../block/memory-actor.ts";
import { toState } from "../block/memory-block.ts";
import { applyChange, NO_SPLICE } from "../change/apply-change.ts";
import type { SqlQuery } from "../database/sql.ts";
import { lockBlockById } from "../rows/block-rows.ts";
import { takeTurn } from "../rows/turn.ts";

interface Unchained {
  readonly owner: string;
  readonly byId: string;
  readonly kind: MemoryActor["kind"] | null;
  readonly actor: string | null;
  readonly session: string | null;
}

/**
 * Brings into the history what shape 2 kept beside it: every block that supersedes others gets an event that says so, in
 * the name of whoever wrote the text that did, so that undoing what they did undoes this too. To be run in the
 * transaction that brings a database to a newer shape, when all its tables have that shape.
 */
export async function chainSupersessions(tx: SqlQuery): Promise<void> {
  const unchained = await tx.query<Unchained>(
    `SELECT DISTINCT ON (supersession.owner, by_id) supersession.owner, by_id AS "byId", actor_kind AS kind, actor_id AS actor, session
     FROM dispatch_memory.supersession LEFT JOIN dispatch_memory.event ON event.owner = supersession.owner AND event.seq = supersession.seq
     ORDER BY supersession.owner, by_id, supersession.seq DESC`,
  );
  await tx.query("ALTER TABLE dispatch_memory.supersession DROP COLUMN seq");
  for (const { owner, byId, kind, actor, session } of unchained) {
    const turn = await takeTurn(tx, owner);
    const is = await lockBlockById(tx, owner, byId);
    if (is === null) throw new Error("a block that supersedes another is not there");
    const { supersedes: _supersedes, ...block } = is;
    const by = { kind: kind ?? "person", id: actor ?? "person" };
    const reason = "What it supersedes is part of the history from here on.";
    await applyChange(
      turn,
      { kind: "edited", block, is: toState(is), splice: NO_SPLICE },
      { actor: by, session, reason },
    );
  }
}
