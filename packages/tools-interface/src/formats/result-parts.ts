import type { ToolCall } from "../call/parse-call.ts";
import { ToolError } from "../error/tool-error.ts";
import type { ContentPart, ImagePart } from "../result/content-part.ts";
import type { ToolFailure, ToolResult } from "../result/tool-result.ts";

/** A call and its result. */
export interface AnsweredCall {
  /** The call. */
  readonly call: ToolCall;
  /** Its index among the calls of its turn. */
  readonly index: number;
  /** The result. */
  readonly result: ToolResult;
}

/**
 * Pairs calls with their results, by index.
 *
 * @throws {ToolError} Code `results_mismatch` when there are not as many of one as of the other: a provider refuses a
 * conversation in which a call has no result.
 */
export function answeredCalls(
  target: string,
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
): readonly AnsweredCall[] {
  if (calls.length !== results.length) {
    throw new ToolError(
      `Cannot write results for ${target}: there are ${calls.length} calls and ${results.length} results, allowed is one result a call, in the same order`,
      { code: "results_mismatch" },
    );
  }
  return results.map((result, index) => ({ call: calls[index] ?? { name: "" }, index, result }));
}

/**
 * The parts of a result that a model is shown: never its metadata, data or repairs. Lone surrogates, which truncation may
 * leave, are replaced: providers refuse the whole request for one.
 */
export function shownParts(result: ToolResult): readonly ContentPart[] {
  if (!result.success) return [textPart(shownText(result))];
  const { content } = result;
  if (content === undefined || content.length === 0) return [textPart(result.output)];
  return content.map((part) => (part.type === "text" ? textPart(part.text) : part));
}

/** The text of a failure that a model is shown. */
export function shownText({ error, code }: ToolFailure): string {
  return (error === "" ? code : error).toWellFormed();
}

function textPart(text: string): ContentPart {
  return { type: "text", text: text.toWellFormed() };
}

/** The text that replaces an image where it cannot be shown. */
export function imagePlaceholder({ mimeType }: ImagePart, where: string): string {
  return `[image (${/^[\w./+-]{1,64}$/.test(mimeType) ? mimeType : "of unknown type"}) ${where}]`;
}

/** An image as a `data:` URL. */
export function dataUrl({ mimeType, data }: ImagePart): string {
  return `data:${mimeType};base64,${data}`;
}

/** Image types that OpenAI and Anthropic support. They refuse a request with any other. */
export const SUPPORTED_IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
