import {
  failure,
  type JsonValue,
  type ToolFailure,
  type ToolResult,
  type ToolResultRecord,
} from "@dispatch/tools-interface";
import { describeThrown, jsonSnapshot } from "@dispatch/tools-interface/internal";

/** A result as it is recorded. Metadata that JSON cannot hold, which is the host's own, is left out. */
export function toRecorded(result: ToolResult): JsonValue {
  const record = result.toJSON();
  try {
    return jsonSnapshot(record) ?? null;
  } catch {
    return jsonSnapshot({ ...record, metadata: {} }) ?? null;
  }
}

/** The outcome of a call that had begun when its process died. */
export function unknownResult(name: string, why = "nothing can say what became of it"): ToolFailure {
  return failure(
    `${name} had begun when its process ended, and ${why}: it may have had its effects. Check the state before you call it again`,
    { code: "outcome_unknown", effects: "possible" },
  );
}

/** The outcome of a call that had begun and changes nothing. */
export function harmlessResult(name: string): ToolFailure {
  return failure(`${name} had begun when its process ended. It changes nothing: you may call it again`, {
    code: "interrupted",
    effects: "none",
  });
}

/** Marks the answer of a process that waited: it says nothing of the outcome. */
const RUNS_ELSEWHERE = "runsElsewhere";

/** The answer to a call that another process runs, when this one stops waiting for it. */
export function cancelledWaitResult(name: string): ToolFailure {
  return failure(`${name} was cancelled while another process runs it: it may have its effects`, {
    code: "cancelled",
    stopped: false,
    effects: "possible",
    metadata: { [RUNS_ELSEWHERE]: true },
  });
}

/** The answer to a call whose record cannot be read or written, before it began. */
export function unavailableResult(name: string, error: unknown): ToolFailure {
  return failure(
    `${name} was not started: it could not be recorded, ${describeThrown(error)}. This is a fault of the host, not of the call`,
    { code: "durable_unavailable", effects: "none" },
  );
}

/** True for a result whose writer did not know the outcome: the record of the call may know it. */
export function isOpen(result: ToolResult | ToolResultRecord): boolean {
  return isUnknown(result) || (!result.success && result.metadata?.[RUNS_ELSEWHERE] === true);
}

/** True for an outcome that nobody knows. */
export function isUnknown(result: ToolResult | ToolResultRecord): boolean {
  return !result.success && result.code === "outcome_unknown";
}
