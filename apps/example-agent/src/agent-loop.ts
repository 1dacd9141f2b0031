import type { AnyToolRegistry, Approver, ToolObserver, Transcript } from "@dispatch/tools-interface";
import type { Message } from "./conversation.ts";
import type { Model } from "./model.ts";

/** Everything a run needs. */
export interface AgentOptions {
  readonly model: Model;
  readonly registry: AnyToolRegistry;
  /** What the tools need, such as `worktreePath`. */
  readonly context: object;
  readonly task: string;
  readonly transcript: Transcript;
  readonly signal: AbortSignal;
  readonly approve: Approver;
  readonly onEvent: ToolObserver;
  /** Hears the model's text of each turn. */
  readonly onText: (text: string) => void;
  /** Called after the tools of a turn have run. What it answers is told to the model. */
  readonly afterTools: () => Promise<readonly string[]>;
  /** Turns after which the agent gives up. */
  readonly maxTurns: number;
}

/** How a run ended. */
type Outcome = "done" | "stopped" | "gave up";

/** A run, finished. The conversation is valid however it ended: every call has its result. */
export interface AgentRun {
  readonly outcome: Outcome;
  readonly conversation: readonly Message[];
}

/** Ask the model, run what it asks for, tell it the results, until it asks for nothing more. */
export async function runAgent(options: AgentOptions): Promise<AgentRun> {
  const { model, registry, context, task, transcript, signal, approve, onEvent, onText, afterTools, maxTurns } =
    options;
  const conversation: Message[] = [{ role: "user", text: task }];
  const tools = registry.toModelTools();

  for (let turn = 0; turn < maxTurns; turn += 1) {
    if (signal.aborted) return { outcome: "stopped", conversation };
    const answer = await model.respond(conversation, tools, signal);
    conversation.push({ role: "assistant", ...answer });
    if (answer.text !== "") onText(answer.text);
    if (answer.calls.length === 0) return { outcome: "done", conversation };

    const results = await registry.dispatchAll(answer.calls, { context, transcript, signal, approve, onEvent });
    conversation.push({ role: "tool", results });
    if (signal.aborted) return { outcome: "stopped", conversation };
    for (const text of await afterTools()) conversation.push({ role: "user", text });
  }
  return { outcome: "gave up", conversation };
}
