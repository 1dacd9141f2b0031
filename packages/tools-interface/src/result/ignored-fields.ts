import { describeIgnored, type IgnoredField } from "../error/ignored-field.ts";
import { changesOf } from "./call-changes.ts";
import { copyResult, type ToolResult } from "./tool-result.ts";

/** The same result, telling of ignored fields: the host in `ignored`, the model in one line after the text. */
export function withIgnored(result: ToolResult, ignored: readonly IgnoredField[]): ToolResult {
  if (ignored.length === 0) return result;
  const line = describeIgnored(ignored);
  const own = result.success ? result.output : result.error;
  return copyResult(result, {
    text: own === "" ? line : `${own}\n${line}`,
    ignored: Object.freeze([...changesOf(result).ignored, ...ignored]),
    ...(result.success && result.content && { content: [...result.content, { type: "text", text: line }] }),
  });
}
