import { withTimeout } from "@dispatch/tools-interface/internal";

/** A call had not settled when its time was over. */
export class StillPendingError extends Error {
  override readonly name = "StillPendingError";
}

/** The answer of `call`. Rejects with a `StillPendingError` when it takes longer than `timeoutMs` milliseconds. */
export async function settledInTime<T>(timeoutMs: number, call: () => Promise<T>): Promise<T> {
  return withTimeout(call(), { timeoutMs }, () =>
    Promise.reject(new StillPendingError(`it still pending after ${timeoutMs} ms`)),
  );
}
