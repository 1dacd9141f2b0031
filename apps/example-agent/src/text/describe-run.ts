import type { AgentRun } from "../agent/agent-loop.ts";
import type { Session } from "../agent/session.ts";
import { totalUsage } from "../agent/usage.ts";
import { describeUsage } from "./describe-usage.ts";

/**
 * A run that has ended, for a person: the outcome, its cost, and how to go on.
 *
 * @param resume - How to go on with one that is not done. `undefined`: it cannot be.
 */
export function describeRun({ outcome, reason }: AgentRun, session: Session, resume: string | undefined): string {
  const { transcript } = session;
  const failures = transcript.entries.filter(({ result }) => !result.success).length;
  const { length } = transcript.entries;
  const calls = `${length} ${length === 1 ? "call" : "calls"}, ${failures} of them refused or failed, all recorded`;
  const lines = [`${outcome}: ${reason === undefined ? calls : reason}`];
  if (reason !== undefined) lines.push(calls);
  const usage = describeUsage(totalUsage(session));
  if (usage !== "") lines.push(usage);
  if (outcome !== "done" && resume !== undefined) lines.push(resume);
  return lines.join("\n");
}
