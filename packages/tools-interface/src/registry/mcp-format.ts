import type { ToolCall } from "../call/parse-call.ts";
import { createWireNames, type NameRule, type WireNames } from "../call/wire-names.ts";
import { isJsonObject, type JsonSchema, plainJson } from "../json/json.ts";
import type { ContentPart } from "../result/content-part.ts";
import { shownParts, type ToolResult } from "../result/tool-result.ts";
import { mapSchemas } from "../schema/map-schemas.ts";
import { type SourceTool, toolsOf, type ToolSource } from "./tool-source.ts";

export type { SourceTool, ToolSource, WireNames };

/** A tool's own hints. Clients must not trust them, unless they trust the server. */
export interface McpToolAnnotations {
  /** Changes nothing. A client takes a tool that does not say so for one that does. */
  readOnlyHint?: boolean;
  /** May overwrite or delete. A client takes a tool that does not say so for one that may. */
  destructiveHint?: boolean;
  /** A second call changes nothing more. A client takes a tool that does not say so for one that does. */
  idempotentHint?: boolean;
  /** Reaches things beyond the host's control. A client takes a tool that does not say so for one that does. */
  openWorldHint?: boolean;
}

/** A tool as `tools/list` answers it. */
export interface McpTool {
  /** Up to 128 letters, digits, `_`, `-` and `.`. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the arguments. */
  inputSchema: { type: "object"; [keyword: string]: unknown };
  /** JSON Schema of `structuredContent`. Left out unless the tool declares data that is an object. */
  outputSchema?: { type: "object"; [keyword: string]: unknown };
  /** The tool's own hints. Left out if it declares none. */
  annotations?: McpToolAnnotations;
}

/** One piece of a result's content. */
export type McpContent =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; blob: string } }
  | { type: "resource_link"; uri: string; name: string; description?: string; mimeType?: string };

/** The result of `tools/call`. */
export interface McpResult {
  /** Content for the model. */
  content: McpContent[];
  /** The data of a success, when it is an object. */
  structuredContent?: { [key: string]: unknown };
  /** True for a failure. Left out for a success. */
  isError?: true;
  /** MCP allows further fields in every result; nothing here adds one. */
  [key: string]: unknown;
}

/** The specification's rule since 2025-11-25; a tool here may also have a slash in its name. */
const NAMES: NameRule = { refused: /[^A-Za-z0-9_.-]/g, maxLength: 128 };

/** Tools for `tools/list`, and the mapping needed to read calls. */
export interface McpTools {
  /** The tools in the order of the registry, and the same bytes for the same tools. */
  readonly tools: McpTool[];
  /** The tools' names beside those that MCP allows. */
  readonly names: WireNames;
}

/**
 * Tools for `tools/list` of an MCP server, deferred ones too: the client chooses which of them a model sees. Schemas
 * are sent as they are, except for keywords that clients of an older draft misread.
 *
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 *
 * @example
 * ```ts
 * const wire = toMcpTools(registry);
 * server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: wire.tools }));
 * server.setRequestHandler(CallToolRequestSchema, async (request, { signal }) =>
 *   toMcpResult(await registry.dispatch(fromMcpCall(request, wire), { context, signal })),
 * );
 * ```
 */
export function toMcpTools(source: ToolSource): McpTools {
  const offered = toolsOf(source);
  const names = createWireNames(
    offered.map(({ name }) => name),
    NAMES,
  );
  const tools = offered.map((tool) => ({
    name: names.toWire(tool.name),
    description: tool.description.toWellFormed(),
    inputSchema: { ...toDraft7Tuples(tool.parameters), type: "object" as const },
    ...outputSchemaOf(tool),
    ...annotationsOf(tool),
  }));
  return { tools, names };
}

/**
 * Removes `items: false` beside `prefixItems` where `maxItems` allows no more items anyway. A client that reads schemas by
 * draft 7, as MCP clients did until 2025-11-25, ignores `prefixItems` and would refuse every item.
 */
function toDraft7Tuples(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (node) => {
    const { items, ...others } = node;
    const { prefixItems, maxItems } = node;
    const isClosedTwice = items === false && Array.isArray(prefixItems) && Number(maxItems) <= prefixItems.length;
    return isClosedTwice ? others : node;
  });
}

/** MCP takes an object at the root only, and then wants every success to hold one. */
function outputSchemaOf({ output }: SourceTool): Pick<McpTool, "outputSchema"> {
  return output?.["type"] === "object" ? { outputSchema: { ...toDraft7Tuples(output), type: "object" } } : {};
}

function annotationsOf({ annotations = {} }: SourceTool): Pick<McpTool, "annotations"> {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  const hints: McpToolAnnotations = {
    ...(readOnly !== undefined && { readOnlyHint: readOnly }),
    ...(destructive !== undefined && { destructiveHint: destructive }),
    ...(idempotent !== undefined && { idempotentHint: idempotent }),
    ...(openWorld !== undefined && { openWorldHint: openWorld }),
  };
  return Object.keys(hints).length > 0 ? { annotations: hints } : {};
}

/**
 * The call in a `tools/call` request. It has no id: that of the request is the connection's, and comes again on
 * another.
 *
 * @param request - A request, or its `params`.
 * @param wire - The result of `toMcpTools`: gives the tools their own names back.
 *
 * @example
 * ```ts
 * server.setRequestHandler(CallToolRequestSchema, async (request) => {
 *   return toMcpResult(await registry.dispatch(fromMcpCall(request, wire), { context }));
 * });
 * ```
 */
export function fromMcpCall(request: unknown, wire?: Pick<McpTools, "names">): ToolCall {
  const given = isJsonObject(request) ? (request["params"] ?? request) : {};
  const { name, arguments: sent } = isJsonObject(given) ? given : {};
  const wireName = typeof name === "string" ? name : "";
  return { name: wire?.names.fromWire(wireName) ?? wireName, arguments: sent };
}

/**
 * The result of a call as MCP answers it. A result's metadata and repairs are never in it.
 *
 * @example
 * ```ts
 * toMcpResult(success("3 files changed", { data: { changed: 3 } })); // { content: [{ type: "text", … }], structuredContent: { changed: 3 } }
 * ```
 */
export function toMcpResult(result: ToolResult): McpResult {
  const content = shownParts(result).map(toMcpContent);
  if (!result.success) return { content, isError: true };
  const data = plainJson(result.data);
  return { content, ...(isJsonObject(data) && { structuredContent: data }) };
}

function toMcpContent(part: ContentPart): McpContent {
  if (part.type !== "file") return { ...part };
  // A file has no address of its own: MCP wants one of every resource.
  const uri = `attachment:${encodeURIComponent((part.name ?? "file").toWellFormed())}`;
  return { type: "resource", resource: { uri, mimeType: part.mimeType, blob: part.data } };
}
