import { runAgent, type AgentRun, type LoopOptions } from "./agent-loop.ts";
import { createContextWindow } from "./context-window.ts";

/**
 * Dispatches the last calls of a session again whose process died in them, or that wait for a person: each is answered from its
 * record, or goes on. Does nothing where calls end with their process, because those are closed when the session is opened.
 */
async function finishCalls(options: Omit<LoopOptions, "model" | "window" | "maxTurns">): Promise<void> {
  const { registry, session, context, signal, approve, durable, onEvent } = options;
  const last = session.messages.at(-1);
  if (durable === undefined || last?.role !== "assistant" || last.calls.length === 0) return;
  const { transcript } = session;
  const results = await registry.dispatchAll(last.calls, { context, signal, approve, durable, onEvent, transcript });
  session.add({ role: "tool", results });
}

type RequiredOption = "model" | "registry" | "context" | "session";

export interface TaskOptions extends Pick<LoopOptions, RequiredOption>, Partial<Omit<LoopOptions, RequiredOption>> {
  /** Minutes after which the task is stopped. Default: no limit. */
  readonly maxMinutes?: number;
}

/** The longest delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Without an approver nothing that needs approval runs. */
const DEFAULTS = {
  approve: () => false,
  onEvent() {},
  onTurn() {},
  onText() {},
  onNotice() {},
  afterTools: () => Promise.resolve([]),
  keepOutput: () => undefined,
  maxTurns: 50,
  maxTokens: Number.POSITIVE_INFINITY,
} satisfies Partial<LoopOptions>;

/**
 * Runs one task to its end: adds the user's messages to the session, then runs the loop until the model is done or a
 * limit is reached.
 *
 * @param messages - The user's messages. Empty: the model goes on with an unfinished session.
 */
export async function runTask(messages: readonly string[], options: TaskOptions): Promise<AgentRun> {
  const { session, maxMinutes = Number.POSITIVE_INFINITY, signal } = options;
  const time = new AbortController();
  const late = new Error(`the ${maxMinutes} minutes allowed are over`);
  const timer = setTimeout(() => time.abort(late), Math.min(maxMinutes * 60_000, MAX_TIMER_MS));
  const stop = signal === undefined ? time.signal : AbortSignal.any([signal, time.signal]);
  try {
    const window = createContextWindow(options.model.contextTokens);
    const all = { ...DEFAULTS, window, ...options, signal: stop };
    await finishCalls(all);
    for (const text of messages) session.add({ role: "user", text });
    return await runAgent(all);
  } finally {
    clearTimeout(timer);
  }
}
