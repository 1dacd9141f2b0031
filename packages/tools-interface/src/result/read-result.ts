import type { Issue } from "../error/issue.ts";
import { jsonSnapshot } from "../json/json-snapshot.ts";
import type { Repair } from "../repair/repair.ts";
import type { ContentPart } from "./content-part.ts";
import { failure, success, withRepairs, type Metadata, type ToolResult } from "./tool-result.ts";

/** What a model reads of a success that says nothing. */
export const NO_OUTPUT = "Done, no output";

/**
 * A result as a tool answered it, read once and built anew: it may be forged, of another copy of this package, or hold
 * content that is none. Its `data` is the tool's own and has to be checked still.
 *
 * @throws {TypeError} That names the part which is no part of a result, what was found and what is allowed.
 */
export function readResult(result: ToolResult): ToolResult {
  if (result.success) {
    const { output, content, data, metadata } = result;
    assertText(output, "its text");
    const parts = content === undefined ? undefined : readContent(content);
    // Providers refuse an empty text.
    const own = success(output === "" ? NO_OUTPUT : output, { data, content: parts, metadata: readMetadata(metadata) });
    return withReadRepairs(own, result.repairs);
  }
  const { error, code, issues, stopped, effects, metadata } = result;
  assertText(error, "its text");
  assertText(code, "its code");
  const own = failure(error === "" ? `The tool failed without a word: ${code}` : error, {
    code,
    issues: jsonSnapshot(issues) as readonly Issue[] | undefined,
    stopped: stopped === undefined ? undefined : stopped === true,
    effects: effects === "none" || effects === "possible" ? effects : undefined,
    metadata: readMetadata(metadata),
  });
  return withReadRepairs(own, result.repairs);
}

/** An older copy of this package knows no repairs. */
function withReadRepairs(result: ToolResult, repairs: unknown): ToolResult {
  if (!Array.isArray(repairs) || repairs.length === 0) return result;
  return withRepairs(result, jsonSnapshot(repairs) as unknown as readonly Repair[]);
}

function readMetadata(metadata: unknown): Metadata | undefined {
  return typeof metadata === "object" && metadata !== null ? (metadata as Metadata) : undefined;
}

function readContent(content: readonly ContentPart[]): readonly ContentPart[] | undefined {
  if (!Array.isArray(content)) throw new TypeError(`its content is of type ${typeof content}, allowed is an array`);
  // Not `map`, which skips holes.
  const parts = Array.from(content as readonly ContentPart[], readPart);
  return parts.length === 0 ? undefined : parts;
}

function readPart(part: unknown, index: number): ContentPart {
  const { type, text, data, mimeType } = (part ?? {}) as { readonly [key: string]: unknown };
  const where = `its content[${index}]`;
  if (type === "text") return Object.freeze({ type, text: assertText(text, `${where}.text`) });
  if (type !== "image") {
    throw new TypeError(`${where} is a part of another type than the allowed ones, "text" and "image"`);
  }
  assertText(mimeType, `${where}.mimeType`);
  return Object.freeze({ type, data: assertText(data, `${where}.data`), mimeType: mimeType as string });
}

function assertText(value: unknown, what: string): string {
  if (typeof value !== "string") throw new TypeError(`${what} is of type ${typeof value}, allowed is a string`);
  return value;
}
