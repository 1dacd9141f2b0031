import type { Approver, DispatchOptions, ToolCall, ToolObserver } from "@dispatch/tools-interface";
import { oneLine, showArguments } from "@dispatch/tools-interface/display";
import { plainJson, unknownTool } from "@dispatch/tools-interface/internal";
import { fromMcpCall, type McpResult, toMcpResult } from "@dispatch/tools-interface/mcp";
import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  Server,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import type { CallSlots } from "./call-slots.ts";
import type { Era, McpCaller, McpClientView } from "./caller.ts";
import type { Catalogue } from "./catalogue.ts";
import { createElicitationApprover, type Elicit, type McpUser } from "./elicitation-approver.ts";
import type { McpServerOptions } from "./mcp-server-options.ts";
import { createProgressReporter, type TellProgress } from "./progress-reporter.ts";
import type { CallerSide, SuspendedCalls, Work } from "./suspended-calls.ts";
import { serveTasks, type Tasks, knowsTasks, TASKS_EXTENSION, type WireTask } from "./tasks/tasks.ts";

/** Longer than any question is open: its own signal ends it, an approval's after ten minutes. */
const ELICIT_TIMEOUT_MS = 4_000_000;

/** Characters of a token for progress. */
const MAX_TOKEN_CHARS = 256;
/** Characters of an unknown name that are repeated. */
const MAX_NAME_CHARS = 128;

/** The SDK checks every `tools/call` in any case; with a schema of its own it would do so twice, a tenth of the time of a small call. */
const CHECKED: { readonly params: StandardSchemaV1<unknown, CallToolRequest["params"]> } = {
  params: {
    "~standard": {
      version: 1,
      vendor: "dispatch",
      validate: (value) => ({ value: value as CallToolRequest["params"] }),
    },
  },
};

/** A server for one connection, or for one request of the modern era. */
export function createConnection(parts: ServerParts, era: Era): Server {
  return new Connection(parts, era).server;
}

class Connection {
  readonly server: Server;
  readonly #parts: ServerParts;
  readonly #era: Era;
  readonly #identity = {};

