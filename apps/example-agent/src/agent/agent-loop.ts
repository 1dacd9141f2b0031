import type { AnyToolRegistry, Approver, ToolObserver } from "@dispatch/tools-interface";
import type { AssistantTurn } from "./conversation.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { ModelError, type Model, type ModelRequest } from "./model.ts";
import type { Session } from "./session.ts";
import { totalUsage } from "./usage.ts";

/** Everything the loop needs. */
export interface LoopOptions extends Pick<ModelRequest, "signal" | "onText" | "onNotice"> {
  readonly model: Model;
  readonly registry: AnyToolRegistry;
  /** The context of the tools, such as `worktreePath`. */
  readonly context: object;
  /** The conversation, which ends with the message that the model has to answer, and the record of every call. */
  readonly session: Session;
  readonly approve: Approver;
  readonly onEvent: ToolObserver;
  /** Called before each turn of the model. */
  readonly onTurn: () => void;
  /** Called after the tools of a turn have run. Its texts are added to the conversation as user messages. */
  readonly afterTools: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Turns after which the agent gives up. */
  readonly maxTurns: number;
  /** Tokens of the whole session, in and out, after which the model is not asked again. */
  readonly maxTokens: number;
}

/** How a run ended. The conversation is valid in any case: every call has its result. */
export interface AgentRun {
  readonly outcome: "done" | "stopped" | "gave up" | "failed";
  /** Why, for all but `done`. */
  readonly reason?: string;
}

const CUT_OFF =
  "Your answer was cut off at the longest length allowed, and no call in it was run. Go on in smaller steps.";

/** Asks the model, runs the calls it asks for and adds their results, until it asks for no more calls. */
export async function runAgent(options: LoopOptions): Promise<AgentRun> {
  const { registry, context, session, signal, approve, onEvent, afterTools, maxTurns, maxTokens } = options;
  const { transcript } = session;

  for (let turn = 0; turn < maxTurns; turn += 1) {
    if (signal.aborted) return stopped(signal);
    const { input, output } = totalUsage(session.messages);
    if (input + output >= maxTokens) return { outcome: "gave up", reason: `the ${maxTokens} tokens allowed are used` };

    const answer = await ask(options);
    if ("outcome" in answer) return answer;
    session.add({ role: "assistant", ...answer });
    if (answer.cutOff === true) session.add({ role: "user", text: CUT_OFF });
    else if (answer.calls.length === 0) return { outcome: "done" };
    if (answer.calls.length === 0) continue;

    const results = await registry.dispatchAll(answer.calls, { context, transcript, signal, approve, onEvent });
    session.add({ role: "tool", results });
    if (signal.aborted) return stopped(signal);
    for (const text of await afterTools(signal)) session.add({ role: "user", text });
  }
  return { outcome: "gave up", reason: `the model came to no end in ${maxTurns} turns` };
}

/** The model's next turn, or how the run ends without one. */
async function ask(options: LoopOptions): Promise<AssistantTurn | AgentRun> {
  const { model, registry, session, signal, onText, onNotice, onTurn } = options;
  onTurn();
  try {
    const conversation = session.messages;
    return await model.respond({ instructions: INSTRUCTIONS, conversation, registry, signal, onText, onNotice });
  } catch (error) {
    if (signal.aborted) return stopped(signal);
    if (!(error instanceof ModelError)) throw error;
    return { outcome: "failed", reason: error.message };
  }
}

function stopped({ reason }: AbortSignal): AgentRun {
  return { outcome: "stopped", reason: reason instanceof Error ? reason.message : String(reason) };
}
