import type { MemoryAdmin, PendingMutation } from "@dispatch/tool-memory";
import { oneLine } from "@dispatch/tools-interface/display";
import type { Approver } from "./approver.ts";

/** The approver's answer to one proposed memory change. */
export interface Review {
  readonly label: string;
  /** The subject, as in `core memory LABEL`. */
  readonly about: string;
  readonly outcome: "approved" | "rejected" | "left for later";
}

/**
 * Asks the approver about every memory change that waits for approval.
 *
 * @param postponed - Ids of changes to skip. Changes that the approver leaves for later are added.
 */
export async function reviewMemory(
  admin: Pick<MemoryAdmin, "pending" | "approve" | "reject">,
  approver: Approver,
  postponed: Set<string>,
  signal: AbortSignal,
): Promise<readonly Review[]> {
  const reviews: Review[] = [];
  for (const mutation of await admin.pending()) {
    const { id, label } = mutation;
    if (postponed.has(id)) continue;
    const { text, about } = wordsFor(mutation);
    const {
      approved,
      later,
      reason = "The person said no",
    } = await approver.decide({
      text,
      detail: showMutation(mutation),
      mutationId: id,
      signal,
    });
    if (later === true) {
      postponed.add(id);
      reviews.push({ label, about, outcome: "left for later" });
    } else if (approved) {
      const { outcome } = await admin.approve(id);
      reviews.push({ label, about, outcome: outcome === "applied" ? "approved" : "rejected" });
    } else {
      await admin.reject(id, reason);
      reviews.push({ label, about, outcome: "rejected" });
    }
  }
  return reviews;
}

/** The question about a memory change, and the name of the change in later notes. */
export function wordsFor({ op, label, newLabel, tier }: PendingMutation): {
  readonly text: string;
  readonly about: string;
} {
  const name = oneLine(label);
  if (op === "remove") {
    return {
      text: `Let the agent remove ${name} from its ${tier} memory?`,
      about: `removal of ${tier} memory ${name}`,
    };
  }
  if (op === "write") {
    return { text: `Let the agent write ${name} to its ${tier} memory?`, about: `${tier} memory ${name}` };
  }
  const to = newLabel === null ? "" : ` as ${oneLine(newLabel)}`;
  return {
    text: `Let the agent move ${name} to its ${tier} memory${to}?`,
    about: `move of ${name} to ${tier} memory${to}`,
  };
}

/** Untrusted sources that the agent had read before it proposed the change. */
const AFTER = { import: "an imported file", tool: "what tools answered", web: "pages of the web" };

/** Everything that is being approved: the changed lines, the whole text of a moved block, and the least trusted source. */
export function showMutation({ op, diff, proposed, source }: PendingMutation): readonly string[] {
  const [, , ...hunk] = diff.split("\n");
  const changed = hunk.filter((row) => /^[+-]/.test(row));
  const rows = op === "move" ? proposed.split("\n").map((row) => ` ${row}`) : changed;
  return source === "person" || source === "agent" ? rows : [...rows, `written after reading ${AFTER[source]}`];
}
