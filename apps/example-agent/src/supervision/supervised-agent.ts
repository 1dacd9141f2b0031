import { setTimeout as wait } from "node:timers/promises";
import { createTrustTracker } from "@dispatch/tool-memory";
import type { DispatchOptions, ToolCall, ToolEvent, ToolResult } from "@dispatch/tools-interface";
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
  /**
   * Refuses new work, cancels what runs and waits until it has ended, at most five seconds. From then on nothing uses the
   * agent's parts, so they can be closed.
   */
  close(): Promise<void>;
}

/** How long `close` waits for work that does not obey its signal. */
const MAX_ENDING_MS = 5_000;
const CLOSED = new Error("the agent was closed");

/** Puts an agent together. */
export function createAgent(parts: AgentParts): Agent {
  const { model, toolbox, workspace, session, approver, durable, view, maxTokens, maxMinutes } = parts;
  const { registry, admin, keepOutput } = toolbox;
  const window = createContextWindow(parts.contextTokens ?? model.contextTokens);
  const trust = createTrustTracker({ sources: TOOL_SOURCES, before: session.transcript.entries });
  const standing = createStandingAnswers(registry.tools);
  const approve = approveCallsBy(approver, view, registry, standing);
  const queued: string[] = [];
  let postponed = new Set<string>();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let closed: Promise<unknown> | undefined;
  /** Does work that `close` cancels and waits for. */
  const during = <T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const doing = work(signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]));
    running.add(doing);
    return doing.finally(() => running.delete(doing));
  };
  const reviewNew = async (signal: AbortSignal): Promise<readonly string[]> => {
    const reviews = await reviewMemory(admin, approver, postponed, signal);
    for (const one of reviews) view.note(`${one.about} ${one.outcome} by ${approver.name}`);
    return reviews.filter(({ outcome }) => outcome !== "left for later").map(messageAbout);
  };
  return {
    ...parts,
    standing,
    async review(signal) {
      closing.signal.throwIfAborted();
      postponed = new Set();
      return during(signal, reviewNew);
    },
    dispatch(call, { approver: caller, ...options }) {
      const byCaller = approveCallsBy(caller, view);
      const context = createCallContext(workspace, caller, trust);
      return during(options.signal, (signal) =>
        registry.dispatch(call, { ...options, signal, context, approve: byCaller }),
      );
    },
    tell: (text) => void queued.push(text),
    context: () => fullness({ session, window, registry, keepOutput }),
    async compact(stop, focus) {
      closing.signal.throwIfAborted();
      const request = { model, session, window, registry, keepOutput, onNotice: view.notice };
      await during(stop, (signal) => compact({ ...request, signal }, true, focus));
    },
    clear() {
      const { length } = session.messages;
      session.compact({ from: length, resultsFrom: length });
    },
    async run(task, stop) {
      if (closing.signal.aborted) return { outcome: "stopped", reason: CLOSED.message };
      const messages = [...(task === undefined ? [] : [task]), ...queued.splice(0)];
      const options = {
        model,
        registry,
        context: createCallContext(workspace, approver, trust),
        session,
        window,
        keepOutput,
        approve: durable?.approverFrom(approve, approver.name) ?? approve,
        durable: durable?.session,
        onEvent(event: ToolEvent) {
          trust.observe(event);
          view.event(event);
        },
        onTurn: view.turn,
        onText: view.text,
        onNotice: view.notice,
        afterTools: async (stopped: AbortSignal) => [...(await reviewNew(stopped)), ...queued.splice(0)],
        maxTokens,
        maxMinutes,
      };
      return during(stop, (signal) => runTask(messages, { ...options, signal })).finally(() => view.rest());
    },
    async close() {
      closing.abort(CLOSED);
      closed ??= Promise.race([Promise.allSettled(running), wait(MAX_ENDING_MS, undefined, { ref: false })]);
      await closed;
    },
  };
}

function messageAbout({ about, outcome }: Review): string {
  return `${outcome === "approved" ? "Approved" : "Rejected"}: ${about}`;
}
