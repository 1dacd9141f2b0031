import { unlessAborted as orAborted } from "../wait/on-abort.ts";
import { DurableError } from "./durable-error.ts";

/** The error of one who stops waiting for another process, or for an answer. */
export function stoppedWaiting(): DurableError {
  return new DurableError("Cannot wait any longer: the wait was cancelled", { code: "cancelled" });
}

/** Settles as the promise does, or rejects with {@link stoppedWaiting} when the signal aborts before. */
export function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return orAborted(promise, signal, stoppedWaiting);
}
