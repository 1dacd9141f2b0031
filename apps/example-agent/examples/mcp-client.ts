/**
 * Takes the tools of an MCP server into a registry and calls one of them. Every call asks for approval at the terminal,
 * because the effects of a foreign server's tools are unknown.
 *
 * node mcp-client.ts '{"name":"files__read_file","arguments":{"path":"a.txt"}}' node mcp-server.ts
 */
import { createInterface } from "node:readline/promises";
import { connectMcp } from "@dispatch/mcp/client";
import { createToolRegistry, type ToolCall } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";

const [call = "", command = "", ...args] = process.argv.slice(2);
// Patient: the first start of an `npx` server downloads it. Ctrl-C ends the wait.
const server = connectMcp("files", { command, args }, { connectTimeoutMs: 600_000 });
try {
  const registry = createToolRegistry().register(await server.tools());
  const result = await registry.dispatch(JSON.parse(call) as ToolCall, {
    async approve({ name, params }) {
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await terminal.question(`Call ${name} with ${oneLine(JSON.stringify(params))}? [y/N] `);
      terminal.close();
      return answer === "y";
    },
  });
  console.log(String(result));
} finally {
  await server.close();
}
