import {
  type AnyTool,
  type ContentPart,
  defineTool,
  failure,
  type JsonSchema,
  success,
  ToolError,
  type ToolResult,
  type ToolRun,
  type ToolSpec,
} from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import type { Progress } from "@modelcontextprotocol/client";
import type { ListedTool } from "./listed-tool.ts";
import type { McpClientOptions } from "./mcp-client-options.ts";
import { type McpPin, type McpPins, pinOf } from "./pins.ts";
import { askForTask, followTask, type RemoteTask, taskIn } from "./remote-task.ts";
import { describe, type ServerLink } from "./server-link.ts";
import { tameSchema } from "./tame-schema.ts";
import type { ToolChange } from "./tool-change.ts";

/** The parts that the tools of one server share. */
export interface ForeignParts {
  readonly server: string;
  readonly link: ServerLink;
  readonly pins: McpPins;
  readonly options: McpClientOptions;
  /** The tool as the server lists it now; `undefined` when it is gone. */
  readonly current: (name: string) => Promise<McpPin | undefined>;
}

const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * A server's tool as one of a registry.
 *
 * @throws {InvalidToolError} When its schema cannot be used.
 */
export function foreignTool(parts: ForeignParts, name: string, tool: ListedTool, change: ToolChange): AnyTool {
  const { server, pins, options } = parts;
  const {
    needsApproval = "always",
    timeoutMs = DEFAULT_TIMEOUT_MS,
    maxOutputChars,
    trustAnnotations = false,
  } = options;
  const pin = pinOf(tool);
  let known = change;
  // A change that a person has not agreed to is not shown to a model: the tool is listed as it was.
  const shown = change.kind === "changed" ? change.before : tool;
  const isAgreed = async (): Promise<boolean> => (await pins.get(server, tool.name))?.fingerprint === pin.fingerprint;
  const isKnown = async (): Promise<boolean> => (await pins.get(server, tool.name)) !== undefined;
  const asks = async (params: unknown): Promise<boolean> => {
    if (needsApproval === "always") return true;
    if (needsApproval === "changed") return !(await isAgreed());
    return needsApproval(tool, params) || ((await isKnown()) && !(await isAgreed()));
  };
  const { destructive, readOnly, idempotent, openWorld } = tool.hints;
  const trusted = { readOnly, destructive, idempotent, openWorld };
  const spec: ToolSpec<string, JsonSchema, undefined, undefined> = {
    name,
    description: descriptionOf(server, shown),
    parameters: { ...tameSchema(shown.inputSchema), type: "object" },
    annotations: trustAnnotations ? trusted : { openWorld: true, destructive },
    repair: "safe",
    timeoutMs,
    ...(maxOutputChars !== undefined && { maxOutputChars }),
    needsApproval: asks,
    approvalContext: () => ({
      server,
      tool: tool.name,
      is: known.kind === "same" ? "as agreed before" : known.kind,
      ...(known.kind === "changed" && { diff: known.diff }),
    }),
    async execute(params, run) {
      const now = await parts.current(tool.name);
      if (now?.fingerprint !== pin.fingerprint) throw changed(name, now);
      // It was agreed to, or needs no approval: later calls are of this tool.
      if (!(await isAgreed())) await pins.set(server, tool.name, pin);
      known = { kind: "same" };
      return called(name, run.signal, () => callTool(parts.link, tool, params, run));
    },
    // The task of a call whose process died goes on at the server.
    async reconcile(_params, run) {
      const task = await keptTask(run);
      return task && called(name, run.signal, () => resultOfTask(parts.link, tool, task, run));
    },
  };
  const output = shown === tool && tool.outputSchema ? usableOutput(tool.outputSchema, name) : undefined;
  return defineTool(output === undefined ? spec : ({ ...spec, output } as never)) as AnyTool;
}

/** @throws {ToolError} Code `mcp_failed`. */
async function called(name: string, signal: AbortSignal, call: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await call();
  } catch (error) {
    if (signal.aborted) throw error;
    if (ToolError.isInstance(error) && error.code !== "mcp_failed") throw error;
    throw new ToolError(`${name} failed: ${oneLine(describe(error))}`, { code: "mcp_failed", cause: error });
  }
}

