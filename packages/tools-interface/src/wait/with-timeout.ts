import { onAbort } from "./on-abort.ts";

/** How long to wait. */
export interface WaitLimits {
  /** Longest wait, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the wait when it aborts. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a wait ended before its promise settled. */
export type WaitEnd = "timeout" | "aborted";

/** Settles as `pending` does, or with the answer of `instead` when the time is over or the signal aborts first. */
export function withTimeout<T, Instead>(
  pending: PromiseLike<T>,
  { timeoutMs, signal }: WaitLimits,
  instead: (end: WaitEnd) => Instead | Promise<Instead>,
): Promise<T | Instead> {
  return new Promise<T | Instead>((resolve, reject) => {
    const timer = setTimeout(() => resolve(instead("timeout")), timeoutMs);
    const abort = (): void => resolve(instead("aborted"));
    const detach = signal && onAbort(signal, abort);
    if (signal?.aborted) abort();
    const release = (): void => {
      clearTimeout(timer);
      detach?.();
    };
    Promise.resolve(pending).then(resolve, reject).finally(release);
  });
}
