import { toUnifiedDiff } from "../text/unified-diff.ts";
import type { PendingMutation } from "./mutation.ts";

/** What a proposal would change: its text as a unified diff; of a move, the two names. */
export function toMutationDiff(
  mutation: Pick<PendingMutation, "op" | "label" | "newLabel" | "tier" | "baseVersion" | "before" | "proposed">,
): string {
  const { op, label, newLabel, tier, baseVersion, before, proposed } = mutation;
  const old = baseVersion === 0 ? "/dev/null" : `${label} (version ${baseVersion})`;
  if (op === "move") return `--- ${old}\n+++ ${newLabel ?? label} (proposed, in tier ${tier})`;
  const now = op === "remove" ? "/dev/null (proposed)" : `${label} (proposed)`;
  return toUnifiedDiff({ name: old, text: before }, { name: now, text: proposed });
}
