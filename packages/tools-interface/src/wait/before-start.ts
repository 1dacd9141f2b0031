import { notStartedResult } from "../result/tool-output.ts";
import { failure, type ToolFailure } from "../result/tool-result.ts";
import { withTimeout } from "./with-timeout.ts";

export interface StartingTool {
  readonly name: string;
  readonly timeoutMs: number;
}

/**
 * Waits for a check that runs before the tool starts, such as one that asks a server, for at most the tool's timeout and
 * until the call is cancelled. Answers with a failure when either comes first. Rejects as `pending` does.
 */
export function beforeStart<T>(
  pending: PromiseLike<T>,
  { name, timeoutMs }: StartingTool,
  signal: AbortSignal | undefined,
): Promise<T | ToolFailure> {
  return withTimeout(pending, { timeoutMs, signal }, (end) => {
    if (end === "aborted") return notStartedResult(name);
    const text = `${name} was not started: checking the call took longer than ${timeoutMs} ms. Nothing was done; you may call it again`;
    return failure(text, { code: "timeout", stopped: true, effects: "none" });
  });
}
