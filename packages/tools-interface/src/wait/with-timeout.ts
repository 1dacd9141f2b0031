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
    // However the wait ends, its timer and listener go: a timer that is left would keep the process alive.
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      detach?.();
      settle();
    };
    const endBy = (reason: WaitEnd) => end(() => resolve(new Promise((settle) => settle(instead(reason)))));
    const timer = setTimeout(endBy, timeoutMs, "timeout");
    const detach = signal && onAbort(signal, () => endBy("aborted"));
    if (signal?.aborted) endBy("aborted");
    Promise.resolve(pending).then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}
