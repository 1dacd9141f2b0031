import { quote, toKey } from "../block/label.ts";
import type { UndoConflict, Undone, UndoTarget } from "../block/memory-admin.ts";
import { type MemoryBlock, toState, leastTrusted } from "../block/memory-block.ts";
import type { MemoryEvent, Splice } from "../block/memory-event.ts";
import { selectBlock, selectBlockById } from "../rows/block-rows.ts";
import { selectBlockEvents, selectEvent, selectHistory } from "../rows/event-rows.ts";
import { type LockedOwner, withOwner } from "../rows/lock-owner.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { checkText, type Refusal, refuse } from "../text/refusal.ts";
import { applyChange, type Change, NO_SPLICE, type Scope } from "./apply-change.ts";
import { withoutSuperseded } from "./supersede.ts";

/** Maximum number of events undone at one time. */
const MAX_EVENTS = 10_000;

/** Rolls the transaction back and carries the result out of it. */
class RollbackError extends Error {
  readonly result: UndoConflict;
  constructor(result: UndoConflict) {
    super("undo rolled back");
    this.result = result;
  }
}

/** Reverses events by adding new ones, latest first: all of them, or none when a later change conflicts with one. */
export async function undoEvents(
  scope: Scope,
  target: UndoTarget,
  reason: string | undefined,
): Promise<Undone | UndoConflict | Refusal> {
  const bad = checkText("Reason", reason ?? "", scope.policy.limits.reasonChars);
  if (bad) return bad;
  try {
    return await withOwner(scope.sql, scope.owner, async (locked) => {
      const found = await selectTarget(locked, target);
      return "outcome" in found ? found : await undoAll(locked, scope, found, reason);
    });
  } catch (error) {
    if (error instanceof RollbackError) return error.result;
    throw error;
  }
}

async function undoAll(
  locked: LockedOwner,
  scope: Scope,
  events: readonly MemoryEvent[],
  reason: string | undefined,
): Promise<Undone> {
  const undone: MemoryEvent[] = [];
  const conflicts = new Map<string, UndoConflict["conflicts"][number]>();
  const blocks = new Map<string, MemoryBlock | null>();
  for (const event of events) {
    if (conflicts.has(event.blockId)) continue;
    const block = await selectBlockById(locked.tx, locked.owner, event.blockId);
    const change = await inverse(locked, event, block);
    if (change === undefined) {
      conflicts.set(event.blockId, { seq: event.seq, label: event.label, current: block });
      continue;
    }
    const changed = await applyChange(locked, change, scope, reason, { undoes: event.seq });
    undone.push(changed.event);
    blocks.set(event.blockId, change.is === null ? null : changed.block);
  }
  if (conflicts.size === 0)
    return { outcome: "undone", events: undone, blocks: [...blocks.values()].filter((b) => b !== null) };
  const list = [...conflicts.values()];
  const names = list.map(({ seq, label }) => `event ${seq} (${quote(label)})`).join(", ");
  throw new RollbackError({
    outcome: "conflict",
    conflicts: list,
    reason: `Undo not done, nothing was changed: what ${names} did does not stand any more; undo the later events of these blocks first`,
  });
}

async function selectTarget(locked: LockedOwner, target: UndoTarget): Promise<readonly MemoryEvent[] | Refusal> {
  if (typeof target === "number" || Array.isArray(target)) {
    const events: MemoryEvent[] = [];
    for (const seq of new Set([target].flat().toSorted((a, b) => b - a))) {
      const event = Number.isSafeInteger(seq) ? await selectEvent(locked.tx, locked.owner, seq) : null;
      if (event === null || event.kind === "forgotten") {
        return refuse("not_found", `Undo refused: there is no event ${String(seq)} to undo; history lists them`);
      }
      events.push(event);
    }
    return events;
  }
  const { actor, session, since } = target as Exclude<UndoTarget, number | readonly number[]>;
  if (actor === undefined && session === undefined) {
    return refuse(
      "invalid_value",
      "Undo refused: neither actor nor session was named, allowed are both or one of them",
    );
  }
  if (since !== undefined && Number.isNaN(Date.parse(since))) {
    return refuse("invalid_value", `Undo refused: ${toPromptJson(since)} is no time, allowed is ISO 8601`);
  }
  const events = await selectHistory(locked.tx, locked.owner, { actor, session, since, limit: MAX_EVENTS + 1 });
  if (events.length > MAX_EVENTS) {
    return refuse(
      "too_large",
      `Undo refused: it has more than ${MAX_EVENTS} events, allowed are so many; name a later since`,
    );
  }
  return leaveOutUndone(
    locked,
    events.filter(({ kind }) => kind !== "forgotten"),
  );
}

