import { createMCPClient } from "@ai-sdk/mcp";
import type { McpSubject } from "@dispatch/check";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { MCPServerStreamableHttp } from "@openai/agents";
import { asSchema, jsonSchema } from "ai";
// @boundaries-ignore the subject of our own client is no part of the suite
import { connectMcpSubject } from "../../../mcp/test/connect-mcp-subject.ts";

/** The shown form of a result that is not text. */
const shown = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** The clients that are tried, by name; each as its documentation uses it, with its time limits set. */
export const subjects: Readonly<Record<string, McpSubject>> = {
  dispatch: connectMcpSubject,

  "@ai-sdk/mcp": {
    async connect(url, { timeoutMs, headers }) {
      const client = await createMCPClient({ transport: { type: "http", url, headers } });
      type Tools = Awaited<ReturnType<typeof client.tools>>;
      let tools: Tools = {};
      return {
        async tools() {
          tools = await client.tools();
          return Promise.all(
            Object.entries(tools).map(async ([name, { description = "", inputSchema }]) => ({
              name,
              description: shown(description),
              parameters: await asSchema(inputSchema ?? jsonSchema({})).jsonSchema,
            })),
          );
        },
        async call(name, params) {
          const options = { toolCallId: "1", messages: [], context: {}, abortSignal: AbortSignal.timeout(timeoutMs) };
          const result: unknown = await tools[name]?.execute(params, options as never);
          const isError =
            typeof result === "object" && result !== null && "isError" in result && result.isError === true;
          return { success: !isError, text: shown(result) };
        },
        close: () => client.close(),
      };
    },
  },

  "@langchain/mcp-adapters": {
    async connect(url, { timeoutMs, headers }) {
      const client = new MultiServerMCPClient({
        mcpServers: { other: { transport: "http", url, headers } },
        defaultToolTimeout: timeoutMs,
        useStandardContentBlocks: true,
      });
      let tools: Awaited<ReturnType<typeof client.getTools>> = [];
      await client.initializeConnections();
      return {
        async tools() {
          tools = await client.getTools();
          return tools.map(({ name, description, schema }) => ({ name, description, parameters: schema }));
        },
        async call(name, params) {
          const tool = tools.find((one) => one.name === name);
          return { success: true, text: shown(await tool?.invoke(params)) };
        },
        close: () => client.close(),
      };
    },
  },

  "@openai/agents": {
    async connect(url, { timeoutMs, headers }) {
      const server = new MCPServerStreamableHttp({
        url,
        name: "other",
        timeout: timeoutMs,
        clientSessionTimeoutSeconds: timeoutMs / 1_000,
        requestInit: { headers: { ...headers } },
      });
      await server.connect();
      return {
        async tools() {
          await server.invalidateToolsCache();
          const tools = await server.listTools();
          return tools.map(({ name, description = "", inputSchema }) => ({
            name,
            description,
            parameters: inputSchema,
          }));
        },
        async call(name, params) {
          const result: unknown = await server.callTool(name, { ...params });
          return { success: true, text: shown(result) };
        },
        close: () => server.close(),
      };
    },
  },

  "@modelcontextprotocol/client": {
    async connect(url, { timeoutMs: timeout, headers }) {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), { timeout });
      return {
        async tools() {
          const { tools } = await client.listTools(undefined, { timeout });
          return tools.map(({ name, description = "", inputSchema }) => ({
            name,
            description,
            parameters: inputSchema,
          }));
        },
        async call(name, params) {
          const result = await client.callTool({ name, arguments: { ...params } }, { timeout });
          return { success: result.isError !== true, text: shown(result) };
        },
        close: () => client.close(),
      };
    },
  },
};
