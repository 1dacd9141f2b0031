import { randomUUID } from "node:crypto";
import { deleteBlock, insertBlock, updateContent, updatePermission } from "./block-rows.ts";
import { insertEvent } from "./event-rows.ts";
import type { Label } from "./label.ts";
import type { MemoryActor } from "./memory-actor.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { Permission } from "./permission.ts";
import { writePassages } from "./passage-rows.ts";
import { splice } from "./replay.ts";
import type { SqlQuery } from "./sql.ts";
import type { Tier } from "./tier.ts";

/** A change of one block. */
export type Change =
  | {
      readonly kind: "created";
      readonly id?: string;
      readonly version?: number;
      readonly tier: Tier;
      readonly permission: Permission;
      readonly content: string;
    }
  | {
      readonly kind: "edited";
      readonly block: MemoryBlock;
      readonly offset: number;
      readonly before: string;
      readonly after: string;
    }
  | { readonly kind: "permission_changed"; readonly block: MemoryBlock; readonly permission: Permission }
  | { readonly kind: "removed"; readonly block: MemoryBlock };

/** What the history says of a change besides the change. */
export interface Account {
  /** Who. */
  readonly actor: MemoryActor;
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

/** Makes a change and adds its event: the one place where blocks and history change, always together. The owner must be locked. */
export async function applyChange(
  tx: SqlQuery,
  owner: string,
  label: Label,
  change: Change,
  account: Account,
): Promise<Changed> {
  const was = change.kind === "created" ? null : change.block;
  const block = await writeRow(tx, owner, label, change);
  if (change.kind === "created" || change.kind === "edited") await writePassages(tx, owner, block, was);
  const text = textOf(change);
  const event = await insertEvent(tx, owner, label.key, {
    blockId: block.id,
    label: block.label,
    tier: block.tier,
    kind: change.kind,
    version: change.kind === "removed" ? block.version + 1 : block.version,
    permissionBefore: was?.permission ?? null,
    permission: block.permission,
    ...text,
    actor: account.actor,
    reason: account.reason,
    mutationId: account.mutationId ?? null,
    undoes: account.undoes ?? null,
    at: change.kind === "removed" ? null : block.updatedAt,
  });
  return { block, event };
}

async function writeRow(tx: SqlQuery, owner: string, label: Label, change: Change): Promise<MemoryBlock> {
  switch (change.kind) {
    case "created": {
      const { id = randomUUID(), version = 1, tier, permission, content } = change;
      return insertBlock(tx, owner, label, { id, version, tier, permission, content });
    }
    case "edited": {
      const content = splice(change.block.content, change);
      if (content === undefined) throw new Error("a splice does not fit the block it was made for");
      return updateContent(tx, owner, change.block, content);
    }
    case "permission_changed":
      return updatePermission(tx, owner, change.block, change.permission);
    case "removed":
      await deleteBlock(tx, owner, change.block.id);
      return change.block;
  }
}

function textOf(change: Change): Pick<MemoryEvent, "offset" | "before" | "after"> {
  switch (change.kind) {
    case "created":
      return { offset: 0, before: "", after: change.content };
    case "edited":
      return { offset: change.offset, before: change.before, after: change.after };
    case "permission_changed":
      return { offset: 0, before: "", after: "" };
    case "removed":
      return { offset: 0, before: change.block.content, after: "" };
  }
}
