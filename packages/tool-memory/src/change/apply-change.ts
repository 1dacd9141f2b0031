import { randomUUID } from "node:crypto";
import type { MemoryActor } from "../block/memory-actor.ts";
import { toState, type BlockState, type MemoryBlock } from "../block/memory-block.ts";
import type { MemoryEvent, MemoryEventKind, Splice } from "../block/memory-event.ts";
import { splice } from "../block/replay.ts";
import { changeRows } from "../rows/change-statement.ts";
import { insertEvent } from "../rows/event-rows.ts";
import { storeBlock } from "../rows/store-block.ts";
import type { Turn } from "../rows/turn.ts";

/** A change of one block: from `block` to `is`, its text by a splice. */
export interface Change {
  /** What it is called in the history. */
  readonly kind: Exclude<MemoryEventKind, "forgotten">;
  /** The block as it is, `null` to create it. */
  readonly block: MemoryBlock | null;
  /** What it becomes, `null` to remove it. */
  readonly is: BlockState | null;
  /** How its text changes. */
  readonly splice: Splice;
  /** The block to bring back, when it was removed before. Default: a new one. */
  readonly again?: Pick<MemoryBlock, "id" | "version"> | undefined;
}

/** What the history says of a change besides the change. */
export interface Account {
  /** Who. */
  readonly actor: MemoryActor;
  /** In which run. */
  readonly session: string | null;
  /** Why. */
  readonly reason: string | null;
  /** The proposal carried out, if any. */
  readonly mutationId?: string | null;
  /** The event undone, if any. */
  readonly undoes?: number | null;
}

/** A change that was made. */
export interface Changed {
  /** The block as it is now; for `removed`, as it last was. */
  readonly block: MemoryBlock;
  /** The event that says so. */
  readonly event: MemoryEvent;
}

/** A text that does not change. */
export const NO_SPLICE: Splice = Object.freeze({ offset: 0, before: "", after: "" });

/** The splice that replaces a whole text. */
export function replaceAll(before: string, after: string): Splice {
  return before === after ? NO_SPLICE : { offset: 0, before, after };
}

/** Makes a change and adds its event: the one place where blocks and history change, always together, in one statement. */
export async function applyChange(turn: Turn, change: Change, account: Account): Promise<Changed> {
  const { kind, block: was, is } = change;
  const content = splice(was?.content ?? "", change.splice);
  if (content === undefined) throw new Error("a splice does not fit the block it was made for");
  const { id, version } = was ?? change.again ?? { id: randomUUID(), version: 0 };
  const state = is ?? was;
  if (state === null) throw new Error("a block that does not exist was to be removed");
  const times = { createdAt: was?.createdAt ?? turn.at, updatedAt: turn.at };
  const block: MemoryBlock = { id, ...toState(state), content, version: version + 1, ...times };
  turn.characters += change.splice.after.length - change.splice.before.length;
  turn.blocks += (is === null ? 0 : 1) - (was === null ? 0 : 1);
  const event = await changeRows(turn.tx, (statement) => {
    storeBlock(statement, turn.owner, was, is && block);
    return insertEvent(statement, turn, {
      blockId: id,
      label: block.label,
      kind,
      version: block.version,
      was: was && toState(was),
      is: is && toState(is),
      offset: change.splice.offset,
      before: change.splice.before,
      after: change.splice.after,
      actor: account.actor,
      session: account.session,
      reason: account.reason,
      mutationId: account.mutationId ?? null,
      undoes: account.undoes ?? null,
    });
  });
  return { block: is === null && was !== null ? was : block, event };
}
