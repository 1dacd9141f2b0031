import { truncateJson } from "../json/truncate-json.ts";
import type { ContentPart } from "./content-part.ts";
import { copyResult, type ToolResult, type ToolSuccess } from "./tool-result.ts";

/** Default of `maxOutputChars`: most characters of one result that a model is shown. */
export const DEFAULT_MAX_OUTPUT_CHARS = 100_000;

/** Fewer characters than this cannot say that a part of a result was cut. */
const MIN_PART_CHARS = 40;

/** An output that was too long to be shown whole. */
export interface FullOutput {
  /** Identifies the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** The whole text. */
  readonly text: string;
}

/**
 * Keeps the full text of a truncated output and answers, in one sentence for a model, how to read the rest. `undefined`, or
 * an error: the text was not kept.
 */
export type OutputKeeper = (full: FullOutput) => string | undefined;

/** The limit of one result, and the call it belongs to. */
interface OutputLimit extends Omit<FullOutput, "text"> {
  /** The most characters a model is shown. */
  readonly maxChars: number;
  /** Keeps the full text. */
  readonly keep: OutputKeeper | undefined;
}

/** True when the result shows a model at most `maxChars` characters. */
export function fitsLimit(result: ToolResult, maxChars: number): boolean {
  if (!result.success) return result.error.length <= maxChars;
  if (result.output.length > maxChars) return false;
  return result.content === undefined || textLength(result.content) <= maxChars;
}

/**
 * Truncates the text of a result to the limit; JSON stays JSON. The text states how much is missing and how to read on.
 */
export function limitOutput(result: ToolResult, limit: OutputLimit): ToolResult {
  if (!result.success) return copyResult(result, { text: cutText(result.error, limit) });
  const { content } = result;
  return copyResult(result, { text: cutOutput(result, limit), ...(content && { content: cutParts(content, limit) }) });
}

function cutOutput({ output }: ToolSuccess, limit: OutputLimit): string {
  if (output.length <= limit.maxChars) return output;
  if (!/^\s*[[{"]/.test(output)) return cutText(output, limit);
  const notes = notesOn(output, limit);
  return truncateJson(output, limit.maxChars, notes[0]) ?? withNote(output, limit.maxChars, notes);
}

function cutText(text: string, limit: OutputLimit): string {
  return text.length <= limit.maxChars ? text : withNote(text, limit.maxChars, notesOn(text, limit));
}

/** Truncates at a line break when there is one shortly before the limit. */
function withNote(text: string, maxChars: number, notes: readonly string[]): string {
  const note = notes.find(({ length }) => length + 3 <= maxChars);
  // Where not even one word fits there is no way to say so.
  if (note === undefined) return text.slice(0, maxChars).toWellFormed();
  const limit = maxChars - note.length - 3;
  const head = text.slice(0, limit).toWellFormed();
  const line = head.lastIndexOf("\n");
  return `${line > limit * 0.8 ? head.slice(0, line) : head}\n[${note}]`;
}

/** The notes on a cut text, from the longest to the shortest. */
function notesOn(text: string, { maxChars, callId, name, keep }: OutputLimit): readonly [string, ...string[]] {
  let how: string | undefined;
  try {
    const kept: unknown = keep?.({ callId, name, text });
    if (typeof kept === "string") how = kept;
  } catch {
    // The text was not kept: the note is the same as without a keeper.
  }
  const what = `cut: ${text.length} characters`;
  const full = `${what}, of which at most ${maxChars} are shown. ${how ?? "Ask for less at a time to see the rest"}`;
  return [full, ...(how === undefined ? [] : [`${what}. ${how}`]), what, "cut"];
}

function cutParts(parts: readonly ContentPart[], limit: OutputLimit): readonly ContentPart[] {
  let rest = textLength(parts);
  if (rest <= limit.maxChars) return parts;
  let left = limit.maxChars;
  const shown: ContentPart[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type !== "text") shown.push(part);
    else if (left > 0) {
      // A part that fits is cut too when the next could not say any more that it is missing.
      const isLast = part.text.length > left || (rest > left && left - part.text.length < MIN_PART_CHARS);
      const text = isLast ? cutText(textFrom(parts, index), { ...limit, maxChars: left }) : part.text;
      shown.push({ type: "text", text });
      left = isLast ? 0 : left - part.text.length;
      rest -= part.text.length;
    }
  }
  return shown;
}

/** The texts of the parts from an index on: all that is not shown whole is kept. */
function textFrom(parts: readonly ContentPart[], index: number): string {
  return parts
    .slice(index)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n");
}

function textLength(parts: readonly ContentPart[]): number {
  return parts.reduce((length, part) => length + (part.type === "text" ? part.text.length : 0), 0);
}
