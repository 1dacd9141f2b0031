import { toKey } from "../block/label.ts";
import { toState, type MemoryBlock } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { Forgotten, ForgetTarget } from "../block/memory-steward.ts";
import { lockBlockById } from "../rows/block-rows.ts";
import { changeRows } from "../rows/change-statement.ts";
import { scrubEvents, selectBlockEvents } from "../rows/event-rows.ts";
import { deleteMutations } from "../rows/mutation-rows.ts";
import { storeBlock } from "../rows/store-block.ts";
import { saveTurn, takeTurn, type Turn } from "../rows/turn.ts";
import { applyChange, replaceAll } from "./apply-change.ts";
import { toAccount, type Scope } from "./scope.ts";

/** A block that is in the way of forgetting, and what it is to have left. */
interface Touched {
  readonly id: string;
  /** The block, `null` when it is there no more. */
  readonly block: MemoryBlock | null;
  /** Empty when nothing is left of it. */
  readonly rest: string;
  /** Whether what is to be forgotten stood in it, or it only superseded a block of which nothing is left. */
  readonly held: boolean;
}

/**
 * Leaves nothing of what is to be forgotten in any row: the events of every block it stood in keep their places and
 * hashes alone; of a block that stays, the history starts anew with the text it has left. So does that of a block that
 * superseded one of which nothing is left.
 */
export async function forgetBlocks(scope: Scope, target: ForgetTarget): Promise<Forgotten> {
  const { sql, owner } = scope;
  const forgotten = await sql.transaction(async (tx) => {
    const turn = await takeTurn(tx, owner);
    const done = { blocks: 0, events: 0, mutations: 0 };
    const touched = await readTouched(turn, target);
    const gone = new Set(touched.filter(isGone).map(({ id }) => id));
    for (const { id, block, rest, held } of touched) {
      done.events += await scrubEvents(tx, owner, id);
      if (held) done.mutations += await deleteMutations(tx, owner, id, block === null ? "" : toKey(block.label));
      if (block === null) continue;
      await changeRows(tx, (statement) => storeBlock(statement, owner, block, null));
      turn.blocks -= 1;
      turn.characters -= block.content.length;
      if (gone.has(id)) done.blocks += 1;
      else await restate(turn, scope, block, rest, gone);
    }
    done.mutations += await forgetMutations(turn, target);
    await saveTurn(turn);
    return done;
  });
  await sql.reclaim?.();
  return forgotten;
}

function isGone({ rest }: Touched): boolean {
  return rest.trim() === "";
}

async function readTouched(turn: Turn, target: ForgetTarget): Promise<readonly Touched[]> {
  const touched = new Map<string, Touched>();
  const lock = (id: string) => lockBlockById(turn.tx, turn.owner, id);
  for (const id of await selectTouched(turn, target)) {
    const block = await lock(id);
    touched.set(id, { id, block, rest: block === null ? "" : await keptOf(turn, block, target), held: true });
  }
  // Goes on over those that it adds.
  for (const found of touched.values()) {
    for (const id of isGone(found) ? await selectSuperseding(turn, found.id) : []) {
      if (touched.has(id)) continue;
      const block = await lock(id);
      touched.set(id, { id, block, rest: block?.content ?? "", held: false });
    }
  }
  return [...touched.values()];
}

async function restate(
  turn: Turn,
  scope: Scope,
  block: MemoryBlock,
  content: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  const again = { id: block.id, version: block.version };
  const is = toState({ ...block, supersedes: block.supersedes?.filter((id) => !gone.has(id)) ?? [] });
  const change = { kind: "created", block: null, is, splice: replaceAll("", content), again } as const;
  await applyChange(turn, change, toAccount(scope, null));
}

/** Blocks of which an event says that they superseded another. */
async function selectSuperseding({ tx, owner }: Turn, id: string): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT block_id AS id FROM dispatch_memory.event
     WHERE owner = $1 AND kind <> 'forgotten' AND (
       was::jsonb -> 'supersedes' @> to_jsonb($2::text) OR "is"::jsonb -> 'supersedes' @> to_jsonb($2::text)
     ) ORDER BY id`,
    [owner, id],
  );
  return rows.map((row) => row.id);
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
