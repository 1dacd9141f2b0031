import type { CodeError } from "../../code-outcome.ts";

/** The error of a run whose process could not be started. The model reads that it is so, the host reads the `reason`. */
export function notStartedError(reason: string): CodeError {
  return {
    kind: "unavailable",
    message: "the process that was to run the program did not start",
    stack: [],
    reason,
  };
}
