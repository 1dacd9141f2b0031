import {
  type AnyTool,
  defineTool,
  type ToolSpec,
  ToolError,
  type JsonSchema,
  type ToolResult,
} from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";
import { callTool, keptTask, resultOfTask } from "./call-tool.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { McpClientOptions } from "./mcp-client-options.ts";
import { pinOf, type McpPin, type McpPins } from "./pins.ts";
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
