import type { PendingMutation } from "../block/mutation.ts";
import { lockOwner } from "../rows/lock-owner.ts";
import { lockMutation, toPending } from "../rows/mutation-rows.ts";
import { expireMutations, extendExpiry } from "../rows/mutation-status.ts";
import { toPromptJson } from "../text/prompt-json.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import type { Scope } from "./scope.ts";

/** Extends the time of a pending proposal. */
export async function extendMutation(scope: Scope, id: string, days: number): Promise<PendingMutation | Refusal> {
  if (!Number.isInteger(days) || days < 1 || days > 3_650) {
    return refuse("invalid_value", `Extension refused: ${String(days)} days were given, allowed are 1 to 3650`);
  }
  return scope.sql.transaction(async (tx) => {
    await lockOwner(tx, scope.owner);
    await expireMutations(tx, scope.owner);
    const found = await lockMutation(tx, scope.owner, id);
    if (found?.status !== "pending") {
      return refuse(
        "not_found",
        `Extension refused: no proposal ${toPromptJson(id)} waits; pending lists those that do`,
      );
    }
    await extendExpiry(tx, scope.owner, id, days);
    return toPending((await lockMutation(tx, scope.owner, id)) ?? found);
  });
}
