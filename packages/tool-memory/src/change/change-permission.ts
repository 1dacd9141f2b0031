import { quote, toLabel } from "../block/label.ts";
import { toState } from "../block/memory-block.ts";
import { PERMISSIONS, type Permission } from "../block/permission.ts";
import type { Applied } from "../block/write-result.ts";
import { lockBlock } from "../rows/block-rows.ts";
import { lockOwner } from "../rows/lock-owner.ts";
import { checkText } from "../text/check-text.ts";
import { toPromptJson } from "../text/prompt-json.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import { applyChange, NO_SPLICE } from "./apply-change.ts";
import { toAttribution, type Scope } from "./scope.ts";

/** Changes the permission of a block, in a person's name. */
export async function changePermission(
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
  return sql.transaction(async (tx) => {
    const locked = await lockOwner(tx, owner);
    const block = await lockBlock(tx, owner, read.key);
    if (block === null)
      return refuse("not_found", `Change of permission refused: there is no block ${quote(read.text)}`);
    if (block.permission === permission) return { outcome: "applied", block };
    const is = { ...toState(block), permission };
    const change = { kind: "permission_changed", block, is, splice: NO_SPLICE } as const;
    const changed = await applyChange(locked, change, toAttribution(scope, reason));
    return { outcome: "applied", block: changed.block };
  });
}
