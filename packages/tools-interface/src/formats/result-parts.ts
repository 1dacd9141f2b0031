import type { ToolCall } from "../call/parse-call.ts";
import { ToolError } from "../error/tool-error.ts";
import type { ContentPart, ImagePart } from "../result/content-part.ts";
import type { ToolResult } from "../result/tool-result.ts";

/** A call beside its result. */
export interface AnsweredCall {
  /** The call. */
  readonly call: ToolCall;
  /** Its place among the calls of its turn. */
  readonly index: number;
  /** What it ended in. */
  readonly result: ToolResult;
}

/**
 * Calls beside their results, by place.
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
 * What a model is shown of a result: never its metadata, its data or its repairs. Halves of characters, which cutting a
 * text leaves behind, are replaced: providers refuse the whole request for one.
 */
export function shownParts(result: ToolResult): readonly ContentPart[] {
  if (!result.success) return [textPart(result.error === "" ? result.code : result.error)];
  const { content } = result;
  if (content === undefined || content.length === 0) return [textPart(result.output)];
  return content.map((part) => (part.type === "text" ? textPart(part.text) : part));
}

function textPart(text: string): ContentPart {
  return { type: "text", text: text.toWellFormed() };
}

/** What stands in a text for an image that cannot be shown at its place. */
export function imagePlaceholder({ mimeType }: ImagePart, where: string): string {
  return `[image (${/^[\w./+-]{1,64}$/.test(mimeType) ? mimeType : "of unknown type"}) ${where}]`;
}

/** An image as a `data:` URL. */
export function dataUrl({ mimeType, data }: ImagePart): string {
  return `data:${mimeType};base64,${data}`;
}

/** Image types that OpenAI and Anthropic look at. Any other makes them refuse the request. */
export const SUPPORTED_IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
