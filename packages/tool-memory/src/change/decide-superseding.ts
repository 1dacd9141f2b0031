import { nameOf } from "../block/add-caution.ts";
import { quote } from "../block/label.ts";
import type { MemoryActor } from "../block/memory-actor.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { WriteProposal } from "../block/proposal.ts";
import { isBelow, isOutranked, leastTrusted, toProvenance } from "../block/provenance.ts";
import { splice } from "../block/splice.ts";
import { refuse } from "../text/refusal.ts";
import { NO_SPLICE } from "./apply-change.ts";
import type { Decision } from "./decide.ts";
import { withSuperseded } from "./supersede.ts";

/**
 * Extends the decision on a write by the block that it supersedes. To hide a block counts as removing it, and a text never
 * hides a more trusted one unless a person approves.
 */
export function decideSuperseding(
  decided: Decision,
  block: MemoryBlock | null,
  old: MemoryBlock,
  { label, source }: Pick<WriteProposal, "label" | "source">,
  actor: MemoryActor["kind"],
): Decision {
  const is = decided.outcome === "apply" ? decided.change.is : decided.outcome === "keep" ? block : null;
  if (is === null || is.supersedes?.includes(old.id) === true) return decided;
  const isLower = isBelow(leastTrusted(is, toProvenance(source)).trust, old.trust);
  if (actor === "person" && isLower) {
    return refuse(
      "invalid_value",
      `Write to ${quote(label)} refused: a text from ${source} would hide ${nameOf(old)}, which has trust ${old.trust}, allowed is a text that is trusted as much; leave source out to vouch for the text, or leave supersedes out`,
    );
  }
  const touches =
    decided.outcome === "keep" && block !== null && (block.permission !== "readwrite" || isOutranked(source, block));
  if (actor === "agent" && (old.permission !== "readwrite" || isLower || touches)) {
    return toQueueDecision(decided, block, source);
  }
  if (decided.outcome === "apply") {
    return { ...decided, change: { ...decided.change, is: withSuperseded(is, old.id) } };
  }
  return {
    outcome: "apply",
    change: { kind: "edited", block, is: withSuperseded(is, old.id), splice: NO_SPLICE },
  };
}

/** The decision to queue a write that would otherwise be applied or kept. */
export function toQueueDecision(decided: Decision, block: MemoryBlock | null, by: WriteProposal["source"]): Decision {
  const is = decided.outcome === "apply" ? decided.change.is : decided.outcome === "keep" ? block : null;
  if (is === null) return decided;
  const before = block?.content ?? "";
  const content = decided.outcome === "apply" ? splice(before, decided.change.splice) : before;
  if (content === undefined) throw new Error("a splice does not fit the block it was made for");
  return {
    outcome: "queue",
    op: "write",
    tier: is.tier,
    newLabel: null,
    content,
    validFrom: is.validFrom ?? null,
    ...leastTrusted(is, toProvenance(by)),
  };
}
