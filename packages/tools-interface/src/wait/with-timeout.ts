import { onAbort } from "./on-abort.ts";
import { toPromise } from "./thenable.ts";

/** Settles as `pending` does, or with the answer of `instead` when the time, of any length, is over or the signal aborts first. */
export function withTimeout<T, Instead>(
  pending: PromiseLike<T>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  instead: (end: "timeout" | "aborted") => Instead | Promise<Instead>,
): Promise<T | Instead> {
  return new Promise<T | Instead>((resolve, reject) => {
    // However the wait ends, its timer and listener go: a timer that is left would keep the process alive.
    const end = (settle: () => void): void => {
      cancelTimer();
      detach?.();
      settle();
    };
    const endBy = (reason: "timeout" | "aborted") =>
      end(() => resolve(new Promise((settle) => settle(instead(reason)))));
    const cancelTimer = setLongTimer(() => endBy("timeout"), timeoutMs);
    const detach = signal && onAbort(signal, () => endBy("aborted"));
    if (signal?.aborted) endBy("aborted");
    toPromise(pending).then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}

/** Longest delay a timer can hold; `setTimeout` takes a longer one for 1 ms. */
const MAX_DELAY_MS = 2_147_483_647;

/** Calls back after any number of milliseconds. Returns a function that cancels it. */
function setLongTimer(callback: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const set = (leftMs: number): void => {
    timer =
      leftMs <= MAX_DELAY_MS
        ? setTimeout(callback, leftMs)
        : setTimeout(() => set(leftMs - MAX_DELAY_MS), MAX_DELAY_MS);
  };
  set(ms);
  return () => clearTimeout(timer);
}
