import { checkText } from "./check-text.ts";
import type { Rejected } from "./memory-steward.ts";
import { lockMutation, resolveMutation, toRecord } from "./mutation-rows.ts";
import { refuse, type Refusal } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { takeTurn } from "./turn.ts";

/** Turns a proposal down, if it waits. */
export async function rejectMutation(scope: Scope, id: string, reason: string): Promise<Rejected | Refusal> {
  const { owner, actor, policy } = scope;
  const bad = checkText("Reason", reason, policy.limits.reasonCharacters);
  if (bad) return bad;
  return scope.sql.transaction(async (tx) => {
    const { at } = await takeTurn(tx, owner);
    const mutation = await lockMutation(tx, owner, id);
    if (mutation === null)
      return refuse(
        "not_found",
        `Rejection refused: there is no proposal ${JSON.stringify(id)}; pending lists those that wait`,
      );
    if (mutation.status !== "pending")
      return refuse("already_resolved", `Rejection refused: proposal ${id} was ${mutation.status} already`);
    await resolveMutation(tx, owner, id, "rejected", actor.id, reason, at);
    return {
      outcome: "rejected",
      mutation: toRecord({ ...mutation, status: "rejected", feedback: reason, resolvedBy: actor.id, resolvedAt: at }),
    };
  });
}
