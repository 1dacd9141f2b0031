import type { ToolRun, ToolResult } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import type { Progress } from "@modelcontextprotocol/client";
import { fromMcpResult } from "./from-mcp-result.ts";
import type { ListedTool } from "./listed-tool.ts";
import { askForTask, followTask, taskIn, type RemoteTask } from "./remote-task.ts";
import type { ServerLink } from "./server-link.ts";

/** The call's own time limit ends it. */
const MAX_TIMER_MS = 2_147_483_647;
/** Reports of progress of one call in a second; more are left out. */
const MAX_REPORTS = 20;
const MAX_PROGRESS_CHARS = 200;
/** The step of a durable call that keeps its task. */
const TASK_STEP = "mcp task";

/** Calls a server's tool, and waits for the task if the server makes one of the call. */
export async function callTool(link: ServerLink, tool: ListedTool, params: unknown, run: ToolRun): Promise<ToolResult> {
  const onProgress = progressTo(run.progress);
  const mayBeTask = tool.taskSupport === "required" || (tool.taskSupport === "optional" && run.durable !== undefined);
  const asTask = mayBeTask && (await link.hasLegacyTasks());
  const request = { name: tool.name, arguments: params, ...(asTask && { task: {} }) };
  const send = (signal: AbortSignal): Promise<unknown> =>
    link.request("tools/call", request, { signal, timeoutMs: MAX_TIMER_MS, onProgress });
  const makesTasks = asTask || (await link.makesTasks());
  const answer = makesTasks ? await askForTask(link, asTask, run.signal, send) : await send(run.signal);
  const task = taskIn(answer, asTask);
  if (task === undefined) return fromMcpResult(answer, tool.outputSchema !== undefined);
  await run.durable?.step(TASK_STEP, () => ({ ...task }));
  return resultOfTask(link, tool, task, run);
}

/** Waits for the result of a task. */
export async function resultOfTask(
  link: ServerLink,
  tool: ListedTool,
  task: RemoteTask,
  run: ToolRun,
): Promise<ToolResult> {
  const tell = progressTo(run.progress);
  let reports = 0;
  const result = await followTask(link, task, run.signal, (message) => tell({ progress: (reports += 1), message }));
  return fromMcpResult(result, tool.outputSchema !== undefined);
}

/** The task of a durable call that began in another process. */
export async function keptTask({ durable }: ToolRun): Promise<RemoteTask | undefined> {
  const kept = await durable?.step<unknown>(TASK_STEP, () => null);
  if (!isJsonObject(kept) || typeof kept["taskId"] !== "string") return undefined;
  return { taskId: kept["taskId"], isLegacy: kept["isLegacy"] === true };
}

/** A server may report at any rate, with any content. */
function progressTo(tell: (update: { message: string; done?: number; total?: number }) => void): (p: Progress) => void {
  let second = 0;
  let reports = 0;
  let latest = -Infinity;
  return ({ progress, total, message }) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, reports] = [now, 0];
    if ((reports += 1) > MAX_REPORTS) return;
    // It never goes back.
    latest = Number.isFinite(progress) ? Math.max(latest, progress) : latest;
    tell({
      message: typeof message === "string" ? oneLine(message).slice(0, MAX_PROGRESS_CHARS) : "",
      ...(Number.isFinite(latest) && { done: latest }),
      ...(total !== undefined && Number.isFinite(total) && { total }),
    });
  };
}
