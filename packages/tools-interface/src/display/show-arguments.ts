import { isJsonObject, jsonOrReason } from "../json/json.ts";
import { cleanText } from "./clean-text.ts";

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