  constructor(parts: ServerParts, era: Era) {
    this.#parts = parts;
    this.#era = era;
    const { name = "dispatch", version = "0.0.0", title, icons, instructions, toolsTtlMs = 60_000 } = parts.options;
    this.server = new Server(
      { name, version, ...(title !== undefined && { title }), ...(icons && { icons: [...icons] }) },
      {
        capabilities: {
          tools: { listChanged: true },
          ...(this.#hasTasks() && { extensions: { [TASKS_EXTENSION]: {} } }),
        },
        cacheHints: { "tools/list": { ttlMs: toolsTtlMs, cacheScope: "private" } },
        ...(instructions !== undefined && { instructions }),
      },
    );
    this.server.setRequestHandler("tools/list", async (_request, context) => {
      const { tools } = await this.#catalogue(this.#view(context));
      return { tools: [...tools.values()] };
    });
    // A task in place of a result is the extension's: the SDK's types do not know it.
    this.server.setRequestHandler("tools/call", CHECKED, (params, context) => this.#call(params, context) as never);
    if (parts.tasks !== undefined && this.#hasTasks()) {
      const workOf =
        (call: Called, context: ServerContext): Work =>
        async (caller) =>
          (await this.#workOf(call, this.#view(context)))(caller);
      serveTasks(this.server, parts.tasks, (context) => this.#view(context).canAsk, workOf);
    }
    parts.connected(this.server, era);
  }

  /** Since 2026-07-28 alone: earlier revisions had tasks of another kind, as an experiment. */
  #hasTasks(): boolean {
    return this.#era === "modern" && this.#parts.tasks !== undefined;
  }

  async #call(
    params: CallToolRequest["params"],
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult | WireTask> {
    const run = await this.#workOf(params, this.#view(context));
    const { signal, id, _meta, requestState, inputResponses, envelope } = context.mcpReq;
    const meta = _meta ?? {};
    const tell = this.#tellBy(context, _meta?.progressToken);
    if (this.#era === "legacy") return run({ elicit: this.#elicitBy(id), signal, tell, meta });
    const { tasks, suspended } = this.#parts;
    const state = requestState<string>();
    if (tasks !== undefined && state === undefined && knowsTasks(envelope)) {
      const { name, arguments: given } = params;
      return tasks.begin({ call: { name, ...(given && { arguments: given }) }, signal, tell, meta }, run);
    }
    const call = JSON.stringify([params.name, params.arguments]);
    return suspended.round({ call, state, responses: inputResponses, signal, tell, meta }, run);
  }

  /** @throws {ProtocolError} When there is no such tool. */
  async #workOf(params: Called, view: McpClientView): Promise<Work> {
    const catalogue = await this.#catalogue(view);
    const listed = catalogue.tools.get(params.name);
    if (listed === undefined) {
      const allowed = [...catalogue.tools.keys()].join(", ");
      const name = oneLine(params.name).slice(0, MAX_NAME_CHARS);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}, allowed are ${allowed}`);
    }
    return async (caller) => {
      const result = await this.#run(params, { ...caller, catalogue, view });
      return this.server.projectCallToolResult(result, listed.outputSchema);
    };
  }

  async #run(params: Called, way: CallWay): Promise<McpResult> {
    const { slots } = this.#parts;
    const client = this.#era === "legacy" ? this.#identity : (way.view.name ?? "");
    const slot = await (way.callId !== undefined && way.isResumed === true
      ? slots.enterInTurn(client, way.signal)
      : slots.enter(client, way.signal));
    if (slot === undefined)
      return failed(`Cannot run ${params.name} now: ${slots.limits.running} calls run. Try again later`);
    const elicit: Elicit = (...question) => slot.whileAsking(() => way.elicit(...question));
    const progress = createProgressReporter(way.tell);
    try {
      const read = fromMcpCall({ params }, way.catalogue.wire);
      const call = way.callId === undefined ? read : { ...read, id: way.callId };
      return await this.#dispatch(call, { ...way, elicit }, progress.onEvent);
    } catch (error) {
      this.#parts.onError(error);
      return failed(`Cannot run ${params.name}: the server failed`);
    } finally {
      slot.leave();
      progress.close();
    }
  }

  /** Runs a call and asks the client's user where it needs approval. */
  async #dispatch(call: ToolCall, way: CallWay, onEvent: ToolObserver): Promise<McpResult> {
    const { catalogue, view, meta, signal, patienceMs } = way;
    const { contextFor, options: given } = this.#parts;
    const { registry, tools, wire } = catalogue;
    const user = view.canAsk ? createElicitationApprover(way.elicit) : undefined;
    const caller: McpCaller = { ...view, user, meta };
    const approve = given.approve ?? (user && approveCallsBy(user));
    const options: DispatchOptions = {
      signal,
      onEvent,
      ...(approve && { approve }),
      ...(patienceMs !== undefined && { approvalTimeoutMs: patienceMs }),
      context: await contextFor(caller),
    };
    const result = await (given.dispatch === undefined
      ? registry.dispatch(call, options)
      : given.dispatch(call, options, caller, registry));
    const listed = tools.get(wire.names.toWire(call.name));
    const isUnknown = !result.success && result.code === "tool_not_found" && listed === undefined && call.name !== "";
    const { structuredContent: _, ...shown } = toMcpResult(
      isUnknown ? unknownTool(call.name, [...tools.keys()]) : result,
    );
    const data = listed?.outputSchema !== undefined && result.success ? plainJson(result.data) : undefined;
    return { ...shown, ...(data !== undefined && { structuredContent: data }) } as McpResult;
  }

  /** @throws {ProtocolError} Before the handshake, and when the tools cannot be made. */
  async #catalogue(view: McpClientView): Promise<Catalogue> {
    if (this.#era === "legacy" && this.server.getClientVersion() === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Cannot serve the tools: initialize comes first");
    }
    try {
      return await this.#parts.catalogueFor(view);
    } catch (error) {
      // The reason may name places of this machine.
      this.#parts.onError(error);
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        "Cannot serve the tools: the server could not make them",
      );
    }
  }

  #elicitBy(relatedRequestId: RequestId): Elicit {
    return (form, signal) =>
      this.server.elicitInput({ mode: "form", ...form }, { signal, timeout: ELICIT_TIMEOUT_MS, relatedRequestId });
  }

  #tellBy({ mcpReq }: ServerContext, progressToken: ProgressToken | undefined): TellProgress {
    // Every report repeats it.
    if (progressToken === undefined || String(progressToken).length > MAX_TOKEN_CHARS) return () => {};
    return (progress, message) => {
      const params = { progressToken, progress, message };
      // A client that has gone receives nothing, and that is no fault of the call.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    };
  }

  #view({ mcpReq }: ServerContext): McpClientView {
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    const isLegacy = this.#era === "legacy";
    const client = isLegacy
      ? this.server.getClientVersion()
      : (envelope[CLIENT_INFO_META_KEY] as Implementation | undefined);
    const capabilities = isLegacy
      ? this.server.getClientCapabilities()
      : (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined);
    const elicitation = capabilities?.elicitation;
    return {
      name: client?.name,
      version: client?.version,
      // A client that says nothing of modes knows forms.
      canAsk: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
      connection: this.#identity,
    };
  }
}

function failed(text: string): McpResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** The called tool. */
type Called = Pick<CallToolRequest["params"], "name" | "arguments">;

/** The way of one call. */
interface CallWay extends CallerSide {
  readonly catalogue: Catalogue;
  readonly view: McpClientView;
}

/** Asks the client's user about every call that needs approval: calls of the model and calls of programs it wrote. */
function approveCallsBy(user: McpUser): Approver {
  return ({ name, params, parents, signal }) => {
    const caller = parents.at(-1)?.name;
    const from = caller === undefined ? "" : `, from ${caller}`;
    return user.decide({ text: `Let the agent call ${name}${from}?`, detail: showArguments(params), signal });
  };
}

/** The parts that every connection shares. */
export interface ServerParts {
  readonly options: McpServerOptions;
  /** Rejects when the tools cannot be made, and then so does every request for them. */
  readonly catalogueFor: (client: McpClientView) => Promise<Catalogue>;
  readonly contextFor: (caller: McpCaller) => unknown;
  readonly suspended: SuspendedCalls;
  /** `undefined`: calls do not become tasks. */
  readonly tasks: Tasks | undefined;
  /** Places of the calls of all clients. */
  readonly slots: CallSlots;
  readonly onError: (error: unknown) => void;
  /** Called with each server that is made. */
  readonly connected: (server: Server, era: Era) => void;
}
