import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "@dispatch/tools-interface";
import { isJsonObject, unlessAborted } from "@dispatch/tools-interface/internal";
import { SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import type { McpElicitationAnswer } from "./elicitation.ts";

/** The extension's name in the capabilities of clients and servers, since 2026-07-28. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** A call that the server goes on with by itself. */
export interface RemoteTask {
  readonly taskId: string;
  /** Whether it is of 2025-11-25, where a task's result has a request of its own. */
  readonly isLegacy: boolean;
}

/** The requests that a task needs. */
export interface TaskLink {
  request(method: string, params: object, options: TaskRequestOptions): Promise<unknown>;
  /** Answers a question of the server. `undefined`: nobody can be asked. */
  readonly answer?: ((params: object, signal: AbortSignal) => Promise<McpElicitationAnswer>) | undefined;
}

interface TaskRequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Holds the task of an answer where a result would be. */
const TASK_FIELD = "io.dispatch/task";
const MAX_ID_CHARS = 512;
const REQUEST_TIMEOUT_MS = 30_000;
const CANCEL_TIMEOUT_MS = 5_000;
/**
 * How long a cancelled call waits for an id that is on its way. Over HTTP a request is cancelled by closing the stream on which the id
 * would come, so that it cannot be cancelled before.
 */
const ID_WAIT_MS = 1_000;
const DEFAULT_POLL_MS = 1_000;
const [MIN_POLL_MS, MAX_POLL_MS] = [50, 60_000];
/** A task's result of 2025-11-25 is waited for by the server; the call's own time limit ends it. */
const MAX_TIMER_MS = 2_147_483_647;
/** Questions of one task that are put to the user. */
const MAX_QUESTIONS = 32;

/** Has answers that are tasks pass the SDK, which knows none and would throw them away. */
export function letTasksPass(transport: Transport): Transport {
  // The SDK keeps an earlier receiver, and calls it first, with the same message.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onmessage = (message: unknown) => {
    const result = isJsonObject(message) ? message["result"] : undefined;
    if (!isJsonObject(result) || result["resultType"] !== "task") return;
    Object.assign(result, { resultType: "complete", content: [], [TASK_FIELD]: { ...result } });
  };
  return transport;
}

/**
 * The task in an answer to `tools/call`, if it is one.
 *
 * @param isLegacy - Whether a task of 2025-11-25 was asked for.
 */
export function taskIn(answer: unknown, isLegacy: boolean): RemoteTask | undefined {
  const task = isJsonObject(answer) ? answer[isLegacy ? "task" : TASK_FIELD] : undefined;
  const taskId = isJsonObject(task) ? task["taskId"] : undefined;
  if (typeof taskId !== "string" || taskId === "" || taskId.length > MAX_ID_CHARS) return undefined;
  return { taskId, isLegacy };
}

/**
 * Waits for a task's result, also while the server cannot be reached. Cancels the task when the signal aborts.
 *
 * @param tell - Receives the task's reports.
 * @throws {ToolError} Code `mcp_failed`, when the task has no result.
 */
