import { createTrustTracker } from "@dispatch/tool-memory";
import type { DispatchOptions, ToolCall, ToolResult } from "@dispatch/tools-interface";
import type { AgentRun } from "../agent/agent-loop.ts";
import { compact, fullness } from "../agent/ask-in-window.ts";
import { createContextWindow } from "../agent/context-window.ts";
import type { Model } from "../agent/model.ts";
import { runTask } from "../agent/run-task.ts";
import type { Session } from "../agent/session.ts";
import type { Toolbox } from "../agent/toolbox.ts";
import type { AgentView } from "./agent-view.ts";
import { approveCallsBy } from "./approve-calls.ts";
import type { Approver } from "./approver.ts";
import { createCallContext, TOOL_SOURCES } from "./call-context.ts";
import type { DurableCalls } from "./durable-calls.ts";
import { reviewMemory, type Review } from "./review-memory.ts";
import { createStandingAnswers, type StandingAnswers } from "./standing-answers.ts";

/** The parts of an agent. */
export interface AgentParts {
  readonly model: Model;
  readonly toolbox: Toolbox;
  /** Absolute path of the worktree. */
  readonly workspace: string;
  readonly session: Session;
  readonly approver: Approver;
  /** Keeps calls where they outlive the process. `undefined`: they end with it. */
  readonly durable?: DurableCalls | undefined;
  readonly view: AgentView;
  /** Tokens of the whole session. */
  readonly maxTokens: number;
  /** Tokens that the model can read. `undefined`: as the model says. */
  readonly contextTokens: number | undefined;
  /** Minutes of one task. */
  readonly maxMinutes: number;
}

type OwnCallOptions = Pick<DispatchOptions, "signal" | "transcript" | "onEvent"> & { readonly approver: Approver };

/** A model with tools, a conversation, and a person who approves. */
export interface Agent extends AgentParts {
  /**
   * Runs a task, or goes on with an unfinished one.
   *
   * @param task - The person's message; `undefined` to go on.
   */
  run(task: string | undefined, signal: AbortSignal): Promise<AgentRun>;
  /** Asks about every waiting memory change, including those left for later. Returns messages for the model. */
  review(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Runs a person's own call, with the same tools and limits, outside the conversation.
   *
   * @param options - `approver`: the person who made the call. Only they are asked for its approvals.
   */
  dispatch(call: ToolCall, options: OwnCallOptions): Promise<ToolResult>;
  /** Answers about calls that stand. */
  readonly standing: StandingAnswers;
  /** Tokens of the next request, estimated, and tokens that the model can read, if that is known. */
  context(): { readonly tokens: number; readonly limit: number | undefined };
  /** Replaces the conversation by a summary, in requests to the model. */
  compact(signal: AbortSignal, focus: string | undefined): Promise<void>;
  /** Lets the model forget the conversation. The session keeps it. */
  clear(): void;
  /** Queues a message for the model until the conversation has a place for it. */
  tell(text: string): void;
}

/** Puts an agent together. */
export function createAgent(parts: AgentParts): Agent {
  const { model, toolbox, workspace, session, approver, durable, view, maxTokens, maxMinutes } = parts;
  const { registry, steward, keepOutput } = toolbox;
  const window = createContextWindow(parts.contextTokens ?? model.contextTokens);
  const trust = createTrustTracker({ sources: TOOL_SOURCES, before: session.transcript.entries });
  const standing = createStandingAnswers(registry.tools);
  const approve = approveCallsBy(approver, view, registry, standing);
  const queued: string[] = [];
  let postponed = new Set<string>();
  const reviewNew = async (signal: AbortSignal): Promise<readonly string[]> => {
    const reviews = await reviewMemory(steward, approver, postponed, signal);
    for (const one of reviews) view.note(`${one.about} ${one.outcome} by ${approver.name}`);
    return reviews.filter(({ outcome }) => outcome !== "left for later").map(messageAbout);
  };
  return {
    ...parts,
    standing,
    review(signal) {
      postponed = new Set();
      return reviewNew(signal);
    },
    dispatch(call, { approver: caller, ...options }) {
      const byCaller = approveCallsBy(caller, view);
      const context = createCallContext(workspace, caller, trust);
      return registry.dispatch(call, { ...options, context, approve: byCaller });
    },
    tell: (text) => void queued.push(text),
    context: () => fullness({ session, window, registry, keepOutput }),
    compact: (signal, focus) =>
      compact({ model, session, window, registry, keepOutput, signal, onNotice: view.notice }, true, focus),
    clear() {
      const { length } = session.messages;
      session.compact({ from: length, resultsFrom: length });
    },
    run(task, signal) {
      return runTask([...(task === undefined ? [] : [task]), ...queued.splice(0)], {
        model,
        registry,
        context: createCallContext(workspace, approver, trust),
        session,
        signal,
        window,
        keepOutput,
        approve: durable?.approverFrom(approve, approver.name) ?? approve,
        durable: durable?.session,
        onEvent(event) {
          trust.observe(event);
          view.event(event);
        },
        onTurn: view.turn,
        onText: view.text,
        onNotice: view.notice,
        afterTools: async (stop) => [...(await reviewNew(stop)), ...queued.splice(0)],
        maxTokens,
        maxMinutes,
      }).finally(() => view.rest());
    },
  };
}

function messageAbout({ about, outcome }: Review): string {
  return `${outcome === "approved" ? "Approved" : "Rejected"}: ${about}`;
}
