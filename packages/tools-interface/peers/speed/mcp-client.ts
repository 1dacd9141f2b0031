import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { handler, parameters } from "./the-tool.ts";

/** A client of a server in the same process that has the tool. */
export async function connectedClient(): Promise<Client> {
  const server = new McpServer({ name: "server", version: "1.0.0" });
  server.registerTool("read", { description: "Reads.", inputSchema: parameters }, async (params) => ({
    content: [{ type: "text", text: await handler(params) }],
  }));
  const client = new Client({ name: "client", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  return client;
}
