import { onAbort } from "../wait/on-abort.ts";
import { DurableError } from "./durable-error.ts";

/** The error of one who stops waiting for another process, or for an answer. */
export function stoppedWaiting(): DurableError {
  return new DurableError("Cannot wait any longer: the wait was cancelled", { code: "cancelled" });
}

/** Settles as the promise does, or rejects when the signal aborts before. */
export function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return promise;
  return new Promise((settle, reject) => {
    const stop = (): void => reject(stoppedWaiting());
    const detach = onAbort(signal, stop);
    promise.then(settle, reject).finally(detach);
    if (signal.aborted) stop();
  });
}
