/** An MCP server over stdio, with tools for the files of the current directory. It ends when its client closes stdin. */
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
import { fromMcpCall, toMcpResult, toMcpTools } from "@dispatch/tools-interface/mcp";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const registry = registerFileTools(createToolRegistry());
const wire = toMcpTools(registry);
const context = { worktreePath: process.cwd() };

const handle = serveStdio(() => {
  const server = new Server({ name: "files", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: wire.tools }));
  server.setRequestHandler("tools/call", async (request, { mcpReq: { id, signal } }) => {
    // Approval of calls that need it uses MCP elicitation: the client asks its user.
    const approve = async ({ name, params }: { readonly name: string; readonly params: unknown }) => {
      if (server.getClientCapabilities()?.elicitation === undefined) return false;
      const form = {
        mode: "form" as const,
        message: `Call ${name}?\n${JSON.stringify(params, null, 2)}`,
        requestedSchema: {
          type: "object" as const,
          properties: { approve: { type: "boolean" as const } },
          required: ["approve"],
        },
      };
      const answer = await server.elicitInput(form, { signal, relatedRequestId: id });
      return answer.action === "accept" && answer.content?.["approve"] === true;
    };
    return toMcpResult(await registry.dispatch(fromMcpCall(request, wire), { context, signal, approve }));
  });
  return server;
});
process.stdin.once("end", () => void handle.close());
