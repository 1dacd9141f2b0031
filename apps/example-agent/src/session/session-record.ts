import type { TranscriptEntry } from "@dispatch/tools-interface";
import type { AgentRun } from "../agent/agent-loop.ts";
import type { Message, Usage } from "../agent/conversation.ts";
import type { Session } from "../agent/session.ts";
import { totalUsage } from "../agent/usage.ts";

/** A session as one JSON value: the output of `--json` and the export of the page of `--inspect`. */
export interface SessionRecord extends Partial<AgentRun> {
  readonly model: string;
  readonly session: string | undefined;
  readonly usage: Usage;
  readonly conversation: readonly Message[];
  readonly transcript: readonly TranscriptEntry[];
}

/**
 * The record of a session as it is now.
 *
 * @param run - How the run ended, if it has.
 */
export function sessionRecord(model: string, session: Session, run: Partial<AgentRun> = {}): SessionRecord {
  const { id, messages, transcript } = session;
  const usage = totalUsage(session);
  return { model, session: id, ...run, usage, conversation: messages, transcript: transcript.toJSON() };
}