/** Leaves out events that are already undone, together with the events that undid them. */
async function leaveOutUndone(locked: LockedOwner, events: readonly MemoryEvent[]): Promise<readonly MemoryEvent[]> {
  const rows = await locked.tx.query<{ seq: number; undoes: number }>(
    `SELECT CAST(seq AS double precision) AS seq, CAST(undoes AS double precision) AS undoes FROM dispatch_memory.event
     WHERE owner = $1 AND undoes IS NOT NULL ORDER BY event.seq DESC`,
    [locked.owner],
  );
  const gone = new Set<number>();
  for (const { seq, undoes } of rows) if (!gone.has(seq)) gone.add(undoes);
  const chosen = new Set(events.map(({ seq }) => seq));
  const pairs = new Set(rows.filter(({ seq, undoes }) => !gone.has(seq) && chosen.has(undoes)).map(({ seq }) => seq));
  return events.filter(({ seq }) => !gone.has(seq) && !pairs.has(seq));
}

async function inverse(
  locked: LockedOwner,
  event: MemoryEvent,
  block: MemoryBlock | null,
): Promise<Change | undefined> {
  const { offset, before: after, after: before, was, is } = event;
  if (was !== null && is === null) return bringBack(locked, event, block);
  if (block === null || is === null) return undefined;
  const later = await selectBlockEvents(locked.tx, locked.owner, block.id, event.seq);
  const untouched = JSON.stringify(toState(block)) === JSON.stringify(toState(is));
  switch (event.kind) {
    case "created":
      return untouched && block.content === event.after
        ? { kind: "removed", block, is: null, splice: { offset, before, after: "" } }
        : undefined;
    case "edited": {
      const at = locateSplice(event, later);
      if (at === undefined || was === null) return undefined;
      // Later additions may be less trusted than the text was, so only an otherwise untouched text regains its old trust. A
      // text that was less trusted brings its own back.
      const { source, trust } = untouched && withoutUndone(later).length === 0 ? was : leastTrusted(block, was);
      const splice = { offset: at, before, after };
      const empties = block.content.length === before.length && after === "";
      const validFrom = block.validFrom === is.validFrom ? was.validFrom : block.validFrom;
      const back = toState({ ...withoutSuperseded(block, event), source, trust, validFrom });
      return empties ? undefined : { kind: "edited", block, is: back, splice };
    }
    case "moved":
      return untouched && was !== null && (await isFree(locked, was.label, block.id))
        ? { kind: "moved", block, is: was, splice: NO_SPLICE }
        : undefined;
    case "permission_changed":
      return block.permission === is.permission && was !== null
        ? { kind: event.kind, block, is: { ...toState(block), permission: was.permission }, splice: NO_SPLICE }
        : undefined;
    case "removed":
    case "forgotten":
      return undefined;
  }
}

async function bringBack(
  locked: LockedOwner,
  event: MemoryEvent,
  block: MemoryBlock | null,
): Promise<Change | undefined> {
  const { was, before: content, blockId: id, version } = event;
  if (block !== null || was === null || !(await isFree(locked, was.label, id))) return undefined;
  return {
    kind: "created",
    block: null,
    is: was,
    splice: { offset: 0, before: "", after: content },
    again: { id, version },
  };
}

async function isFree(locked: LockedOwner, label: string, id: string): Promise<boolean> {
  const there = await selectBlock(locked.tx, locked.owner, toKey(label));
  return there === null || there.id === id;
}

/**
 * The present offset of the text that an event inserted. `undefined` when a later event changed that text, or changed its
 * surroundings so that its borders are lost. Events that were undone do not count.
 *
 * @param later the block's later events, oldest first.
 */
function locateSplice(event: Splice, later: readonly MemoryEvent[]): number | undefined {
  let { offset } = event;
  for (const next of withoutUndone(later)) {
    const moved = shift({ offset, length: event.after.length }, next);
    if (moved === undefined) return undefined;
    offset = moved;
  }
  return offset;
}

/** The offset of a span after a splice, `undefined` when the splice changes the span itself. */
function shift(span: { readonly offset: number; readonly length: number }, by: Splice): number | undefined {
  if (by.before === "" && by.after === "") return span.offset;
  const end = by.offset + by.before.length;
  if (by.offset >= span.offset + span.length) return span.offset;
  return end <= span.offset ? span.offset + by.after.length - by.before.length : undefined;
}

/**
 * Removes each undone event together with the event that undid it, and moves the events between them accordingly. Returns
 * all events unchanged when one between touches the undone text.
 */
function withoutUndone(events: readonly MemoryEvent[]): readonly Splice[] {
  const list: (Splice & Pick<MemoryEvent, "seq" | "undoes">)[] = [...events];
  for (let at = 0; at < list.length; at++) {
    const undone = list.findIndex(({ seq }) => seq === list[at]?.undoes);
    const first = list[undone];
    if (undone < 0 || undone >= at || first === undefined) continue;
    const { length } = first.after;
    let { offset } = first;
    const between: typeof list = [];
    for (const next of list.slice(undone + 1, at)) {
      const isAfter = next.offset >= offset + length;
      between.push(isAfter ? { ...next, offset: next.offset - length + first.before.length } : next);
      const moved = shift({ offset, length }, next);
      if (moved === undefined) return events;
      offset = moved;
    }
    list.splice(undone, at - undone + 1, ...between);
    at = undone + between.length - 1;
  }
  return list;
}
