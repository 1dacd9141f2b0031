import {
  type FilePart,
  type MediaPart,
  type ResourceLinkPart,
  type ToolCall,
  ToolError,
  type ToolResult,
} from "@dispatch/tools-interface";
import { shownParts } from "@dispatch/tools-interface/internal";

/** A call and its result. */
export interface AnsweredCall {
  readonly call: ToolCall;
  /** Its index among the calls of its turn. */
  readonly index: number;
  readonly result: ToolResult;
}

/**
 * Pairs calls with their results, by index.
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

const KINDS = { image: "Image", file: "File", audio: "Recording" } as const;

/** The text that replaces a part where it cannot be shown. */
function placeholder(part: MediaPart, where: string): string {
  const name = part.type === "file" && part.name !== undefined ? ` ${JSON.stringify(oneLine(part.name))}` : "";
  const type = /^[\w./+-]{1,64}$/.test(part.mimeType) ? part.mimeType : "of unknown type";
  return `[${KINDS[part.type].toLowerCase()}${name} (${type}) ${where}]`;
}

/** A link as a line of text. */
export function linkText({ name, uri, mimeType, description }: ResourceLinkPart): string {
  const about = [mimeType, description].flatMap((text) => (text === undefined ? [] : [oneLine(text)])).join(", ");
  return `[link ${JSON.stringify(oneLine(name))}: ${oneLine(uri)}${about && ` (${about})`}]`;
}

/** Text of a tool within a line of ours: without line breaks and without the closing of our sentence. */
function oneLine(text: unknown): string {
  return String(text)
    .slice(0, MAX_NAME_CHARS)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .toWellFormed();
}

const MAX_NAME_CHARS = 2000;

/** The parts of a result in a provider's format. A part for which `show` returns nothing becomes a line of text. */
export function writeParts<Part>(
  result: ToolResult,
  write: (text: string) => Part,
  show: (part: MediaPart) => Part | undefined,
): Part[] {
  return shownParts(result).map((part) => {
    if (part.type === "text") return write(part.text);
    if (part.type === "resource_link") return write(linkText(part));
    return show(part) ?? write(placeholder(part, "cannot be shown here"));
  });
}

/** The same, or the text alone where there is nothing else. */
export function writeContent<Part extends { type: string } | { text: string }>(
  ...[result, write, show]: Parameters<typeof writeParts<Part>>
): string | Part[] {
  const parts = writeParts(result, write, show);
  const [first] = parts;
  return parts.length === 1 && first !== undefined && "text" in first ? first.text : parts;
}

/**
 * The text of a result for a provider that takes nothing else as one: images and files follow it.
 *
 * @param of - The call, such as `call 1 (toolu_1)`.
 * @param follow - Takes a part and its label where the provider shows such a part, and answers whether it did.
 */
export function textWithFollowers(
  result: ToolResult,
  of: string,
  follow: (part: MediaPart, label: string) => boolean,
): string {
  const shown = { image: 0, file: 0, audio: 0 };
  const lines = writeParts(
    result,
    (text) => text,
    (part) => {
      const label = `${KINDS[part.type]} ${shown[part.type] + 1} of the result of ${of}`;
      if (!follow(part, label)) return undefined;
      shown[part.type] += 1;
      return placeholder(part, `follows below as "${label}"`);
    },
  );
  return lines.join("\n");
}

/** Bytes as a `data:` URL. */
export function dataUrl({ mimeType, data }: MediaPart): string {
  return `data:${mimeType};base64,${data}`;
}

/** The file name that OpenAI asks for. */
export function fileName({ name }: FilePart): string {
  return name === undefined || name === "" ? "file.pdf" : oneLine(name);
}

/** The one type of file that every provider that takes files takes. */
export const PDF = "application/pdf";

/** Image types that OpenAI and Anthropic support. They refuse a request with any other. */
export const SUPPORTED_IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
