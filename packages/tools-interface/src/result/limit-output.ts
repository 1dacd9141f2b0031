import { truncateJson } from "../json/truncate-json.ts";
import type { ContentPart } from "./content-part.ts";
import { copyResult, type ToolResult, type ToolSuccess } from "./tool-result.ts";

/** Default of `maxOutputChars`: most characters of one result that a model is shown. */
export const DEFAULT_MAX_OUTPUT_CHARS = 100_000;

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
export interface OutputLimit {
  /** The most characters a model is shown. */
  readonly maxChars: number;
  /** Identifies the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** Keeps the full text. */
  readonly keep: OutputKeeper | undefined;
}

/** True when the result shows a model at most `maxChars` characters. */
export function fitsLimit(result: ToolResult, maxChars: number): boolean {
  if (!result.success) return result.error.length <= maxChars;
  if (result.output.length > maxChars) return false;
  return result.content === undefined || textLength(result.content) <= maxChars;
}

/** Truncates the text of a result to the limit; JSON stays JSON. The text states what is missing and how to read on. */
export function limitOutput(result: ToolResult, limit: OutputLimit): ToolResult {
  if (!result.success) return copyResult(result, { text: cutText(result.error, limit) });
  const { content } = result;
  return copyResult(result, { text: cutOutput(result, limit), ...(content && { content: cutParts(content, limit) }) });
}

function cutOutput({ output }: ToolSuccess, limit: OutputLimit): string {
  if (output.length <= limit.maxChars) return output;
  if (!/^\s*[[{"]/.test(output)) return cutText(output, limit);
  const note = noteOn(output, limit);
  return truncateJson(output, limit.maxChars, note) ?? withNote(output, limit.maxChars, note);
}

function cutText(text: string, limit: OutputLimit): string {
  return text.length <= limit.maxChars ? text : withNote(text, limit.maxChars, noteOn(text, limit));
}

/** Truncates at a line break when there is one shortly before the limit. */
function withNote(text: string, maxChars: number, note: string): string {
  const room = Math.max(0, maxChars - note.length - 3);
  const head = text.slice(0, room).toWellFormed();
  const line = head.lastIndexOf("\n");
  return `${line > room * 0.8 ? head.slice(0, line) : head}\n[${note}]`;
}

function noteOn(text: string, { maxChars, callId, name, keep }: OutputLimit): string {
  let how: string | undefined;
  try {
    how = keep?.({ callId, name, text });
  } catch {
    // The text was not kept: the note is the same as without a keeper.
  }
  const what = `cut: ${text.length} characters, of which at most ${maxChars} are shown`;
  return `${what}. ${how ?? "Ask for less at a time to see the rest"}`;
}

function cutParts(parts: readonly ContentPart[], limit: OutputLimit): readonly ContentPart[] {
  if (textLength(parts) <= limit.maxChars) return parts;
  let left = limit.maxChars;
  const shown: ContentPart[] = [];
  for (const part of parts) {
    if (part.type !== "text") shown.push(part);
    else if (left > 0) {
      shown.push({ type: "text", text: cutText(part.text, { ...limit, maxChars: left }) });
      left -= part.text.length;
    }
  }
  return shown;
}

function textLength(parts: readonly ContentPart[]): number {
  return parts.reduce((length, part) => length + (part.type === "text" ? part.text.length : 0), 0);
}
