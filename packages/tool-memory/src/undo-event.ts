import { applyChange, type Change } from "./apply-change.ts";
import { lockBlock, lockOwner } from "./block-rows.ts";
import { checkText } from "./check-text.ts";
import { selectEvent } from "./event-rows.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { Undone, UndoConflict } from "./memory-steward.ts";
import { refuse, type Refusal } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { undoSupersession } from "./supersede.ts";

/** Reverses an event by a new one, if the block is still what the event made of it. */
export async function undoEvent(
  scope: Scope,
  seq: number,
  reason: string | undefined,
): Promise<Undone | UndoConflict | Refusal> {
  const { owner, actor, policy } = scope;
  const bad = checkText("Reason", reason ?? "", policy.limits.reasonCharacters);
  if (bad) return bad;
  if (!Number.isSafeInteger(seq))
    return refuse("not_found", `Undo refused: ${String(seq)} is no event; history lists them`);
  return scope.sql.transaction(async (tx) => {
    await lockOwner(tx, owner);
    const event = await selectEvent(tx, owner, seq);
    if (event === null) return refuse("not_found", `Undo refused: there is no event ${seq}; history lists them`);
    const block = await lockBlock(tx, owner, event.key);
    const change = inverse(event, block);
    if (change === undefined) {
      return {
        outcome: "conflict",
        current: block,
        reason: `Undo of event ${seq} not done: ${event.label} is not what that event made of it any more; undo its later events first`,
      };
    }
    const label = { text: event.label, key: event.key };
    const changed = await applyChange(tx, owner, label, change, { actor, reason: reason ?? null, undoes: seq });
    await undoSupersession(tx, owner, seq);
    return { outcome: "undone", event: changed.event, block: change.kind === "removed" ? null : changed.block };
  });
}

function inverse(event: MemoryEvent, block: MemoryBlock | null): Change | undefined {
  if (event.kind === "removed") {
    if (block !== null) return undefined;
    const { blockId: id, tier, permission, before: content } = event;
    return { kind: "created", id, version: event.version + 1, tier, permission, content };
  }
  if (block?.id !== event.blockId) return undefined;
  switch (event.kind) {
    case "created":
      return block.content === event.after && block.permission === event.permission
        ? { kind: "removed", block }
        : undefined;
    case "edited": {
      const { offset, before: after, after: before } = event;
      const stands = block.content.length === offset + before.length && block.content.endsWith(before);
      return stands ? { kind: "edited", block, offset, before, after } : undefined;
    }
    case "permission_changed":
      return event.permissionBefore !== null && block.permission === event.permission
        ? { kind: "permission_changed", block, permission: event.permissionBefore }
        : undefined;
  }
}
