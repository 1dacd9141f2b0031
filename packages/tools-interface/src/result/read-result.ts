import type { Issue } from "../error/issue.ts";
import { jsonSnapshot } from "../json/json-snapshot.ts";
import type { Repair } from "../repair/repair.ts";
import type { ContentPart } from "./content-part.ts";
import type { Metadata } from "./metadata.ts";
import { failure, success, withRepairs, type ToolResult } from "./tool-result.ts";

/** The text for a model of a success without output. */
export const NO_OUTPUT = "Done, no output";

/**
 * A tool's result, read once and built anew: it may be forged, come from another copy of this package, or hold invalid
 * content. Its `data` is the tool's own and has to be checked still.
 *
 * @throws {TypeError} With the invalid part, the value found and the values allowed.
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
  const given = (part ?? {}) as { readonly [key: string]: unknown };
  const { type } = given;
  const text = (key: string): string => assertText(given[key], `its content[${index}].${key}`);
  const maybe = (key: string): object => (given[key] === undefined ? {} : { [key]: text(key) });
  if (type === "text") return Object.freeze({ type, text: text("text") });
  if (type === "image" || type === "audio")
    return Object.freeze({ type, data: text("data"), mimeType: text("mimeType") });
  if (type === "file") return Object.freeze({ type, data: text("data"), mimeType: text("mimeType"), ...maybe("name") });
  if (type === "resource_link") {
    return Object.freeze({ type, uri: text("uri"), name: text("name"), ...maybe("description"), ...maybe("mimeType") });
  }
  throw new TypeError(`its content[${index}] is a part of another type than the allowed ones, ${KINDS}`);
}

const KINDS = '"text", "image", "file", "audio" and "resource_link"';

function assertText(value: unknown, what: string): string {
  if (typeof value !== "string") throw new TypeError(`${what} is of type ${typeof value}, allowed is a string`);
  return value;
}
