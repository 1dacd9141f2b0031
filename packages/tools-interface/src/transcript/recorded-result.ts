import { canonicalText } from "../json/canonical-text.ts";
import { parseJson } from "../json/parse-json.ts";
import {
  copyResult,
  failure,
  isToolResult,
  success,
  type ToolResult,
  type ToolResultRecord,
} from "../result/tool-result.ts";
import { settledInTime, TRANSCRIPT_TIMEOUT_MS } from "./record-entry.ts";
import type { Transcript, TranscriptEntry } from "./transcript.ts";

/** A call that the transcript may hold. */
export interface KnownCall {
  readonly id: string;
  readonly name: string;
  readonly sent: unknown;
}

/**
 * The recorded result of a call, or `undefined`. A call that had no effects, such as a denied one, does not count: it can
 * be dispatched again and may run then. Rejects when the transcript does.
 */
export async function recordedResult(transcript: Transcript, call: KnownCall): Promise<ToolResult | undefined> {
  const entry = await recordedEntry(transcript, call);
  if (entry === undefined || hadNoEffects(entry.result)) return undefined;
  return restoreResult(entry.result);
}

/** The entry of a call, or `undefined`. One with the same id but another tool or other arguments does not count. */
export async function recordedEntry(transcript: Transcript, call: KnownCall): Promise<TranscriptEntry | undefined> {
  const found = transcript.find?.(call.id);
  if (found === undefined) return undefined;
  const entry = "then" in found ? await settledInTime(found, TRANSCRIPT_TIMEOUT_MS, "transcript.find") : found;
  return entry !== undefined && isEntryOf(entry, call) ? entry : undefined;
}

/** Whether an entry is of a call with this name and these arguments. Those that JSON cannot hold are never the same. */
export function isEntryOf(entry: TranscriptEntry, { name, sent }: Omit<KnownCall, "id">): boolean {
  if (entry.name !== name) return false;
  try {
    return argumentsText(sent) === argumentsText(entry.arguments);
  } catch {
    return false;
  }
}

/** Arguments as text and as the object that it holds are the same. */
function argumentsText(sent: unknown): string {
  if (typeof sent !== "string") return canonicalText(sent ?? {});
  try {
    return canonicalText(parseJson(sent));
  } catch {
    return canonicalText([sent]);
  }
}

function hadNoEffects(result: ToolResult | ToolResultRecord): boolean {
  return !result.success && "effects" in result && result.effects === "none";
}

/** Rebuilds a result from its record. */
export function restoreResult(record: ToolResult | ToolResultRecord): ToolResult {
  if (isToolResult(record)) return record;
  const { output = "", error = "", repairs = [], ignored = [] } = record;
  return copyResult(record.success ? success(output, record) : failure(error, record), { repairs, ignored });
}
