import { quote, toLabel } from "../block/label.ts";
import type { ForgetTarget, MemoryAdmin, Rejected, Verified } from "../block/memory-admin.ts";
import { toState, type Permission, PERMISSIONS } from "../block/memory-block.ts";
import { replayEvents } from "../block/memory-event.ts";
import type { Applied, Conflict } from "../block/memory-manager.ts";
import type { PendingMutation } from "../block/mutation.ts";
import { applyChange, NO_SPLICE, type Scope } from "../change/apply-change.ts";
import { approveMutation } from "../change/approve-mutation.ts";
import type { Proposal } from "../change/decide.ts";
import { forgetBlocks } from "../change/forget-blocks.ts";
import { undoEvents } from "../change/undo-events.ts";
import { writeBlock } from "../change/write-block.ts";
import { importMemory } from "../history/import-memory.ts";
import { verifyHistory } from "../history/verify-history.ts";
import { selectBlock, selectBlocks } from "../rows/block-rows.ts";
import { selectEvents, selectHistory } from "../rows/event-rows.ts";
import { withOwner } from "../rows/lock-owner.ts";
import {
  selectMutation,
  selectMutations,
  selectPending,
  toPending,
  toRecord,
  expireMutations,
  extendExpiry,
  resolveMutation,
} from "../rows/mutation-rows.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { MemoryError } from "../text/memory-error.ts";
import { checkText, type Refusal, refuse } from "../text/refusal.ts";

const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 1_000;
/** A shorter text would match nearly every line. */
const MIN_MATCH_CHARS = 3;

/** Makes the admin, a person's side of a memory, over a database. The actor of the scope must be the person. */
export function createAdmin(scope: Scope): MemoryAdmin {
  const { sql, owner, policy } = scope;
  const keyOf = (label: string): string | null => {
    const read = toLabel(label, policy.limits);
    return "key" in read ? read.key : null;
  };
  // A person's change is never queued. One that expects no version meets no conflict.
  const write = (proposal: Proposal) => writeBlock(scope, proposal) as Promise<Applied | Refusal | Conflict>;
  const change = (proposal: Proposal) => writeBlock(scope, proposal) as Promise<Applied | Refusal>;
  const pending = () => selectPending(sql, owner);
  const approve: MemoryAdmin["approve"] = (id, options = {}) => approveMutation(scope, id, options);
  return Object.freeze({
    async get(label) {
      const key = keyOf(label);
      return key === null ? null : selectBlock(sql, owner, key);
    },
    write: ({ source = scope.source, ...request }) => write({ ...request, source, op: "write" }),
    move: (label, { newLabel, tier, reason }) =>
      change({ op: "move", label, newLabel, tier, reason, source: scope.source }),
    remove: (label, { reason } = {}) => change({ op: "remove", label, reason, source: scope.source }),
    pending,
    approve,
    async approveAll(ids) {
      const results: Awaited<ReturnType<typeof approve>>[] = [];
      for (const id of ids ?? (await pending()).map((mutation) => mutation.id)) results.push(await approve(id));
      return results;
    },
    extend: (id, days) => extendMutation(scope, id, days),
    reject: (id, reason) => rejectMutation(scope, id, reason),
    setPermission: (label, permission, { reason } = {}) => changePermission(scope, label, permission, reason),
    async history(label, { limit = DEFAULT_EVENTS, ...filter } = {}) {
      const key = label === undefined ? undefined : keyOf(label);
      if (key === null) return [];
      const count = Number.isFinite(limit) ? Math.min(Math.max(Math.trunc(limit), 1), MAX_EVENTS) : DEFAULT_EVENTS;
      return selectHistory(sql, owner, { ...filter, key, limit: count });
    },
    async at(moment) {
      const events = await withOwner(sql, owner, ({ tx }) => selectEvents(tx, owner));
      const time = "time" in moment ? Date.parse(moment.time) : Number.NaN;
      if ("time" in moment && Number.isNaN(time)) {
        throw new MemoryError(
          `Cannot look at a moment: the time is ${toPromptJson(moment.time)}, allowed is ISO 8601`,
          "memory_options",
        );
      }
      // The clock may have gone back. The order of events counts, not their times.
      const last = events.findLast(({ seq, at }) => ("seq" in moment ? seq <= moment.seq : Date.parse(at) <= time));
      return replayEvents(events.filter(({ seq }) => seq <= (last?.seq ?? 0)));
    },
    undo: (target, { reason } = {}) => undoEvents(scope, target, reason),
    async forget(asked) {
      const target = typeof asked === "string" ? { label: asked } : asked;
      return whyNotForgotten(target, keyOf) ?? (await forgetBlocks(scope, target));
    },
    async verify(noted) {
      const toFault = (damage: string): Verified => ({ ok: false, seq: 0, reason: `the file is damaged: ${damage}` });
      try {
        const damage = await sql.check();
        if (damage !== undefined) return toFault(damage);
        const verified = await withOwner(sql, owner, (locked) => verifyHistory(locked, noted));
        const difference = verified.ok ? await sql.checkSearch() : undefined;
        return difference === undefined ? verified : toFault(difference);
      } catch (error) {
        if (!MemoryError.isInstance(error) || error.code !== "memory_damaged") throw error;
        return toFault(error.message);
      }
    },
    export: () =>
      withOwner(sql, owner, async ({ tx }) => ({
        format: "dispatch-memory/1",
        owner,
        exportedAt: new Date().toISOString(),
        blocks: await selectBlocks(tx, owner),
        events: await selectEvents(tx, owner),
        mutations: await selectMutations(tx, owner),
      })),
    import: (pieces, options = {}) => importMemory(scope, pieces, options),
  } satisfies MemoryAdmin);
}

