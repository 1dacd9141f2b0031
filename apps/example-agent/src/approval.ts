import type { MemorySteward } from "@dispatch/tool-memory";
import type { Approver } from "@dispatch/tools-interface";
import type { Person } from "./person.ts";
import { oneLine } from "./terminal/clean-text.ts";
import { showArguments } from "./terminal/describe-call.ts";

/**
 * Puts calls that need approval before a person: the model's own, and those of programs it wrote.
 *
 * @param callerOf The tool during whose call a call was made, if any.
 */
export function createApprover(person: Person, callerOf: (callId: string) => string | undefined): Approver {
  return ({ callId, name, params, signal }) => {
    const caller = callerOf(callId);
    const from = caller === undefined ? "" : `, from ${caller}`;
    return person.decide({ text: `Let the agent call ${name}${from}?`, detail: showArguments(params), signal });
  };
}

/** What a person said to one proposed change of memory. */
export interface Review {
  readonly label: string;
  readonly outcome: "approved" | "rejected" | "left for later";
}

/**
 * Puts the changes of memory that wait for a person before the person.
 *
 * @param postponed Ids of those that are not asked about now. What the person leaves for later is added.
 */
export async function reviewMemory(
  steward: Pick<MemorySteward, "pending" | "approve" | "reject">,
  person: Person,
  postponed: Set<string>,
  signal: AbortSignal,
): Promise<readonly Review[]> {
  const reviews: Review[] = [];
  for (const { id, label, diff } of await steward.pending()) {
    if (postponed.has(id)) continue;
    const text = `Let the agent write ${oneLine(label)} to its core memory?`;
    const detail = diff.split("\n").filter((row) => /^[+-](?![+-]{2})/.test(row));
    const { approved, later, reason = "The person said no" } = await person.decide({ text, detail, signal });
    if (later === true) {
      postponed.add(id);
      reviews.push({ label, outcome: "left for later" });
    } else if (approved) {
      const { outcome } = await steward.approve(id);
      reviews.push({ label, outcome: outcome === "applied" ? "approved" : "rejected" });
    } else {
      await steward.reject(id, reason);
      reviews.push({ label, outcome: "rejected" });
    }
  }
  return reviews;
}
