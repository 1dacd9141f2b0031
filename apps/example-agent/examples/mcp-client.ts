/**
 * Takes the tools of an MCP server into a registry and calls one of them. Every call asks for approval at the terminal,
 * because what a foreign server's tools do is unknown.
 *
 *     node mcp-client.ts '{"name":"read_file","arguments":{"path":"a.txt"}}' node mcp-server.ts
 */
import { createInterface } from "node:readline/promises";
import { createToolRegistry, defineTool, failure, success, type ToolCall } from "@dispatch/tools-interface";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [call = "", command = "", ...args] = process.argv.slice(2);
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args }));
try {
  const { tools } = await client.listTools();
  const registry = createToolRegistry().register(
    tools.map(({ name, description = name, inputSchema }) =>
      defineTool({
        name,
        description,
        parameters: inputSchema,
        annotations: { openWorld: true },
        needsApproval: true,
        async execute(params, { signal }) {
          const request = { name, arguments: params };
          const { content, isError } = await client.callTool(request, { signal });
          const text = content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
          return isError === true ? failure(text) : success(text);
        },
      }),
    ),
  );
  const result = await registry.dispatch(JSON.parse(call) as ToolCall, {
    async approve({ name, params }) {
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await terminal.question(`Call ${name} with ${JSON.stringify(params)}? [y/N] `);
      terminal.close();
      return answer === "y";
    },
  });
  console.log(String(result));
} finally {
  await client.close();
}
