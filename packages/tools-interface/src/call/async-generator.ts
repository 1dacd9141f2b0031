import { truncate } from "../error/describe-received.ts";
import { toJsonText } from "../json/json.ts";
import { toPromise } from "../wait/thenable.ts";
import type { RunningCall } from "./running-call.ts";
import type { ToolProgress } from "./tool.ts";

/** Most characters of a yielded value that observers are shown. */
const MAX_MESSAGE_CHARS = 1_000;
/** How long a generator may hold the event loop before timers get a turn, in milliseconds. */
const MAX_HOLD_MS = 10;

/** True for the result of an `async *` function. False for a stream, which has no `next`. */
export function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Symbol.asyncIterator in value &&
    "next" in value &&
    typeof value.next === "function"
  );
}

/**
 * Runs a generator to its end and reports each yielded value as progress. Resolves with the returned value, or with the
 * last yielded one when nothing is returned. Ends the generator, so that its `finally` blocks run, once the call is
 * answered without it.
 */
export async function lastValue(generator: AsyncGenerator<unknown, unknown>, run: RunningCall): Promise<unknown> {
  let last: unknown;
  let heldSince = performance.now();
  for (;;) {
    const step = await toPromise(generator.next());
    if (step.done === true) return step.value ?? last;
    last = step.value;
    run.progress(toProgress(last));
    if (run.isAnswered) return (await toPromise(generator.return(undefined))).value ?? last;
    if (performance.now() - heldSince < MAX_HOLD_MS) continue;
    // A generator that never waits for anything would keep its own timeout from running.
    await new Promise((resolve) => setTimeout(resolve, 0));
    heldSince = performance.now();
  }
}

function toProgress(value: unknown): ToolProgress {
  if (typeof value === "string") return { message: truncate(value, MAX_MESSAGE_CHARS) };
  try {
    const { message } = (value ?? {}) as { readonly message?: unknown };
    if (typeof message === "string") return value as ToolProgress;
    return { message: truncate(toJsonText(value), MAX_MESSAGE_CHARS) };
  } catch {
    return { message: "a value that JSON cannot hold" };
  }
}