export async function followTask(
  link: TaskLink,
  task: RemoteTask,
  signal: AbortSignal,
  tell: (message: string) => void,
): Promise<unknown> {
  const { taskId } = task;
  const asked = new Set<string>();
  try {
    for (let told: unknown; ;) {
      const state = await reached(() =>
        link.request("tasks/get", { taskId }, { timeoutMs: REQUEST_TIMEOUT_MS, signal }),
      );
      if (!isJsonObject(state)) throw failed("the server answered with something that is no task");
      if (state["taskId"] !== undefined && state["taskId"] !== taskId)
        throw failed("the server answered about another task");
      const { status, statusMessage } = state;
      if (typeof statusMessage === "string" && statusMessage !== told) tell(statusMessage);
      told = statusMessage;
      if (status === "completed" || (status === "failed" && task.isLegacy))
        return await reached(() => resultOf(link, task, state, signal));
      if (status === "failed")
        throw failed(messageOf(state["error"]) ?? messageOf({ message: statusMessage }) ?? "the task failed");
      if (status === "cancelled") throw failed("the task was cancelled");
      if (status === "input_required" && task.isLegacy) {
        // The server asks while its result is waited for.
        const result = await reached(() => resultOf(link, task, state, signal));
        if (result !== undefined) return result;
      } else if (status === "input_required")
        await answerQuestions(link, taskId, state["inputRequests"], asked, signal);
      else if (status !== "working") throw failed("the server answered with a status that is none");
      await wait(pollOf(state), undefined, { signal });
    }
  } catch (error) {
    if (signal.aborted) cancelTask(link, task);
    throw error;
  }

  /** Tries again while the connection is lost. */
  async function reached<T>(request: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        if (signal.aborted || !isLost(error)) throw error;
        await wait(DEFAULT_POLL_MS, undefined, { signal });
      }
    }
  }
}

function cancelTask(link: TaskLink, { taskId }: RemoteTask): void {
  link.request("tasks/cancel", { taskId }, { timeoutMs: CANCEL_TIMEOUT_MS }).catch(() => {});
}

/**
 * Sends a `tools/call` to a server that may make a task of it. A task cannot be cancelled before its id is known: where the signal
 * aborts before, the caller is answered at once, and the request goes on for a second. A task that it answers is cancelled.
 *
 * @param send - Sends the request, which this signal cancels.
 */
export async function askForTask(
  link: TaskLink,
  isLegacy: boolean,
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const late = new AbortController();
  const answer = send(late.signal);
  try {
    return await unlessAborted(answer, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const giveUp = setTimeout(() => late.abort(signal.reason), ID_WAIT_MS);
    answer
      .then((found) => {
        const task = taskIn(found, isLegacy);
        if (task !== undefined) cancelTask(link, task);
      })
      .catch(() => {})
      .finally(() => clearTimeout(giveUp));
    throw error;
  }
}

async function resultOf(
  link: TaskLink,
  { taskId, isLegacy }: RemoteTask,
  state: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  return isLegacy ? link.request("tasks/result", { taskId }, { timeoutMs: MAX_TIMER_MS, signal }) : state["result"];
}

/** Answers each question once. One that is no form is answered by nobody. */
async function answerQuestions(
  link: TaskLink,
  taskId: string,
  questions: unknown,
  asked: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  if (!isJsonObject(questions) || link.answer === undefined) return;
  for (const [key, question] of Object.entries(questions)) {
    if (asked.has(key) || asked.size >= MAX_QUESTIONS || !isJsonObject(question)) continue;
    asked.add(key);
    const { method, params } = question;
    if (method !== "elicitation/create" || !isJsonObject(params)) continue;
    const inputResponses = { [key]: await link.answer(params, signal) };
    await link.request("tasks/update", { taskId, inputResponses }, { timeoutMs: REQUEST_TIMEOUT_MS, signal });
  }
}

function pollOf({ pollIntervalMs, pollInterval }: Readonly<Record<string, unknown>>): number {
  const wanted = pollIntervalMs ?? pollInterval;
  const ms = typeof wanted === "number" && Number.isFinite(wanted) ? wanted : DEFAULT_POLL_MS;
  return Math.min(Math.max(ms, MIN_POLL_MS), MAX_POLL_MS);
}

function isLost(error: unknown): boolean {
  if (ToolError.isInstance(error)) return error.code === "mcp_unreachable";
  if (!(error instanceof SdkError)) return error instanceof TypeError;
  return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.RequestTimeout;
}

function messageOf(error: unknown): string | undefined {
  const message = isJsonObject(error) ? error["message"] : undefined;
  return typeof message === "string" && message !== "" ? message : undefined;
}

function failed(why: string): ToolError {
  return new ToolError(why, { code: "mcp_failed" });
}
