import { SOURCES, toAgentSource, type Source } from "../block/memory-block.ts";
import type { MemoryManager, WriteRequest, WriteResult } from "../block/memory-manager.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { refuse } from "../text/refusal.ts";
import { sourceOf, textOf, type Message } from "./conversation.ts";

/** The input of a job. */
export interface JobInput {
  /** The conversation for a model's prompt: a message a line, as JSON, in which nothing can pose as another. */
  readonly text: string;
}

/** A block that a job proposes. */
export type JobProposal = Pick<WriteRequest, "label" | "content" | "tier" | "reason" | "supersedes" | "validFrom">;

/** A job of the host's: extracts facts from a conversation or summarises it, with a model or without. */
export type MemoryJob = (input: JobInput) => Promise<readonly JobProposal[]>;

/** Maximum number of proposals of one run: a model may answer with any number. */
const MAX_PROPOSALS = 20;

/**
 * Runs a job over a conversation and queues its proposals for a person's approval, also where the agent may write: nothing is
 * written. Nothing of this runs by itself. The proposals come from the least trusted source of the messages.
 *
 * @param own the source of the memory.
 */
export async function proposeFrom(
  manager: Pick<MemoryManager, "write">,
  messages: readonly Message[],
  job: MemoryJob,
  own: Source,
): Promise<readonly WriteResult[]> {
  const said = messages.filter((message) => textOf(message) !== "");
  if (said.length === 0) return [];
  const text = said
    .map((message) => toPromptJson({ role: message.role, name: message.name, text: textOf(message) }))
    .join("\n");
  const sources = new Set(said.map((message) => sourceOf(message) ?? toAgentSource(own)));
  const source = SOURCES.findLast((one) => sources.has(one));
  const results: WriteResult[] = [];
  const proposals: unknown = await job({ text });
  if (!Array.isArray(proposals)) return [notOne];
  for (const proposal of proposals.slice(0, MAX_PROPOSALS)) {
    if (!isProposal(proposal)) {
      results.push(notOne);
      continue;
    }
    const { label, content, tier, reason, supersedes, validFrom } = proposal;
    results.push(await manager.write({ label, content, tier, reason, supersedes, validFrom, source }));
  }
  return results;
}

const notOne = refuse(
  "invalid_value",
  "Proposal refused: it is none, allowed is a list of objects with a label and a content, and with tier, reason, supersedes and validFrom as texts",
);

/** A model may have made it. */
function isProposal(given: unknown): given is JobProposal {
  if (typeof given !== "object" || given === null) return false;
  const { label, content, tier, reason, supersedes, validFrom } = given as Readonly<Record<string, unknown>>;
  return (
    typeof label === "string" &&
    typeof content === "string" &&
    [tier, reason, supersedes, validFrom].every((value) => value === undefined || typeof value === "string")
  );
}
