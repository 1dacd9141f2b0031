import { writeSync } from "node:fs";
import process from "node:process";
import { createTranscript, type ToolObserver } from "@dispatch/tools-interface";
import { fromMcpCall, toMcpResult, toMcpTools } from "@dispatch/tools-interface/mcp";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createToolbox, recorded } from "./toolbox.ts";

const registry = createToolbox();
const transcript = createTranscript();
const wire = toMcpTools(registry);
const server = new Server({ name: "toolbox", version: "1.0.0" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: wire.tools }));
server.setRequestHandler(CallToolRequestSchema, async (request, { signal, sendNotification }) => {
  const progressToken = request.params._meta?.progressToken;
  const onEvent: ToolObserver = (event) => {
    if (event.type !== "call-progress" || progressToken === undefined) return;
    const { message, done: progress = 0, total } = event.update;
    const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
    void sendNotification({ method: "notifications/progress", params });
  };
  const call = fromMcpCall(request, wire);
  return toMcpResult(await registry.dispatch(call, { signal, transcript, onEvent, approve }));
});

/** Asks the person in front of the client. It throws where the client cannot ask, and the call is denied. */
async function approve({ name, params }: { name: string; params: unknown }): Promise<boolean> {
  const message = `Allow ${name} with ${JSON.stringify(params)}?`;
  const { action } = await server.elicitInput({ message, requestedSchema: { type: "object", properties: {} } });
  return action === "accept";
}

// Reports the calls' effects to the parent process, without the ids that were made up for them.
process.once("exit", () => {
  const outcomes = recorded(transcript).map(([, name, outcome]) => [name, outcome]);
  writeSync(process.stderr.fd, JSON.stringify(outcomes));
});
await server.connect(new StdioServerTransport());
