import type { DurableSession } from "@dispatch/durable";
import {
  runTools,
  type AnyToolRegistry,
  type Approver,
  type LoopEnd,
  type OutputKeeper,
  type ToolObserver,
} from "@dispatch/tools-interface";
import { askInWindow } from "./ask-in-window.ts";
import type { ContextWindow } from "./context-window.ts";
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
  /** How much the model can read. */
  readonly window: ContextWindow;
  /** Keeps old results that are not sent any more, so that the model can read them again. */
  readonly keepOutput: OutputKeeper;
  readonly approve: Approver;
  /** Keeps the calls where they outlive the process. */
  readonly durable?: DurableSession | undefined;
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

const CUT_OFF = "Your answer was cut off at the longest length allowed. Go on in smaller steps.";
/** How many answers in a row may be cut off in a call. */
const MAX_CUT_OFFS = 3;

/** Asks the model, runs the calls it asks for and adds their results, until it asks for no more calls. */
export async function runAgent(options: LoopOptions): Promise<AgentRun> {
  const { registry, context, session, signal, approve, onEvent, onTurn, onNotice, afterTools, maxTurns } = options;
  const { input, output } = totalUsage(session);
  try {
    const { end } = await runTools(registry, {
      context,
      signal,
      approve,
      durable: options.durable,
      onEvent,
      onTurn,
      maxTurns,
      transcript: session.transcript,
      maxTokens: options.maxTokens - input - output,
      maxCutOffs: MAX_CUT_OFFS,
      ask: () => askInWindow(options, { ...options, instructions: INSTRUCTIONS }),
      read: ({ calls, cutOff, usage }) => ({
        calls,
        // A text that was cut off goes on when the model is asked again.
        end: cutOff !== true ? "complete" : calls.length > 0 ? "length" : "paused",
        tokens: usage && usage.input + usage.output,
      }),
      // A session that is taken up after a crash knows which calls were begun.
      onAnswer: (answer: AssistantTurn) => session.add({ role: "assistant", ...answer }),
      async add(answer, calls, results) {
        if (answer.text.trim() === "" && calls.length === 0 && answer.cutOff !== true)
          onNotice("the model answered nothing");
        if (calls.length > 0) session.add({ role: "tool", results });
        else if (answer.cutOff === true) session.add({ role: "user", text: CUT_OFF });
        if (calls.length === 0 || signal.aborted) return;
        for (const text of await afterTools(signal)) session.add({ role: "user", text });
      },
    });
    return describeEnd(end, options);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { outcome: "failed", reason: error.message };
  }
}

function describeEnd(end: LoopEnd, { signal: { reason }, maxTurns, maxTokens }: LoopOptions): AgentRun {
  if (end === "cancelled")
    return { outcome: "stopped", reason: reason instanceof Error ? reason.message : String(reason) };
  if (end === "max_turns") return { outcome: "gave up", reason: `the model came to no end in ${maxTurns} turns` };
  if (end === "max_tokens") return { outcome: "gave up", reason: `the ${maxTokens} tokens allowed are used` };
  if (end === "cut_off") return { outcome: "gave up", reason: `${MAX_CUT_OFFS + 1} answers in a row were cut off` };
  return { outcome: "done" };
}
