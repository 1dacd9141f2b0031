import type { MemoryManager, WriteRequest } from "../block/memory-manager.ts";
import { SOURCES, type Source } from "../block/provenance.ts";
import type { WriteResult } from "../block/write-result.ts";
import { toPromptJson } from "../text/prompt-json.ts";
import { textOf, type Message } from "./conversation.ts";

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
 */
export async function proposeFrom(
  manager: Pick<MemoryManager, "write">,
  messages: readonly Message[],
  job: MemoryJob,
): Promise<readonly WriteResult[]> {
  const said = messages.filter((message) => textOf(message) !== "");
  if (said.length === 0) return [];
  const text = said
    .map((message) => toPromptJson({ role: message.role, name: message.name, text: textOf(message) }))
    .join("\n");
  const sources = new Set<Source>(said.map(({ role, source }) => source ?? (role === "tool" ? "tool" : "agent")));
  const source = SOURCES.findLast((one) => sources.has(one));
  const results: WriteResult[] = [];
  for (const { label, content, tier, reason, supersedes, validFrom } of (await job({ text })).slice(0, MAX_PROPOSALS))
    results.push(await manager.write({ label, content, tier, reason, supersedes, validFrom, source }));
  return results;
}
