import type { ToolProgress } from "../call/tool.ts";
import { isJsonObject, jsonOrReason } from "../json/json.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { replaceInvisible } from "./invisible.ts";

/**
 * Text of models, tools and files is data: control and format characters, which could move the cursor or reverse the
 * direction of a line, must not reach the terminal. Characters that join an emoji or a letter to the next one stay.
 *
 * @example
 * ```ts
 * process.stdout.write(cleanText("\u001B[2Jdone\n")); // shows the escape character, does not clear the screen
 * ```
 */
export function cleanText(text: string): string {
  return replaceInvisible(text.replaceAll("\t", "  "), () => "\u{FFFD}");
}

/**
 * The same on one line.
 *
 * @example
 * ```ts
 * console.log(oneLine("two\nlines")); // two lines
 * ```
 */
export function oneLine(text: string): string {
  return cleanText(text.replaceAll(/\s+/g, " ").trim());
}

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

/** A replacement of text, which is shown as a diff. */
interface TextEdit {
  readonly old_text: string;
  readonly new_text: string;
}

/**
 * All arguments of a call, for its approval: texts as they will stand, edits as a diff, every other value as JSON. No row can be taken for
 * that of another argument.
 *
 * @example
 * ```ts
 * const approve = async (request: ApprovalRequest) => {
 *   console.log(showArguments(request.params).join("\n"));
 *   return false;
 * };
 * ```
 */
export function showArguments(params: unknown): readonly string[] {
  if (typeof params === "string") return rows(params);
  if (typeof params !== "object" || params === null) return [asJson(params)];
  return Object.entries(params).flatMap(([name, value]) => showArgument(shownName(name), value));
}

function showArgument(name: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (name === "edits" && Array.isArray(value) && value.length > 0 && value.every(isTextEdit))
    return value.flatMap(showEdit);
  if (typeof value !== "string") return [`${name}: ${asJson(value)}`];
  if (value.includes("\n")) return [`${name}:`, ...rows(value).map((row) => `  ${row}`)];
  return [`${name}: ${isPlain(value) ? cleanText(value) : asJson(value)}`];
}

function isTextEdit(edit: unknown): edit is TextEdit {
  return isJsonObject(edit) && typeof edit["old_text"] === "string" && typeof edit["new_text"] === "string";
}

function showEdit({ old_text: before, new_text: after, ...others }: TextEdit): readonly string[] {
  const more = Object.entries(others).map(([name, value]) => `${shownName(name)}: ${asJson(value)}`);
  const marked = (mark: string, text: string): readonly string[] => rows(text).map((row) => `${mark}${row}`);
  return [["@@", more.join(", ")].join(" ").trimEnd(), ...marked("-", before), ...marked("+", after)];
}

/** A name that cannot be taken for a row or a value; any other as JSON. */
function shownName(name: string): string {
  return /^[^\s":@+-][^\s":]*$/.test(name) ? cleanText(name) : asJson(name);
}

/** Whether a text can be taken for no other value: not for a number or a word of JSON, nor for a text without white space around it. */
function isPlain(text: string): boolean {
  if (text === "" || text.trim() !== text || text.startsWith('"')) return false;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null;
  } catch {
    return true;
  }
}

function asJson(value: unknown): string {
  return cleanText(JSON.stringify(jsonOrReason(value)) ?? "nothing");
}

function rows(text: string): readonly string[] {
  return cleanText(text).replace(/\n$/, "").split("\n");
}
