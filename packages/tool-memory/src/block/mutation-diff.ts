import { toUnifiedDiff } from "../text/unified-diff.ts";
import type { PendingMutation } from "./mutation.ts";

/** A proposed change as a unified diff with context; for a move, only the two header lines. */
export function toMutationDiff(
  mutation: Pick<PendingMutation, "op" | "label" | "newLabel" | "tier" | "baseVersion" | "before" | "proposed">,
): string {
  const { op, label, newLabel, tier, baseVersion, before, proposed } = mutation;
  const old = baseVersion === 0 ? "/dev/null" : `${label} (version ${baseVersion})`;
  if (op === "move") return `--- ${old}\n+++ ${newLabel ?? label} (proposed, in tier ${tier})`;
  const now = op === "remove" ? "/dev/null (proposed)" : `${label} (proposed)`;
  return toUnifiedDiff({ name: old, text: before }, { name: now, text: proposed });
}
