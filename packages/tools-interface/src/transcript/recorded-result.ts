import { canonicalText } from "../json/canonical-text.ts";
import { jsonOrReason } from "../json/json.ts";
import {
  failure,
  isToolResult,
  success,
  withRepairs,
  type ToolResult,
  type ToolResultRecord,
} from "../result/tool-result.ts";
import { settledInTime, TRANSCRIPT_TIMEOUT_MS } from "./record-entry.ts";
import type { Transcript } from "./transcript.ts";

/** Failure codes of calls that did not run and may be dispatched again. */
const NOT_RUN: ReadonlySet<unknown> = new Set(["approval_pending", "transcript_unreadable"]);

/** A call that the transcript may hold. */
interface KnownCall {
  readonly id: string;
  readonly name: string;
  readonly sent: unknown;
}

/**
 * The recorded result of a call, or `undefined`. An entry with the same id but another tool or other arguments does not
 * count, because some providers number their calls from 1 in every turn. Nor does a call that did not run and still may.
 * Rejects when the transcript does.
 */
export async function recordedResult(
  transcript: Transcript,
  { id, name, sent }: KnownCall,
): Promise<ToolResult | undefined> {
  const found = transcript.find?.(id);
  if (found === undefined) return undefined;
  const entry = "then" in found ? await settledInTime(found, TRANSCRIPT_TIMEOUT_MS, "transcript.find") : found;
  if (entry === undefined || entry.name !== name || ("code" in entry.result && NOT_RUN.has(entry.result.code))) {
    return undefined;
  }
  const same = canonicalText(jsonOrReason(sent) ?? {}) === canonicalText(entry.arguments ?? {});
  return same ? restoreResult(entry.result) : undefined;
}

/** Rebuilds a result from its record. */
function restoreResult(record: ToolResult | ToolResultRecord): ToolResult {
  if (isToolResult(record)) return record;
  const { output = "", error = "", repairs = [] } = record;
  return withRepairs(record.success ? success(output, record) : failure(error, record), repairs);
}
