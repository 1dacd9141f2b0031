import type { Server } from "@modelcontextprotocol/server";
import type { CallLimits, CallSlots } from "./call-slots.ts";
import type { McpCaller, McpClientView, Era } from "./caller.ts";
import type { Catalogue } from "./catalogue.ts";
import type { McpServerOptions } from "./mcp-server-options.ts";
import type { SuspendedCalls } from "./suspended-calls.ts";
import type { Tasks } from "./tasks/tasks.ts";

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
  readonly limits: CallLimits;
  readonly onError: (error: unknown) => void;
  /** Called with each server that is made. */
  readonly connected: (server: Server, era: Era) => void;
}
