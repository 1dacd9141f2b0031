import { toKey } from "../block/label.ts";
import type { Forgotten, ForgetTarget } from "../block/memory-admin.ts";
import { toState, type MemoryBlock } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import { selectBlockById } from "../rows/block-rows.ts";
import { changeRows } from "../rows/columns.ts";
import { scrubEvents, selectBlockEvents, toBlockState } from "../rows/event-rows.ts";
import { saveCounts, withOwner, type LockedOwner } from "../rows/lock-owner.ts";
import { deleteMutations } from "../rows/mutation-rows.ts";
import { storeBlock } from "../rows/store-block.ts";
import { applyChange, replaceAll, type Scope } from "./apply-change.ts";

/** A block that forgetting changes, and the text it keeps. */
interface Touched {
  readonly id: string;
  /** The block, `null` when it was removed before. */
  readonly block: MemoryBlock | null;
  /** The text it keeps, empty when the block is deleted. */
  readonly rest: string;
  /** Whether it contained forgotten content. False: it only superseded a block that is deleted. */
  readonly held: boolean;
}

/**
 * Deletes content from every row. The events of each affected block keep only their position, time and hashes. A block that
 * keeps other lines starts a new history with its remaining text; so does a block that superseded a deleted one.
 */
export async function forgetBlocks(scope: Scope, target: ForgetTarget): Promise<Forgotten> {
  const { sql, owner } = scope;
  const forgotten = await withOwner(sql, owner, async (locked) => {
    const { tx } = locked;
    const done = { blocks: 0, events: 0, mutations: 0 };
    const touched = await readTouched(locked, target);
    const gone = new Set(touched.filter(isGone).map(({ id }) => id));
    for (const { id, block, rest, held } of touched) {
      done.events += await scrubEvents(tx, owner, id);
      if (held) done.mutations += await deleteMutations(tx, owner, id, block === null ? "" : toKey(block.label));
      if (block === null) continue;
      await changeRows(tx, (statement) => storeBlock(tx.dialect, statement, owner, block, null));
      locked.blocks -= 1;
      locked.chars -= block.content.length;
      if (gone.has(id)) done.blocks += 1;
      else await restate(locked, scope, block, rest, gone);
    }
    done.mutations += await forgetMutations(locked, target);
    await saveCounts(locked);
    return done;
  });
  await sql.reclaim();
  return forgotten;
}

function isGone({ rest }: Touched): boolean {
  return rest.trim() === "";
}

async function readTouched(locked: LockedOwner, target: ForgetTarget): Promise<readonly Touched[]> {
  const touched = new Map<string, Touched>();
  const read = (id: string) => selectBlockById(locked.tx, locked.owner, id);
  for (const id of await selectTouched(locked, target)) {
    const block = await read(id);
    touched.set(id, { id, block, rest: block === null ? "" : await keptOf(locked, block, target), held: true });
  }
  // The loop also visits the entries that it adds.
  for (const found of touched.values()) {
    for (const id of isGone(found) ? await selectSuperseding(locked, found.id) : []) {
      if (touched.has(id)) continue;
      const block = await read(id);
      touched.set(id, { id, block, rest: block?.content ?? "", held: false });
    }
  }
  return [...touched.values()];
}

async function restate(
  locked: LockedOwner,
  scope: Scope,
  block: MemoryBlock,
  content: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  const again = { id: block.id, version: block.version };
  const is = toState({ ...block, supersedes: block.supersedes?.filter((id) => !gone.has(id)) ?? [] });
  const change = { kind: "created", block: null, is, splice: replaceAll("", content), again } as const;
  await applyChange(locked, change, scope, null);
}

/** Ids of the blocks that superseded a block at any time, according to the events. */
async function selectSuperseding({ tx, owner }: LockedOwner, id: string): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string; was: string | null; is: string | null }>(
    `SELECT block_id AS id, was, "is" FROM dispatch_memory.event
     WHERE owner = $1 AND kind <> 'forgotten' AND (was LIKE $2 OR "is" LIKE $2) ORDER BY block_id`,
    [owner, `%"${id}"%`],
  );
  const named = rows.filter(({ was, is }) =>
    [was, is].some((state) => toBlockState(state)?.supersedes?.includes(id) === true),
  );
  return [...new Set(named.map((row) => row.id))];
}

async function selectTouched(
  { tx, owner }: LockedOwner,
  { label, actor, match }: ForgetTarget,
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT block_id AS id FROM dispatch_memory.event
     WHERE owner = $1 AND kind <> 'forgotten' AND (key = $2 OR actor_id = $3 OR mutation_id IN (
         SELECT id FROM dispatch_memory.mutation WHERE owner = $1 AND actor_id = $3)
       OR ${tx.dialect.contains('label, before, after, reason, was, "is", actor_id, session', "$4")})
     UNION SELECT id FROM dispatch_memory.block
     WHERE owner = $1 AND (key = $2 OR ${tx.dialect.contains("label, content", "$4")})
     ORDER BY id`,
    [owner, label === undefined ? null : toKey(label), actor ?? null, match ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the proposals that contain forgotten content, including those for blocks that were never created. */
async function forgetMutations({ tx, owner }: LockedOwner, { label, actor, match }: ForgetTarget): Promise<number> {
  const params = [owner, label === undefined ? null : toKey(label), actor ?? null, match ?? null];
  const rows = await tx.query(
    `DELETE FROM dispatch_memory.mutation WHERE owner = $1 AND (key = $2 OR actor_id = $3
       OR ${tx.dialect.contains("label, new_label, before, proposed, reason, feedback, actor_id, session, resolved_by", "$4")})
     RETURNING 1 AS one`,
    params,
  );
  await tx.query("UPDATE dispatch_memory.mutation SET resolved_by = NULL WHERE owner = $1 AND resolved_by = $2", [
    owner,
    actor ?? null,
  ]);
  return rows.length;
}

/** The text that a block keeps. */
async function keptOf(locked: LockedOwner, block: MemoryBlock, { label, actor, match }: ForgetTarget): Promise<string> {
  if (label !== undefined) return "";
  if (match !== undefined) {
    const holds = (text: string): boolean => text.toLowerCase().includes(match.toLowerCase());
    if (holds(block.label)) return "";
    const lines = block.content.split("\n").filter((line) => !holds(line));
    return holds(lines.join("\n")) ? "" : lines.join("\n");
  }
  const events = await selectBlockEvents(locked.tx, locked.owner, block.id, 0);
  const proposals = await locked.tx.query<{ id: string }>(
    "SELECT id FROM dispatch_memory.mutation WHERE owner = $1 AND actor_id = $2",
    [locked.owner, actor ?? null],
  );
  const proposed = new Set(proposals.map(({ id }) => id));
  return withoutActor(events, (event) => event.actor.id === actor || proposed.has(event.mutationId ?? ""));
}

/** The text that results from events without an actor's contributions: neither their characters nor repetitions of their lines. */
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