function whyNotForgotten(target: ForgetTarget, keyOf: (label: string) => string | null): Refusal | undefined {
  const named = [target.label, target.actor, target.match].filter((value) => value !== undefined);
  if (named.length !== 1 || named[0] === "") {
    return refuse("invalid_value", "Forgetting refused: allowed is exactly one of label, actor and match, not empty");
  }
  if (target.label !== undefined && keyOf(target.label) === null) {
    return refuse("invalid_label", `Forgetting refused: ${toPromptJson(target.label)} is not a label`);
  }
  if (target.match !== undefined && target.match.trim().length < MIN_MATCH_CHARS) {
    return refuse("invalid_value", `Forgetting refused: the text has less than ${MIN_MATCH_CHARS} characters`);
  }
  return undefined;
}

/** Extends the time of a pending proposal. */
async function extendMutation(scope: Scope, id: string, days: number): Promise<PendingMutation | Refusal> {
  if (!Number.isInteger(days) || days < 1 || days > 3_650) {
    return refuse("invalid_value", `Extension refused: ${String(days)} days were given, allowed are 1 to 3650`);
  }
  return withOwner(scope.sql, scope.owner, async ({ tx }) => {
    await expireMutations(tx, scope.owner);
    const found = await selectMutation(tx, scope.owner, id);
    if (found?.status !== "pending") {
      return refuse(
        "not_found",
        `Extension refused: no proposal ${toPromptJson(id)} waits; pending lists those that do`,
      );
    }
    await extendExpiry(tx, scope.owner, id, days);
    return toPending((await selectMutation(tx, scope.owner, id)) ?? found);
  });
}

/** Rejects a pending proposal. */
async function rejectMutation(scope: Scope, id: string, reason: string): Promise<Rejected | Refusal> {
  const { owner, actor, policy } = scope;
  const bad = checkText("Reason", reason, policy.limits.reasonChars);
  if (bad) return bad;
  return withOwner(scope.sql, owner, async (locked) => {
    const mutation = await selectMutation(locked.tx, owner, id);
    if (mutation === null)
      return refuse(
        "not_found",
        `Rejection refused: there is no proposal ${toPromptJson(id)}; pending lists those that wait`,
      );
    if (mutation.status !== "pending")
      return refuse("already_resolved", `Rejection refused: proposal ${id} was ${mutation.status} already`);
    await resolveMutation(locked, id, "rejected", actor.id, reason);
    return {
      outcome: "rejected",
      mutation: toRecord({
        ...mutation,
        status: "rejected",
        feedback: reason,
        resolvedBy: actor.id,
        resolvedAt: locked.at,
      }),
    };
  });
}

/** Changes the permission of a block, in a person's name. */
async function changePermission(
  scope: Scope,
  label: string,
  permission: Permission,
  reason: string | undefined,
): Promise<Applied | Refusal> {
  const { sql, owner, policy } = scope;
  const read = toLabel(label, policy.limits);
  if ("outcome" in read) return read;
  const bad = checkText("Reason", reason ?? "", policy.limits.reasonChars);
  if (bad) return bad;
  if (!PERMISSIONS.includes(permission)) {
    return refuse(
      "invalid_value",
      `Change of permission refused: ${toPromptJson(permission)} was given, allowed are ${PERMISSIONS.join(", ")}`,
    );
  }
  return withOwner(sql, owner, async (locked) => {
    const block = await selectBlock(locked.tx, owner, read.key);
    if (block === null)
      return refuse("not_found", `Change of permission refused: there is no block ${quote(read.text)}`);
    if (block.permission === permission) return { outcome: "applied", block };
    const is = { ...toState(block), permission };
    const change = { kind: "permission_changed", block, is, splice: NO_SPLICE } as const;
    const changed = await applyChange(locked, change, scope, reason);
    return { outcome: "applied", block: changed.block };
  });
}
