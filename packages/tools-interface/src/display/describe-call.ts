import type { ToolProgress } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { oneLine } from "./clean-text.ts";

/** A field of a value, for a person: its name, empty where it has none, and its value on one line. */
export type NamedValue = readonly [name: string, value: string];

/**
 * Fields of the arguments of a call, in order. Nested values are counted, not shown.
 *
 * @example
 * ```ts
 * namedArguments({ path: "src/main.ts", edits: [{}] }); // [["path", "src/main.ts"], ["edits", "1 item"]]
 * ```
 */
export function namedArguments(sent: unknown): readonly NamedValue[] {
  const params = readArguments(sent);
  if (params === undefined) return [];
  if (typeof params !== "object" || params === null || Array.isArray(params)) return [["", describeValue(params)]];
  return Object.entries(params).map(([name, value]) => [oneLine(name), describeValue(value)]);
}

/**
 * Arguments of a call on one line, each with its name.
 *
 * @example
 * ```ts
 * describeArguments({ path: "src/main.ts", limit: 3 }); // "path: src/main.ts, limit: 3"
 * ```
 */
export function describeArguments(sent: unknown): string {
  return namedArguments(sent)
    .map(([name, value]) => (name === "" ? value : `${name}: ${value}`))
    .join(", ");
}

/**
 * Progress on one line: the current step, and how much of how much.
 *
 * @example
 * ```ts
 * const onEvent = (event: ToolEvent) => {
 *   if (event.type === "call-progress") console.log(describeProgress(event.update, 80));
 * };
 * ```
 */
export function describeProgress({ message, done, total }: ToolProgress, longest = Infinity): string {
  const share = done === undefined ? "" : ` ${done}${total === undefined ? "" : `/${total}`}`;
  return oneLine(message).slice(0, longest) + share;
}

/**
 * The result on one line.
 *
 * @example
 * ```ts
 * const result = await registry.dispatch(call);
 * console.log(describeResult(result));
 * ```
 */
export function describeResult(result: ToolResult): string {
  const lines = String(result).trimEnd().split("\n");
  const [first = ""] = lines;
  if (!result.success) return oneLine(first);
  const diff = diffOf(result);
  if (diff.length > 0) {
    const changed = (sign: string): number => diff.filter((row) => row.startsWith(sign)).length;
    return `+${changed("+")} -${changed("-")} lines`;
  }
  return lines.length > 2 ? `${lines.length} lines` : withoutJson(oneLine(lines.join(" ")));
}

/** A line in which JSON at the end is shown by its fields. */
function withoutJson(line: string): string {
  const at = line.search(/(?:\{"|\[[{"\d])/);
  if (at === -1) return line;
  try {
    return line.slice(0, at) + describeArguments(JSON.parse(line.slice(at)));
  } catch {
    return line;
  }
}

/**
 * The changed lines of a unified diff in a result, without its heads; none when it holds no diff.
 *
 * @example
 * ```ts
 * const result = await registry.dispatch(call);
 * for (const line of diffOf(result)) console.log(line);
 * ```
 */
export function diffOf(result: ToolResult): readonly string[] {
  const lines = String(result).trimEnd().split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@ "));
  return result.success && start >= 0 ? lines.slice(start).filter((line) => !/^(---|\+\+\+) /.test(line)) : [];
}

function readArguments(sent: unknown): unknown {
  try {
    return typeof sent === "string" ? JSON.parse(sent) : sent;
  } catch {
    return sent;
  }
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  if (typeof value === "object" && value !== null) {
    const { length } = Object.keys(value);
    return length === 1 ? "1 field" : `${length} fields`;
  }
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const lines = text.trimEnd().split("\n").length;
  return lines > 1 ? `(${lines} lines)` : oneLine(text);
}