function descriptionOf(server: string, { name, description, title }: ListedTool): string {
  return description || title || `The tool ${oneLine(name)} of ${server}, which says nothing of itself.`;
}

/** An output schema that cannot be used leaves the tool without one: its data is then of any kind. */
function usableOutput(outputSchema: JsonSchema, name: string): JsonSchema | undefined {
  try {
    const output = tameSchema(outputSchema);
    const probe = { name, description: "x", parameters: { type: "object" }, output, execute: () => undefined };
    defineTool(probe as never);
    return output;
  } catch {
    return undefined;
  }
}

function changed(name: string, now: McpPin | undefined): ToolError {
  const what =
    now === undefined ? "the server does not offer it any more" : "the server has changed it since it was offered";
  return new ToolError(`${name} was not called: ${what}. Do without it until the tools are listed again`, {
    code: "mcp_tool_changed",
  });
}

/** The call's own time limit ends it. */
const MAX_TIMER_MS = 2_147_483_647;
/** Reports of progress of one call in a second; more are left out. */
const MAX_REPORTS = 20;
const MAX_PROGRESS_CHARS = 200;
/** The step of a durable call that keeps its task. */
const TASK_STEP = "mcp task";

/** Calls a server's tool, and waits for the task if the server makes one of the call. */
async function callTool(link: ServerLink, tool: ListedTool, params: unknown, run: ToolRun): Promise<ToolResult> {
  const onProgress = progressTo(run.progress);
  const mayBeTask = tool.taskSupport === "required" || (tool.taskSupport === "optional" && run.durable !== undefined);
  const asTask = mayBeTask && (await link.hasLegacyTasks());
  const request = { name: tool.name, arguments: params, ...(asTask && { task: {} }) };
  const send = (signal: AbortSignal): Promise<unknown> =>
    link.request("tools/call", request, { signal, timeoutMs: MAX_TIMER_MS, onProgress });
  const makesTasks = asTask || (await link.makesTasks());
  const answer = makesTasks ? await askForTask(link, asTask, run.signal, send) : await send(run.signal);
  const task = taskIn(answer, asTask);
  if (task === undefined) return fromMcpResult(answer, tool.outputSchema !== undefined);
  await run.durable?.step(TASK_STEP, () => ({ ...task }));
  return resultOfTask(link, tool, task, run);
}

/** Waits for the result of a task. */
async function resultOfTask(link: ServerLink, tool: ListedTool, task: RemoteTask, run: ToolRun): Promise<ToolResult> {
  const tell = progressTo(run.progress);
  let reports = 0;
  const result = await followTask(link, task, run.signal, (message) => tell({ progress: (reports += 1), message }));
  return fromMcpResult(result, tool.outputSchema !== undefined);
}

/** The task of a durable call that began in another process. */
async function keptTask({ durable }: ToolRun): Promise<RemoteTask | undefined> {
  const kept = await durable?.step<unknown>(TASK_STEP, () => null);
  if (!isJsonObject(kept) || typeof kept["taskId"] !== "string") return undefined;
  return { taskId: kept["taskId"], isLegacy: kept["isLegacy"] === true };
}

/** A server may report at any rate, with any content. */
function progressTo(tell: (update: { message: string; done?: number; total?: number }) => void): (p: Progress) => void {
  let second = 0;
  let reports = 0;
  let latest = -Infinity;
  return ({ progress, total, message }) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, reports] = [now, 0];
    if ((reports += 1) > MAX_REPORTS) return;
    // It never goes back.
    latest = Number.isFinite(progress) ? Math.max(latest, progress) : latest;
    tell({
      message: typeof message === "string" ? oneLine(message).slice(0, MAX_PROGRESS_CHARS) : "",
      ...(Number.isFinite(latest) && { done: latest }),
      ...(total !== undefined && Number.isFinite(total) && { total }),
    });
  };
}

/** Base64 without anything around it. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MIME_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w=. "-]{0,64})?$/;

/**
 * The result of a call as the server sent it. Every part is kept: one that cannot be read as its kind becomes a line of
 * text.
 *
 * @param hasOutput - Whether the tool declares the type of its data.
 */
function fromMcpResult(result: unknown, hasOutput: boolean): ToolResult {
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
