import {
  type ContentPart,
  type MediaPart,
  type ResourceLinkPart,
  type ToolResult,
  shouldStop,
} from "@dispatch/tools-interface";
import { isJsonObject, plainJson, shownParts } from "@dispatch/tools-interface/internal";
import type { AiSdkFile, AiSdkModelOutput, AiSdkOutput } from "./ai-sdk-types.ts";
import { FailedCallError } from "./failed-call-error.ts";
import { objectsIn } from "./read-calls.ts";
import { linkText } from "./result-parts.ts";

/** The output of a success. A failure is thrown: it is a tool error there. */
export function toAiSdkOutput(result: ToolResult): AiSdkOutput {
  if (!result.success) throw new FailedCallError(result);
  const data = plainJson(result.data);
  return {
    content: shownParts(result),
    ...(data !== undefined && { data }),
    ...(shouldStop([result]) && { stopLoop: true }),
  };
}

/** Whose words a model's view is in. */
type Dialect = 6 | 7 | "mastra";

/** Reads plain data: the AI SDK also passes data that was stored and loaded again, and clients may have changed it. */
export function toAiSdkModelOutput<File = AiSdkFile>(output: unknown, version: Dialect): AiSdkModelOutput<File> {
  const parts = objectsIn(isJsonObject(output) ? output["content"] : undefined);
  const shown = parts.flatMap((part) => toModelPart(part as Partial<ContentPart>, version));
  const text = shown.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
  if (shown.every((part) => "text" in part)) return { type: "text", value: text };
  return { type: "content", value: shown } as AiSdkModelOutput<File>;
}

function toModelPart(
  part: Partial<ContentPart>,
  version: Dialect,
): ({ type: "text"; text: string } | { type: string })[] {
  if (part.type === "text") return typeof part.text === "string" ? [{ type: "text", text: part.text }] : [];
  if (part.type === "resource_link") return [{ type: "text", text: linkText(part as ResourceLinkPart) }];
  const { data, mimeType: mediaType } = part as Partial<MediaPart>;
  if (typeof data !== "string" || typeof mediaType !== "string") return [];
  const named = part.type === "file" && part.name !== undefined ? { filename: part.name } : {};
  const seven = { type: "file", data: { type: "data", data }, mediaType, ...named };
  const six = { type: part.type === "image" ? "image-data" : "file-data", data, mediaType, ...named };
  return [version === 7 ? seven : version === 6 ? six : { ...six, type: "media" }];
}
