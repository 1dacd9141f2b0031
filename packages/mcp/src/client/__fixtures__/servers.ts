import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { serveMcp } from "../../server/index.ts";
import { connectMcp, type McpClientOptions, type McpSource } from "../index.ts";

/** The tools of a registry behind a connection, which is made anew as often as it is asked for. */
export function connectTo(
  registry: AnyToolRegistry,
  options: McpClientOptions = {},
  structuredOutput = true,
): McpSource {
  const transport = async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await serveMcp(registry, { transport: theirs, structuredOutput });
    return ours;
  };
  const source = connectMcp("other", { transport }, options);
  onTestFinished(() => source.close());
  return source;
}

/** What a server says. */
export interface Said {
  tools: object[] | ((cursor: string | undefined) => object);
  result?: unknown;
}

/** A server that says what the test says, and notes what it was asked. */
export function connectToScript(said: Said, options: McpClientOptions = {}) {
  const calls: unknown[] = [];
  const servers: Server[] = [];
  const transport = async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: "x", version: "1" }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler("tools/list", ({ params }) => {
      const { tools } = said;
      return (typeof tools === "function" ? tools(params?.cursor) : { tools }) as never;
    });
    server.setRequestHandler("tools/call", ({ params }) => {
      calls.push(params);
      return (said.result ?? { content: [] }) as never;
    });
    await server.connect(theirs);
    servers.push(server);
    return ours;
  };
  const source = connectMcp("other", { transport }, options);
  onTestFinished(() => source.close());
  return { source, calls, servers };
}

export const approve = () => true;
/** A tool as a server lists it. */
export const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });
