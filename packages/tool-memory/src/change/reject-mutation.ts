import type { Rejected } from "../block/memory-steward.ts";
import { lockOwner } from "../rows/lock-owner.ts";
import { lockMutation, toRecord } from "../rows/mutation-rows.ts";
import { resolveMutation } from "../rows/mutation-status.ts";
import { checkText } from "../text/check-text.ts";
import { toPromptJson } from "../text/prompt-json.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import type { Scope } from "./scope.ts";

/** Rejects a pending proposal. */
export async function rejectMutation(scope: Scope, id: string, reason: string): Promise<Rejected | Refusal> {
  const { owner, actor, policy } = scope;
  const bad = checkText("Reason", reason, policy.limits.reasonChars);
  if (bad) return bad;
  return scope.sql.transaction(async (tx) => {
    const locked = await lockOwner(tx, owner);
    const mutation = await lockMutation(tx, owner, id);
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
