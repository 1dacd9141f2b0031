import { isJsonObject, toJsonText } from "../json/json.ts";
import type { ContentPart } from "../result/content-part.ts";
import { shouldStop } from "../result/should-stop.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { AiSdkModelOutput, AiSdkOutput } from "./ai-sdk-types.ts";
import { FailedCallError } from "./failed-call-error.ts";
import { objectsIn } from "./read-calls.ts";
import { shownParts } from "./result-parts.ts";

/** The output of a success. A failure is thrown: it is a tool error there. */
export function toAiSdkOutput(result: ToolResult): AiSdkOutput {
  if (!result.success) throw new FailedCallError(result);
  const data = plainData(result.data);
  return {
    content: shownParts(result),
    ...(data !== undefined && { data }),
    ...(shouldStop([result]) && { stopLoop: true }),
  };
}

function plainData(data: unknown): unknown {
  try {
    return data === undefined ? undefined : (JSON.parse(toJsonText(data)) as unknown);
  } catch {
    return undefined;
  }
}

/** Reads plain data: the AI SDK also passes what was stored and loaded again. */
export function toAiSdkModelOutput(output: unknown, version: 6 | 7): AiSdkModelOutput {
  const parts = objectsIn(isJsonObject(output) ? output["content"] : undefined) as unknown as readonly ContentPart[];
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (parts.every(({ type }) => type === "text")) return { type: "text", value: text };
  return { type: "content", value: parts.map((part) => toModelPart(part, version)) } as AiSdkModelOutput;
}

function toModelPart(part: ContentPart, version: 6 | 7): object {
  if (part.type === "text") return part;
  const { data, mimeType: mediaType } = part;
  return version === 6
    ? { type: "image-data", data, mediaType }
    : { type: "file", data: { type: "data", data }, mediaType };
}
