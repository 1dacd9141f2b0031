import { toUnifiedDiff } from "../text/unified-diff.ts";
import type { PendingMutation } from "./mutation.ts";
import type { Trust } from "./provenance.ts";

/** The block that a proposal would supersede, as far as it is there. */
interface Superseded {
  /** Its label. */
  readonly label: string | null;
  /** The version that the proposal was made for. */
  readonly version: number | null;
  /** Its present text. */
  readonly content: string | null;
}

/**
 * A proposed change as a unified diff with context, and the text that it would supersede. Where an approval makes lines trusted
 * that the change leaves as they are, the diff has every line.
 *
 * @param trust the trust of the present text, `null` when it is not known.
 */
export function toMutationDiff(
  mutation: Pick<
    PendingMutation,
    "op" | "label" | "newLabel" | "tier" | "baseVersion" | "before" | "proposed" | "validFrom"
  >,
  trust: Trust | null,
  superseded: Superseded,
): string {
  const { op, label, newLabel, tier, baseVersion, before, proposed, validFrom } = mutation;
  const old = { name: baseVersion === 0 ? "/dev/null" : `${label} (version ${baseVersion})`, text: before };
  const gains = baseVersion > 0 && op !== "remove" && trust !== "high";
  const since = op === "write" && validFrom !== null ? `, valid from ${validFrom}` : "";
  const more = `${op === "move" ? `, in tier ${tier}` : ""}${since}${gains ? "; the whole text becomes trusted" : ""}`;
  const name = op === "remove" ? "/dev/null" : (newLabel ?? label);
  const now = { name: `${name} (proposed${more})`, text: proposed };
  const change = toUnifiedDiff(old, now, { isWhole: gains });
  const parts = [change === "" ? `--- ${old.name}\n+++ ${now.name}` : change];
  if (superseded.label !== null && superseded.content !== null) {
    const hidden = { name: `${superseded.label} (version ${superseded.version})`, text: superseded.content };
    parts.push(toUnifiedDiff(hidden, { name: "/dev/null (superseded: searches no longer find it)", text: "" }));
  }
  return parts.join("\n");
}
