import type { ContentPart } from "./content-part.ts";
import type { ToolFailure, ToolResult } from "./tool-result.ts";

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
