import { applyChange, replaceAll } from "./apply-change.ts";
import { lockBlockById } from "./block-rows.ts";
import { createChangeStatement } from "./change-statement.ts";
import { scrubEvents, selectBlockEvents } from "./event-rows.ts";
import { toKey } from "./label.ts";
import { toState, type MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { Forgotten } from "./memory-steward.ts";
import { deleteMutations } from "./mutation-rows.ts";
import { toAccount, type Scope } from "./scope.ts";
import { storeBlock } from "./store-block.ts";
import { saveTurn, takeTurn, type Turn } from "./turn.ts";

/** What is to be forgotten: exactly one of these. */
export interface ForgetTarget {
  /** A block's label, or one it once had: the block goes. */
  readonly label?: string | undefined;
  /** Who wrote it: of each block they wrote to, their lines go. */
  readonly actor?: string | undefined;
  /** A text, whatever its case: every line that holds it goes, and every block whose label does. */
  readonly match?: string | undefined;
}

/**
 * Leaves nothing of what is to be forgotten in any row: the events of every block it stood in keep their places and
 * hashes alone; of a block that stays, the history starts anew with the text it has left.
 */
export async function forgetBlocks(scope: Scope, target: ForgetTarget): Promise<Forgotten> {
  const { sql, owner } = scope;
  const forgotten = await sql.transaction(async (tx) => {
    const turn = await takeTurn(tx, owner);
    const done = { blocks: 0, events: 0, mutations: 0 };
    for (const id of await selectTouched(turn, target)) {
      const block = await lockBlockById(tx, owner, id);
      const rest = block === null ? "" : await keptOf(turn, block, target);
      done.events += await scrubEvents(tx, owner, id);
      done.mutations += await deleteMutations(tx, owner, id, block === null ? "" : toKey(block.label));
      if (block === null) continue;
      const statement = createChangeStatement();
      storeBlock(statement, owner, block, null);
      await statement.run(tx);
      turn.blocks -= 1;
      turn.characters -= block.content.length;
      if (rest.trim() === "") done.blocks += 1;
      else await restate(turn, scope, block, rest);
    }
    done.mutations += await forgetMutations(turn, target);
    await saveTurn(turn);
    return done;
  });
  await sql.reclaim?.();
  return forgotten;
}

async function restate(turn: Turn, scope: Scope, block: MemoryBlock, content: string): Promise<void> {
  const again = { id: block.id, version: block.version };
  const change = { kind: "created", block: null, is: toState(block), splice: replaceAll("", content), again } as const;
  await applyChange(turn, change, toAccount(scope, null));
}

async function selectTouched({ tx, owner }: Turn, { label, actor, match }: ForgetTarget): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT block_id AS id FROM dispatch_memory.event
     WHERE owner = $1 AND kind <> 'forgotten' AND (key = $2::text OR actor_id = $3::text OR mutation_id IN (
         SELECT id FROM dispatch_memory.mutation WHERE owner = $1 AND actor_id = $3::text)
       OR strpos(lower(concat_ws(' ', label, before, after, reason, was, "is", actor_id, session)), lower($4::text)) > 0)
     UNION SELECT id FROM dispatch_memory.block
     WHERE owner = $1 AND (key = $2::text OR strpos(lower(concat_ws(' ', label, content)), lower($4::text)) > 0)
     ORDER BY id`,
    [owner, label === undefined ? null : toKey(label), actor ?? null, match ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Proposals of what is to be forgotten, also for blocks that never came to be. */
async function forgetMutations({ tx, owner }: Turn, { label, actor, match }: ForgetTarget): Promise<number> {
  const params = [owner, label === undefined ? null : toKey(label), actor ?? null, match ?? null];
  const rows = await tx.query(
    `DELETE FROM dispatch_memory.mutation WHERE owner = $1 AND (key = $2::text OR actor_id = $3::text
       OR strpos(lower(concat_ws(' ', label, new_label, before, proposed, reason, feedback, actor_id, session, resolved_by)), lower($4::text)) > 0)
     RETURNING 1 AS one`,
    params,
  );
  await tx.query("UPDATE dispatch_memory.mutation SET resolved_by = NULL WHERE owner = $1 AND resolved_by = $2::text", [
    owner,
    actor ?? null,
  ]);
  return rows.length;
}

/** What a block has left without what is to be forgotten. */
async function keptOf(turn: Turn, block: MemoryBlock, { label, actor, match }: ForgetTarget): Promise<string> {
  if (label !== undefined) return "";
  if (match !== undefined) {
    const holds = (text: string): boolean => text.toLowerCase().includes(match.toLowerCase());
    if (holds(block.label)) return "";
    const lines = block.content.split("\n").filter((line) => !holds(line));
    return holds(lines.join("\n")) ? "" : lines.join("\n");
  }
  const events = await selectBlockEvents(turn.tx, turn.owner, block.id, 0);
  const proposals = await turn.tx.query<{ id: string }>(
    "SELECT id FROM dispatch_memory.mutation WHERE owner = $1 AND actor_id = $2::text",
    [turn.owner, actor ?? null],
  );
  const proposed = new Set(proposals.map(({ id }) => id));
  return withoutActor(events, (event) => event.actor.id === actor || proposed.has(event.mutationId ?? ""));
}

/** What a history amounts to without what some of its events wrote: neither the very characters nor the same lines again. */
export function withoutActor(events: readonly MemoryEvent[], isTheirs: (event: MemoryEvent) => boolean): string {
  let characters: { readonly unit: string; readonly theirs: boolean }[] = [];
  const lines = new Set<string>();
  for (const event of events) {
    const theirs = isTheirs(event);
    if (theirs) for (const line of event.after.split("\n")) lines.add(line.trim());
    const after = event.after.split("").map((unit) => ({ unit, theirs }));
    const { offset, before } = event;
    characters = [...characters.slice(0, offset), ...after, ...characters.slice(offset + before.length)];
  }
  const kept = characters.filter(({ theirs }) => !theirs).map(({ unit }) => unit);
  return kept
    .join("")
    .toWellFormed()
    .split("\n")
    .filter((line) => line.trim() === "" || !lines.has(line.trim()))
    .join("\n");
}
