import { createTranscript, type MemoryTranscript } from "@dispatch/tools-interface";
import { NOTHING_LEFT_OUT, type Compaction } from "./compaction.ts";
import type { Message, Usage } from "./conversation.ts";

export const NO_USAGE: Usage = { input: 0, cached: 0, output: 0 };

/** The sum of two counts. */
export function sumOf(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    cached: one.cached + other.cached,
    output: one.output + other.output,
  };
}

/** A conversation and the record of its calls. */
export interface Session {
  /** Names a session that is saved. */
  readonly id: string | undefined;
  readonly messages: readonly Message[];
  readonly transcript: MemoryTranscript;
  /** Appends to the conversation. Once it returns, a saved session has it on disk. */
  add(message: Message): void;
  /** The parts of the conversation omitted from requests to a model. */
  compaction(): Compaction;
  /** Leaves out something else from now on. */
  compact(compaction: Compaction): void;
  /** Tokens that were used beside the conversation, for summaries. */
  spent(): Usage;
  /** Adds to them. */
  spend(usage: Usage): void;
  close(): void;
}

/** A session that ends with its process. */
export function createSession(): Session {
  const messages: Message[] = [];
  let compaction = NOTHING_LEFT_OUT;
  let spent = NO_USAGE;
  return {
    id: undefined,
    messages,
    transcript: createTranscript(),
    add: (message) => void messages.push(message),
    compaction: () => compaction,
    compact: (next) => void (compaction = next),
    spent: () => spent,
    spend: (usage) => void (spent = sumOf(spent, usage)),
    close: () => {},
  };
}

/** Whether the model still has something to answer. */
export function isUnfinished(session: Session): boolean {
  const last = session.messages.slice(session.compaction().from).at(-1);
  return last !== undefined && (last.role !== "assistant" || last.calls.length > 0);
}
