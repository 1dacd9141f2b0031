import { once } from "node:events";
import { serveMcp, type McpCaller } from "@dispatch/mcp/server";
import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { startBearingProxy } from "./bearing-proxy.ts";

/** A server for the conformance runner, behind a proxy that bears its token. */
export interface ServedToRunner {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves tools that get the user. `tasks`: which calls become tasks. */
export async function serveToRunner(
  registry: AnyToolRegistry,
  token: string,
  tasks?: { readonly afterMs: number },
): Promise<ServedToRunner> {
  const listener = await serveMcp(registry, {
    transport: { port: 0, token },
    schemaDialect: true,
    ...(tasks !== undefined && { tasks }),
    context: ({ user }: McpCaller) => ({ user }),
  });
  const { url, server } = await startBearingProxy(listener.url ?? "", token);
  return {
    url,
    async close() {
      await listener.close();
      server.close();
      await once(server, "close");
    },
  };
}
