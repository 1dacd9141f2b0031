import { applyChange } from "./apply-change.ts";
import { approveMutation } from "./approve-mutation.ts";
import { lockBlock, lockOwner, selectBlock, selectBlocks } from "./block-rows.ts";
import { checkText } from "./check-text.ts";
import { selectEvents, selectHistory } from "./event-rows.ts";
import { forgetLabel } from "./forget-label.ts";
import { toLabel } from "./label.ts";
import type { MemorySteward } from "./memory-steward.ts";
import { selectMutations, selectPending } from "./mutation-rows.ts";
import { PERMISSIONS } from "./permission.ts";
import { refuse } from "./refusal.ts";
import { rejectMutation } from "./reject-mutation.ts";
import type { Scope } from "./scope.ts";
import { undoEvent } from "./undo-event.ts";
import { writeBlock } from "./write-block.ts";
import type { Applied, Conflict } from "./write-result.ts";

const DEFAULT_EVENTS = 100;
const MOST_EVENTS = 1_000;

/** A person's side over a database. Its actor must be the person. */
export function createSteward(scope: Scope): MemorySteward {
  const { sql, owner, actor, policy } = scope;
  const keyOf = (label: string): string | null => {
    const read = toLabel(label, policy.limits);
    return "key" in read ? read.key : null;
  };
  return Object.freeze({
    async get(label) {
      const key = keyOf(label);
      return key === null ? null : selectBlock(sql, owner, key);
    },
    async write(request) {
      const result = await writeBlock(scope, request);
      if (result.outcome === "queued") throw new Error("a person's own write was queued");
      return result satisfies Applied | Conflict | ReturnType<typeof refuse>;
    },
    pending: () => selectPending(sql, owner),
    approve: (id, options = {}) => approveMutation(scope, id, options),
    reject: (id, reason) => rejectMutation(scope, id, reason),
    async setPermission(label, permission, { reason } = {}) {
      const read = toLabel(label, policy.limits);
      if ("outcome" in read) return read;
      const bad = checkText("Reason", reason ?? "", policy.limits.reasonCharacters);
      if (bad) return bad;
      if (!PERMISSIONS.includes(permission)) {
        return refuse(
          "invalid_value",
          `Change of permission refused: ${JSON.stringify(permission)} was given, allowed are ${PERMISSIONS.join(", ")}`,
        );
      }
      return sql.transaction(async (tx) => {
        await lockOwner(tx, owner);
        const block = await lockBlock(tx, owner, read.key);
        if (block === null) return refuse("not_found", `Change of permission refused: there is no block ${read.text}`);
        if (block.permission === permission) return { outcome: "applied", block };
        const changed = await applyChange(
          tx,
          owner,
          read,
          { kind: "permission_changed", block, permission },
          { actor, reason: reason ?? null },
        );
        return { outcome: "applied", block: changed.block };
      });
    },
    async history(label, { limit = DEFAULT_EVENTS, before } = {}) {
      const key = label === undefined ? null : keyOf(label);
      if (label !== undefined && key === null) return [];
      const most = Number.isFinite(limit) ? Math.min(Math.max(Math.trunc(limit), 1), MOST_EVENTS) : DEFAULT_EVENTS;
      return selectHistory(sql, owner, key, most, before ?? null);
    },
    undo: (seq, { reason } = {}) => undoEvent(scope, seq, reason),
    async forget(label) {
      const key = keyOf(label);
      return key === null ? { blocks: 0, events: 0, mutations: 0 } : forgetLabel(scope, key);
    },
    export: () =>
      sql.transaction(async (tx) => {
        await lockOwner(tx, owner);
        return {
          format: "dispatch-memory/1",
          owner,
          exportedAt: new Date().toISOString(),
          blocks: await selectBlocks(tx, owner),
          events: await selectEvents(tx, owner),
          mutations: await selectMutations(tx, owner),
        };
      }),
  } satisfies MemorySteward);
}
