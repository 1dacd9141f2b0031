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
import { duration } from "../terminal/call-line.ts";
import { describeResult } from "../terminal/describe-call.ts";
import type { Toolbox } from "../tools.ts";
import type { Catalogue } from "./catalogue.ts";
import { NoWorktree, worktreeOfRoots } from "./client-root.ts";
import type { Log } from "./log.ts";
import { MCP_INSTRUCTIONS } from "./mcp-instructions.ts";
import { mcpPerson, type Elicit } from "./mcp-person.ts";
import { createProgressReporter, type TellProgress } from "./progress-reporter.ts";
import { runCall } from "./run-call.ts";
import type { CallerSide, SuspendedCalls, Work } from "./suspended-calls.ts";

/** What every connection shares. */
export interface McpParts {
  /** Rejects when the tools cannot be made, and then so does every request for them. */
  readonly steward: Promise<Toolbox["steward"]>;
  readonly catalogueFor: (canAsk: boolean) => Promise<Catalogue>;
  /** Absolute path. `undefined`: the client's root. */
  readonly workspace: string | undefined;
  /** Folder of the memory, where it is kept. */
  readonly memory: string | undefined;
  readonly suspended: SuspendedCalls;
  readonly load: Load;
  readonly log: Log;
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
/** How long a client may take to name its roots. */
const ROOTS_TIMEOUT_MS = 10_000;
/** How long a client may take to ask its person. The approval lapses before. */
const ELICIT_TIMEOUT_MS = 700_000;

const NO_FOLDER =
  "Cannot work: no folder was given and this client names no roots. Ask the user to start the server with --workspace";

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
  #root: Promise<string> | undefined;

  constructor(parts: McpParts, era: Era) {
    this.#parts = parts;
    this.#era = era;
    this.server.setRequestHandler("tools/list", async (_request, context) => {
      const able = this.#capabilities(context);
      if (parts.workspace === undefined && (era === "modern" || able.roots === undefined)) {
        parts.log.warn(NO_FOLDER);
        throw new ProtocolError(ProtocolErrorCode.InternalError, NO_FOLDER);
      }
      const { tools } = await parts.catalogueFor(canAsk(able));
      return { tools: [...tools] };
    });
    this.server.setRequestHandler("tools/call", (request, context) => this.#call(request, context));
    this.server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#root = undefined;
    });
  }

  async #call({ params }: CallToolRequest, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    const asks = canAsk(this.#capabilities(context));
    const catalogue = await this.#parts.catalogueFor(asks);
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
    const { steward, load, log } = this.#parts;
    const { catalogue, asks, elicit, signal, tell, context } = way;
    if (load.calls >= MAX_CALLS)
      return failed(`Cannot run ${params.name} now: ${MAX_CALLS} calls run. Try again later`);
    const progress = createProgressReporter(tell);
    load.calls += 1;
    try {
      return await runCall(fromMcpCall({ params }, catalogue.wire), {
        registry: catalogue.registry,
        worktree: await this.#worktree(context),
        steward: await steward,
        person: asks ? mcpPerson(elicit) : undefined,
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
      if (!(error instanceof NoWorktree)) throw error;
      log.warn(error.message);
      return failed(`${error.message}. Ask the user for one`);
    } finally {
      load.calls -= 1;
      progress.close();
    }
  }

  /** Folder to work in. The one that the user named wins; roots are then not looked at. */
  #worktree({ mcpReq }: ServerContext): Promise<string> | string {
    const { workspace, memory, log } = this.#parts;
    if (workspace !== undefined) return workspace;
    if (this.#era === "modern" || this.server.getClientCapabilities()?.roots === undefined) {
      throw new NoWorktree(NO_FOLDER);
    }
    if (this.#root !== undefined) return this.#root;
    const root = this.#askRoots(mcpReq.id).then((roots) => worktreeOfRoots(roots, memory));
    this.#root = root;
    root.then(
      (folder) => log.detail(`works in ${folder}`),
      () => {
        if (this.#root === root) this.#root = undefined;
      },
    );
    return root;
  }

  async #askRoots(relatedRequestId: ServerContext["mcpReq"]["id"]): Promise<readonly { readonly uri: string }[]> {
    try {
      return (await this.server.listRoots(undefined, { relatedRequestId, timeout: ROOTS_TIMEOUT_MS })).roots;
    } catch (error) {
      this.#parts.log.warn(`roots/list failed: ${error instanceof Error ? error.message : String(error)}`);
      throw new NoWorktree("Cannot work: the client did not name its roots as folders");
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
