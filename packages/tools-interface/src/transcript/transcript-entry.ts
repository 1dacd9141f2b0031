import { canonicalText, type SnapshotSize } from "../json/json.ts";
import { keptBytes } from "../json/kept-bytes.ts";
import { parseJson } from "../json/parse-json.ts";
import { sha256 } from "../json/sha256.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import { failure, success, type ToolResult, type ToolResultRecord } from "../result/tool-result.ts";

/** A transcript's record of one call. Plain data once serialised. */
export interface TranscriptEntry {
  /** Identifies the call. */
  readonly callId: string;
  /** The model's turn, where the call named it. */
  readonly turn?: string;
  /** The call during which this one was made, for nested calls. */
  readonly parentCallId?: string;
  /** The name that was asked for, registered or not. */
  readonly name: string;
  /**
   * The model's arguments, as they came; a text that says so if JSON cannot hold them. Of those longer than 65,536
   * characters of JSON the beginning, as a text that says so and names where the rest was kept.
   */
  readonly arguments: unknown;
  /** SHA-256 of arguments that are too long to be held. */
  readonly argumentsDigest?: string;
  /** The call's result; a note in its place where `resultDropped` says so. */
  readonly result: ToolResult | ToolResultRecord;
  /** True where the transcript has dropped the result from memory. The same call is refused then, and does not run again. */
  readonly resultDropped?: true;
  /** When the call arrived, Unix time in milliseconds. */
  readonly startedAt: number;
  /** From arrival to result, in milliseconds. */
  readonly durationMs: number;
  /** Grows with the arrival of calls in one process, so that entries can be put in call order. */
  readonly sequence: number;
}

/** Longer arguments are not held whole, in characters of JSON. */
const MAX_HELD_CHARS = 65_536;
/** A value's characters of JSON beside those of texts and names, about. */
const CHARS_PER_VALUE = 6;
/** How much of them is held. */
const HEAD_CHARS = 1_000;
/** Arguments, or a result, that take less memory are never dropped, in bytes. */
const LEAST_BYTES = 2_048;
/** How much is held of what was dropped. */
const DROPPED_CHARS = 400;

/**
 * Very long arguments as a transcript entry holds them: their beginning and their digest. The whole JSON text goes to the
 * keeper of outputs, if there is one. `undefined` for all others, which are held whole.
 *
 * @param copied The arguments, JSON data.
 * @param size Their size, as `jsonSnapshot` counts it.
 */
export function heldArguments(
  copied: unknown,
  size: SnapshotSize,
  { callId, name, keep }: { readonly callId: string; readonly name: string; readonly keep: OutputKeeper | undefined },
): Pick<TranscriptEntry, "arguments" | "argumentsDigest"> | undefined {
  if (size.chars + size.values * CHARS_PER_VALUE <= MAX_HELD_CHARS) return undefined;
  const text = typeof copied === "string" ? copied : JSON.stringify(copied);
  if (text.length <= MAX_HELD_CHARS) return undefined;
  let how: string | undefined;
  try {
    how = keep?.({ callId, name, text });
  } catch {
    // The text was not kept.
  }
  return {
    arguments: `${headOf(text, HEAD_CHARS)}\n[cut: ${text.length} characters. ${how ?? "The rest was not kept"}]`,
    argumentsDigest: sha256(argumentsText(copied)),
  };
}

/**
 * A text that is the same for the same arguments: those that came as text and the object that it holds are the same.
 *
 * @throws {TypeError} For values without a JSON form.
 */
export function argumentsText(sent: unknown): string {
  if (typeof sent !== "string") return canonicalText(sent ?? {});
  try {
    return canonicalText(parseJson(sent));
  } catch {
    return canonicalText([sent]);
  }
}

/** The parts of an entry that may be dropped, in bytes of memory, about: 0 for one that is small. */
interface LargeParts {
  readonly sent: number;
  readonly result: number;
}

/** The parts of an entry that may be dropped. Metadata, the host's own, does not count. */
export function largeParts({ arguments: sent, result }: TranscriptEntry): LargeParts {
  return { sent: ifLarge(keptBytes(sent, Infinity)), result: ifLarge(resultBytes(result)) };
}

/** The entry with the beginnings of its large parts in their place. */
export function withoutLargeParts(entry: TranscriptEntry, large: LargeParts): TranscriptEntry {
  const { arguments: sent, result } = entry;
  return Object.freeze({
    ...entry,
    ...(large.sent > 0 && {
      arguments: noteOf(typeof sent === "string" ? sent : JSON.stringify(sent), `arguments of ${large.sent}`),
      argumentsDigest: entry.argumentsDigest ?? sha256(argumentsText(sent)),
    }),
    ...(large.result > 0 && {
      result: noteInPlaceOf(result, `a result of ${large.result}`),
      resultDropped: true as const,
    }),
  });
}

function ifLarge(bytes: number): number {
  return bytes > LEAST_BYTES ? bytes : 0;
}

function resultBytes(result: ToolResult | ToolResultRecord): number {
  const { output, error, data, content, issues, repairs, ignored } = result as ToolResultRecord;
  let bytes = keptBytes(output ?? error, Infinity) + keptBytes(data, Infinity);
  // Most results have none of these.
  if (content !== undefined || issues !== undefined) bytes += keptBytes([content, issues], Infinity);
  return bytes + keptBytes(repairs, Infinity) + keptBytes(ignored, Infinity);
}

function noteInPlaceOf(result: ToolResult | ToolResultRecord, what: string): ToolResult {
  const { output = "", error = "", code, effects, stopped } = result as ToolResultRecord;
  return result.success ? success(noteOf(output, what)) : failure(noteOf(error, what), { code, effects, stopped });
}

function noteOf(text: string, what: string): string {
  return `${headOf(text, DROPPED_CHARS)}\n[dropped from memory: ${what} bytes]`;
}

/** The beginning of a text. Written and read again, because a part of a text holds all of it in memory. */
function headOf(text: string, chars: number): string {
  return JSON.parse(JSON.stringify(text.slice(0, chars).toWellFormed())) as string;
}
