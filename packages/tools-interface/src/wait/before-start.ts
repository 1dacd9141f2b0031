import { notStartedResult } from "../result/tool-output.ts";
import { failure, type ToolFailure } from "../result/tool-result.ts";
import { onAbort } from "./on-abort.ts";

/** Whose start is waited for. */
interface Starting {
  readonly name: string;
  readonly timeoutMs: number;
}

/**
 * Waits for what a call needs before its tool can start, such as a check that asks a server: no longer than the tool
 * itself may take, and not beyond cancellation. Then the answer is a failure. Rejects as `pending` does.
 */
export function beforeStart<T>(
  pending: PromiseLike<T>,
  { name, timeoutMs }: Starting,
  signal: AbortSignal | undefined,
): Promise<T | ToolFailure> {
  return new Promise<T | ToolFailure>((resolve, reject) => {
    const cancel = (): void => resolve(notStartedResult(name));
    const timer = setTimeout(() => resolve(tooLate(name, timeoutMs)), timeoutMs);
    const detach = signal && onAbort(signal, cancel);
    const settle = (): void => {
      clearTimeout(timer);
      detach?.();
    };
    if (signal?.aborted) cancel();
    Promise.resolve(pending).then(resolve, reject).finally(settle);
  });
}

function tooLate(name: string, timeoutMs: number): ToolFailure {
  const text = `${name} was not started: checking the call took longer than ${timeoutMs} ms. Nothing was done; you may call it again`;
  return failure(text, { code: "timeout", stopped: true, effects: "none" });
}
