import { type ContentPart, failure, success, type ToolResult } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { isJsonObject } from "@dispatch/tools-interface/internal";

/** Base64 without anything around it. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MIME_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w=. "-]{0,64})?$/;

/**
 * The result of a call as the server sent it. Every part is kept: one that cannot be read as its kind becomes a line of
 * text.
 *
 * @param hasOutput - Whether the tool declares the type of its data.
 */
export function fromMcpResult(result: unknown, hasOutput: boolean): ToolResult {
  if (!isJsonObject(result)) return failure("The server answered with something that is no result");
  const { content, structuredContent, isError } = result;
  const parts = Array.isArray(content) ? (content as unknown[]).map(toPart) : [];
  const texts = parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`));
  const text = texts.join("\n");
  if (isError === true)
    return failure(text || "The server says that the call failed, and not why", { code: "mcp_error" });
  const data = structuredContent ?? (hasOutput ? jsonIn(parts) : undefined);
  const output = text || (data === undefined ? "" : JSON.stringify(data));
  const isPlain = parts.every(({ type }) => type === "text");
  return success(output, { data, ...(!isPlain && { content: parts }) });
}

/** Servers of older revisions send their data as text alone. */
function jsonIn(parts: readonly ContentPart[]): unknown {
  const [part, ...more] = parts;
  if (part?.type !== "text" || more.length > 0) return undefined;
  try {
    return JSON.parse(part.text) as unknown;
  } catch {
    return undefined;
  }
}

function toPart(part: unknown): ContentPart {
  if (!isJsonObject(part)) return note("a part that is no object");
  switch (part["type"]) {
    case "text":
      return typeof part["text"] === "string" ? textPart(part["text"]) : note("a text that is none");
    case "image":
    case "audio":
      return mediaPart(part["type"], part["data"], part["mimeType"]) ?? note(`a broken ${part["type"]}`);
    case "resource":
      return resourcePart(part["resource"]);
    case "resource_link":
      return linkPart(part);
    default:
      return note(`a part of another kind: ${JSON.stringify(part)}`);
  }
}

function mediaPart(type: "image" | "audio", data: unknown, mimeType: unknown): ContentPart | undefined {
  return isBase64(data) && isMimeType(mimeType) ? { type, data, mimeType } : undefined;
}

function resourcePart(resource: unknown): ContentPart {
  if (!isJsonObject(resource)) return note("a resource that is none");
  const { uri, text, blob, mimeType } = resource;
  const name = typeof uri === "string" ? oneLine(uri).slice(0, 2000) : "";
  if (typeof text === "string") return textPart(name === "" ? text : `${name}:\n${text}`);
  if (!isBase64(blob)) return note(`a resource without content: ${name}`);
  const type = isMimeType(mimeType) ? mimeType : "application/octet-stream";
  return { type: "file", data: blob, mimeType: type, ...(name !== "" && { name }) };
}

function linkPart({ uri, name, title, description, mimeType }: { readonly [key: string]: unknown }): ContentPart {
  if (typeof uri !== "string" || uri === "") return note("a link to nowhere");
  const line = (text: unknown): string => (typeof text === "string" ? oneLine(text).slice(0, 2000) : "");
  return {
    type: "resource_link",
    uri: line(uri),
    name: line(name) || line(title) || line(uri),
    ...(line(description) !== "" && { description: line(description) }),
    ...(isMimeType(mimeType) && { mimeType }),
  };
}

/** The text as it is: it may be a file's. */
function textPart(text: string): ContentPart {
  return { type: "text", text: text.toWellFormed() };
}

function note(what: string): ContentPart {
  return { type: "text", text: `[${oneLine(what)}]` };
}

function isBase64(data: unknown): data is string {
  return typeof data === "string" && data !== "" && BASE64.test(data);
}

function isMimeType(type: unknown): type is string {
  return typeof type === "string" && MIME_TYPE.test(type);
}
