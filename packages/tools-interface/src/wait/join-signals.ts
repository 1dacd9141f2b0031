import { onAbort } from "./on-abort.ts";

/** A signal that aborts as soon as one of two does. */
export function joinSignals(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  try {
    return AbortSignal.any([first, second]);
  } catch {
    // A signal of a polyfill.
    const controller = new AbortController();
    for (const signal of [first, second]) {
      if (signal.aborted) controller.abort(signal.reason);
      else onAbort(signal, () => controller.abort(signal.reason));
    }
    return controller.signal;
  }
}
