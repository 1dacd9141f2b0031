import { thrownMessage, ToolError } from "../error/tool-error.ts";
import { onAbort } from "../wait/on-abort.ts";
import { toPromise } from "../wait/thenable.ts";
import { isAsyncGenerator, lastValue } from "./execute-tool.ts";
import { copyPlain } from "./resolved-params.ts";
import type { RunningCall } from "./running-call.ts";

/** Pause before the second attempt, in milliseconds; doubled before each further one. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

type Execute = (params: unknown, run: RunningCall) => unknown;

/**
 * Calls `execute` again when it throws, up to `retries` times. A `ToolError` is an answer and is not retried. Each pause has
 * a random length up to its limit, so that callers that failed together do not retry together (the "full jitter" of
 * AWS's architecture blog). Each attempt gets the parameters as they were validated. Stops at once when the call is cancelled or times out.
 */
export function withRetries(execute: Execute, retries: number): Execute {
  return async (params, run) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answered = await toPromise(execute(copyPlain(params), run));
        return isAsyncGenerator(answered) ? await lastValue(answered, run) : answered;
      } catch (thrown) {
        if (attempt > retries || ToolError.isInstance(thrown) || run.signal.aborted) throw thrown;
        const message = `attempt ${attempt} of ${retries + 1} failed: ${thrownMessage(thrown)}`;
        run.progress({ message, done: attempt, total: retries + 1 });
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS) * Math.random(), run.signal);
        if (run.signal.aborted) throw thrown;
      }
    }
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      detach();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const detach = onAbort(signal, end);
  });
}
