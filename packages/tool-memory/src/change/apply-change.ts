import { randomUUID } from "node:crypto";
import {
  type BlockState,
  type MemoryBlock,
  type Source,
  type TierPermissions,
  toState,
  type Trust,
} from "../block/memory-block.ts";
import {
  type MemoryActor,
  type MemoryEvent,
  type MemoryEventKind,
  type Splice,
  splice,
} from "../block/memory-event.ts";
import type { MemoryLimits, Retention } from "../block/memory-limits.ts";
import type { Database } from "../database/database.ts";
import { changeRows } from "../rows/columns.ts";
import { insertEvent } from "../rows/event-rows.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import { storeBlock } from "../rows/store-block.ts";

/** A change of one block: from `block` to `is`, its text by a splice. */
export interface Change {
  readonly kind: Exclude<MemoryEventKind, "forgotten">;
  /** The present block, `null` to create one. */
  readonly block: MemoryBlock | null;
  /** The state after the change, `null` to remove the block. */
  readonly is: BlockState | null;
  /** The change of its text. */
  readonly splice: Splice;
  /** The id and version of a removed block to restore. Default: a new block. */
  readonly again?: Pick<MemoryBlock, "id" | "version"> | undefined;
}

/** The rules for changes. */
export interface Policy {
  readonly permissions: TierPermissions;
  /** The lowest trust with which a text enters core without a person's approval. */
  readonly coreTrust: Trust;
  readonly limits: MemoryLimits;
  readonly retention: Retention;
}

/** The owner, the author and the rules of all changes by one manager or admin. Bound when the memory is opened. */
export interface Scope {
  readonly sql: Database;
  /** The owner of the memory; every statement names it. */
  readonly owner: string;
  readonly actor: MemoryActor;
  /** The session, `null` when none was named. */
  readonly session: string | null;
  readonly source: Source;
  readonly policy: Policy;
  /** Every write is queued for a person, also one that a permission allows. Default false. */
  readonly proposesOnly?: boolean | undefined;
}

/** A scope without its database: plain data. */
export type Rules = Omit<Scope, "sql">;

/** The result of a change. */
export interface Changed {
  /** The block after the change; for `removed`, the block before it. */
  readonly block: MemoryBlock;
  /** The event of the change. */
  readonly event: MemoryEvent;
}

/** The splice of a change that leaves the text as it is. */
export const NO_SPLICE: Splice = Object.freeze({ offset: 0, before: "", after: "" });

/** The splice that replaces a whole text. */
export function replaceAll(before: string, after: string): Splice {
  return before === after ? NO_SPLICE : { offset: 0, before, after };
}

/**
 * Changes a block and adds the event, in one statement. Blocks and history never change in any other way.
 *
 * @param reason for the history, with the proposal that was approved or the event that is undone.
 */
export async function applyChange(
  locked: LockedOwner,
  change: Change,
  { actor, session }: Pick<Rules, "actor" | "session">,
  reason: string | null | undefined,
  { mutationId = null, undoes = null }: { readonly mutationId?: string | null; readonly undoes?: number | null } = {},
): Promise<Changed> {
  const { kind, block: was, is } = change;
  const content = splice(was?.content ?? "", change.splice);
  if (content === undefined) throw new Error("a splice does not fit the block it was made for");
  const { id, version } = was ?? change.again ?? { id: newBlockId(), version: 0 };
  const state = is ?? was;
  if (state === null) throw new Error("a block that does not exist was to be removed");
  const times = { createdAt: was?.createdAt ?? locked.at, updatedAt: locked.at };
  const block: MemoryBlock = { id, ...toState(state), content, version: version + 1, ...times };
  locked.chars += change.splice.after.length - change.splice.before.length;
  locked.blocks += (is === null ? 0 : 1) - (was === null ? 0 : 1);
  const event = await changeRows(locked.tx, (statement) => {
    storeBlock(locked.tx.dialect, statement, locked.owner, was, is && block);
    return insertEvent(statement, locked, {
      blockId: id,
      label: block.label,
      kind,
      version: block.version,
      was: was && toState(was),
      is: is && toState(is),
      ...change.splice,
      actor,
      session,
      reason: reason ?? null,
      mutationId,
      undoes,
    });
  });
  return { block: is === null && was !== null ? was : block, event };
}

/**
 * An id for a new block: a UUID of version 7 (RFC 9562), which begins with the time. New blocks then stand together in each index,
 * and a write touches few pages.
 */
function newBlockId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice("00000000-0000-0".length)}`;
}
