import { setTimeout as pause } from "node:timers/promises";

/** Longest time without the server, in milliseconds. */
export const MAX_SILENCE_MS = 10_000;
/** Between two tries, in milliseconds: doubled from the first to the second, each time between half and the whole of it. */
const PAUSE_MS = [20, 1_000] as const;
/** Connection exceptions, insufficient resources ("too many clients"), and operator intervention ("shutting down"). */
const TRANSIENT =
  /^(?:08...|53...|57P0.|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOENT|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
/** The last is a queue that others removed while it was registered, because its process had lost its connection. */
const LOST =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|missing from database after upsert/i;

/** Tries again with growing pauses while the server cannot be reached, is full, or ends its connections. */
export async function whileUnreachable<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const [first, longest] = PAUSE_MS;
  const until = performance.now() + MAX_SILENCE_MS;
  for (let most: number = first; ; most = Math.min(most * 2, longest)) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = most * (0.5 + Math.random() / 2);
      if (!isTransient(error) || performance.now() + waitMs > until) throw error;
      await pause(waitMs);
    }
  }
}

/** The code of an error for which DBOS sends a statement again: connection failure. */
const REPEATABLE = "08006";

/**
 * An error of the connection in the form that DBOS knows, which sends the statement again then. Another one, such as
 * `EPIPE`, it records as the end of the step.
 */
export function toRepeatable(thrown: unknown): unknown {
  if (!isTransient(thrown)) return thrown;
  return Object.assign(new Error((thrown as Error).message, { cause: thrown }), { code: REPEATABLE });
}

/** Whether an error is of the connection, and not of the statement. DBOS keeps the error that ended its start as `error`. */
function isTransient(thrown: unknown): boolean {
  const { code, message, errors, error } = Object(thrown) as Readonly<Record<string, unknown>>;
  if (Array.isArray(errors)) return errors.some(isTransient);
  if (error instanceof Error && error !== thrown) return isTransient(error);
  return TRANSIENT.test(String(code)) || LOST.test(String(message));
}
