import { createTrustTracker } from "@dispatch/tool-memory";
import { fromMcpCall, type McpResult } from "@dispatch/tools-interface/mcp";
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ProgressToken,
  type RequestId,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Toolbox } from "../agent/toolbox.ts";
import { TOOL_SOURCES } from "../supervision/call-context.ts";
import { duration } from "../terminal/call-line.ts";
import { describeResult } from "../text/describe-call.ts";
import type { Catalogue } from "./catalogue.ts";
import { NoWorktreeError } from "./client-root.ts";
import { ClientWorktree, NO_DIRECTORY, type WorktreeParts } from "./client-worktree.ts";
import { createElicitationApprover, type Elicit } from "./elicitation-approver.ts";
import { MCP_INSTRUCTIONS } from "./mcp-instructions.ts";
import { createProgressReporter, type TellProgress } from "./progress-reporter.ts";
import { runCall } from "./run-call.ts";
import type { CallerSide, SuspendedCalls, Work } from "./suspended-calls.ts";

/** What every connection shares. */
export interface McpParts extends WorktreeParts {
  /** Rejects when the tools cannot be made, and then so does every request for them. */
  readonly steward: Promise<Toolbox["steward"]>;
  readonly catalogueFor: (canAsk: boolean) => Promise<Catalogue>;
  readonly suspended: SuspendedCalls;
  readonly load: Load;
}

/** How much is going on. */
interface Load {
  /** Calls that have not ended, of all clients. */
  calls: number;
}

/** Revisions with a handshake are legacy; since 2026-07-28 every request says who asks. */
export type Era = "legacy" | "modern";

/** Calls at the same time: each may be a process. */
const MAX_CALLS = 32;
/** Longer than any question is open: its own signal ends it, an approval's after ten minutes. */
const ELICIT_TIMEOUT_MS = 4_000_000;

/** A server for one connection, or for one request of the modern era. */
export function createMcpServer(parts: McpParts, era: Era): Server {
  return new Connection(parts, era).server;
}

class Connection {
  readonly server = new Server(
    { name: "dispatch-example-agent", title: "Dispatch: files, memory and code", version: "0.0.0" },
    { capabilities: { tools: {} }, instructions: MCP_INSTRUCTIONS },
  );
  readonly #parts: McpParts;
  readonly #era: Era;
  readonly #worktree: ClientWorktree;
  /** What the agent at the other end has read elsewhere is unknown, so it begins as low as a tool's text. */
  readonly #trust = createTrustTracker({
    sources: TOOL_SOURCES,
    before: [{ name: "unknown", result: { success: true } }],
  });

  constructor(parts: McpParts, era: Era) {
    this.#parts = parts;
    this.#era = era;
    this.#worktree = new ClientWorktree(this.server, parts);
    this.server.setRequestHandler("tools/list", async (_request, context) => {
      if (!this.#worktree.isKnown()) {
        parts.log.warn(NO_DIRECTORY);
        throw new ProtocolError(ProtocolErrorCode.InternalError, NO_DIRECTORY);
      }
      const { tools } = await this.#catalogue(canAsk(this.#capabilities(context)));
      return { tools: [...tools] };
    });
    this.server.setRequestHandler("tools/call", (request, context) => this.#call(request, context));
    this.server.setNotificationHandler("notifications/roots/list_changed", () => this.#worktree.forget());
  }

  async #call({ params }: CallToolRequest, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    const asks = canAsk(this.#capabilities(context));
    const catalogue = await this.#catalogue(asks);
    if (!catalogue.has(params.name)) {
      const allowed = catalogue.tools.map(({ name }) => name).join(", ");
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}, allowed are ${allowed}`);
    }
    const run: Work = (caller) => this.#run(params, { ...caller, catalogue, asks, context });
    const { signal, id, _meta, requestState, inputResponses } = context.mcpReq;
    const tell = this.#tellBy(context, _meta?.progressToken);
    if (this.#era === "legacy") return run({ elicit: this.#elicitBy(id), signal, tell });
    const call = JSON.stringify([params.name, params.arguments]);
    const round = { call, state: requestState<string>(), responses: inputResponses, signal, tell };
    return this.#parts.suspended.round(round, run);
  }

  async #run(params: CallToolRequest["params"], way: CallWay): Promise<McpResult> {
    const { steward, suspended, load, log } = this.#parts;
    const { catalogue, asks, elicit, signal, tell, context } = way;
    if (load.calls >= MAX_CALLS && !suspended.giveUpOldest()) {
      return failed(`Cannot run ${params.name} now: ${MAX_CALLS} calls run. Try again later`);
    }
    const progress = createProgressReporter(tell);
    load.calls += 1;
    try {
      return await runCall(fromMcpCall({ params }, catalogue.wire), {
        registry: catalogue.registry,
        worktree: await this.#worktree.path(context.mcpReq.id),
        steward: await steward,
        trust: this.#trust,
        approver: asks ? createElicitationApprover(elicit) : undefined,
        signal,
        onEvent(event) {
          progress.onEvent(event);
          if (event.type !== "call-end" || event.parentCallId !== undefined) return;
          const { name, result, durationMs } = event;
          log.detail(
            `${result.success ? "✓" : "✗"} ${name} ${duration(durationMs)} ${describeResult(result).slice(0, 100)}`,
          );
        },
      });
    } catch (error) {
      if (!(error instanceof NoWorktreeError)) throw error;
      log.warn(error.message);
      return failed(`${error.message}. Ask the user for one`);
    } finally {
      load.calls -= 1;
      progress.close();
    }
  }

  async #catalogue(asks: boolean): Promise<Catalogue> {
    try {
      return await this.#parts.catalogueFor(asks);
    } catch {
      // The reason may name places of this machine; the process ends with it.
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Cannot serve the tools: the server says why on stderr");
    }
  }

  #elicitBy(relatedRequestId: RequestId): Elicit {
    return (form, signal) =>
      this.server.elicitInput({ mode: "form", ...form }, { signal, timeout: ELICIT_TIMEOUT_MS, relatedRequestId });
  }

  #tellBy({ mcpReq }: ServerContext, progressToken: ProgressToken | undefined): TellProgress {
    if (progressToken === undefined) return () => {};
    return (progress, message) => {
      const params = { progressToken, progress, message };
      // A client that has gone hears nothing, and that is no fault of the call.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    };
  }

  #capabilities({ mcpReq }: ServerContext): ClientCapabilities {
    if (this.#era === "legacy") return this.server.getClientCapabilities() ?? {};
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    return envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
  }
}

function failed(text: string): McpResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** The way of one call. */
interface CallWay extends CallerSide {
  readonly catalogue: Catalogue;
  /** Whether the client can ask its person. */
  readonly asks: boolean;
  readonly context: ServerContext;
}

/** A client that says nothing of modes knows forms. */
function canAsk({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
