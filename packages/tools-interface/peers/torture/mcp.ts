import { NotOfferedError, type TortureTool } from "@dispatch/check";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { AnySchema } from "@modelcontextprotocol/sdk/server/zod-compat.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AuthorText } from "./author-text.ts";
import type { Peer } from "./peer.ts";
import { preparedCalls } from "./prepared-calls.ts";
import { sentValue } from "./sent.ts";

/** The MCP SDK: a server and a client in one process. */
export const mcp: Peer = {
  name: "mcp",
  packageName: "@modelcontextprotocol/sdk",
  path: "`McpServer` and `Client.callTool` over `InMemoryTransport`, after `listTools`; the content blocks of the result",
  options: "`timeout` and `signal` of the request, `outputSchema`",
  notOffered:
    "approval, events of a call, a record of calls, arguments that are not JSON, results that are neither text nor structured by a schema",
  subject: {
    name: "mcp",
    async prepare(spec: TortureTool) {
      if (spec.needsApproval) throw new NotOfferedError("no approval");
      const author = new AuthorText();
      const server = new McpServer({ name: "server", version: "1.0.0" });
      server.registerTool(
        spec.name,
        {
          description: spec.description,
          inputSchema: spec.parameters as AnySchema,
          ...(spec.output && { outputSchema: spec.output as AnySchema }),
        },
        async (input: unknown, extra: { readonly signal: AbortSignal }): Promise<CallToolResult> => {
          const value = await spec.execute(input, { signal: extra.signal });
          if (spec.output === undefined) return { content: [{ type: "text", text: author.of(value) }] };
          // The protocol asks for both; the SDK checks the structured one.
          const text = JSON.stringify(value) ?? "null";
          return { content: [{ type: "text", text }], structuredContent: value as Record<string, unknown> };
        },
      );
      const client = new Client({ name: "client", version: "1.0.0" });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(far), client.connect(near)]);
      await client.listTools();
      return preparedCalls(spec.name, async ({ name, sent }, { signal, record, observe }) => {
        if (record !== undefined) throw new NotOfferedError("no record of calls");
        if (observe !== undefined) throw new NotOfferedError("no events of a call");
        const request = { name, arguments: sentValue(sent) as Record<string, unknown> };
        const result = await client.callTool(request, undefined, {
          ...(signal && { signal }),
          ...(spec.timeoutMs !== undefined && { timeout: spec.timeoutMs }),
        });
        author.check();
        const content = result.content as CallToolResult["content"];
        const text = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
        return { failed: result.isError === true, text };
      });
    },
  },
};
