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
import { withTimeout } from "../wait/with-timeout.ts";
import type { Transcript } from "./transcript.ts";

/** Failures of calls that did not run and may be dispatched again. */
const OPEN: ReadonlySet<unknown> = new Set(["approval_pending", "transcript_unreadable"]);
/** How long a transcript may look for an entry, in milliseconds. */
const FIND_TIMEOUT_MS = 10_000;

/** A call that may be recorded already. */
interface KnownCall {
  readonly id: string;
  readonly name: string;
  readonly sent: unknown;
}

/**
 * The result that a transcript holds of a call. `undefined` when it holds none: also when the entry of that id is of
 * another tool or other arguments, as with providers that count their ids from 1 in every turn, and when the call did
 * not run and may yet. Rejects when the transcript does.
 */
export async function recordedResult(
  transcript: Transcript,
  { id, name, sent }: KnownCall,
): Promise<ToolResult | undefined> {
  const found = transcript.find?.(id);
  if (found === undefined) return undefined;
  const entry = "then" in found ? await withTimeout(found, FIND_TIMEOUT_MS, "transcript.find") : found;
  if (entry === undefined || entry.name !== name || ("code" in entry.result && OPEN.has(entry.result.code))) {
    return undefined;
  }
  const same = canonicalText(jsonOrReason(sent) ?? {}) === canonicalText(entry.arguments ?? {});
  return same ? restoreResult(entry.result) : undefined;
}

/** A result from what a transcript kept of it. */
function restoreResult(record: ToolResult | ToolResultRecord): ToolResult {
  if (isToolResult(record)) return record;
  const { output = "", error = "", repairs = [] } = record;
  return withRepairs(record.success ? success(output, record) : failure(error, record), repairs);
}
