import type { MemorySteward, PendingMutation } from "@dispatch/tool-memory";
import type { Approver } from "@dispatch/tools-interface";
import { oneLine } from "../text/clean-text.ts";
import { showArguments } from "../text/describe-call.ts";
import type { Person } from "./approver.ts";

/**
 * Puts calls that need approval before a person: the model's own, and those of programs it wrote.
 *
 * @param callerOf The tool during whose call a call was made, if any.
 */
export function createApprover(person: Person, callerOf: (callId: string) => string | undefined): Approver {
  return ({ callId, name, params, signal }) => {
    const caller = callerOf(callId);
    const from = caller === undefined ? "" : `, from ${caller}`;
    const text = `Let the agent call ${name}${from}?`;
    return person.decide({ text, detail: showArguments(params), callId, signal });
  };
}

/** What a person said to one proposed change of memory. */
export interface Review {
  readonly label: string;
  /** What it is about, as in `core memory LABEL`. */
  readonly about: string;
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
  for (const mutation of await steward.pending()) {
    const { id, label } = mutation;
    if (postponed.has(id)) continue;
    const { text, about } = wordsFor(mutation);
    const {
      approved,
      later,
      reason = "The person said no",
    } = await person.decide({
      text,
      detail: showMutation(mutation),
      mutationId: id,
      signal,
    });
    if (later === true) {
      postponed.add(id);
      reviews.push({ label, about, outcome: "left for later" });
    } else if (approved) {
      const { outcome } = await steward.approve(id);
      reviews.push({ label, about, outcome: outcome === "applied" ? "approved" : "rejected" });
    } else {
      await steward.reject(id, reason);
      reviews.push({ label, about, outcome: "rejected" });
    }
  }
  return reviews;
}

/** What a person is asked about a change, and what it is called afterwards. */
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

/** What the agent had read by then, where that may have put words into its mouth. */
const AFTER = { import: "an imported file", tool: "what tools answered", web: "pages of the web" };

/** All that a yes is a yes to: the lines that change, all of a text that moves, and where it comes from. */
export function showMutation({ op, diff, proposed, source }: PendingMutation): readonly string[] {
  const [, , ...hunk] = diff.split("\n");
  const changed = hunk.filter((row) => /^[+-]/.test(row));
  const rows = op === "move" ? proposed.split("\n").map((row) => ` ${row}`) : changed;
  return source === "person" || source === "agent" ? rows : [...rows, `written after reading ${AFTER[source]}`];
}
