import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, MCPServerStdio, OpenAIChatCompletionsModel, run } from "@openai/agents";
import { generateText, isStepCount } from "ai";
import OpenAI from "openai";
import { runProgram } from "./run-program.ts";

/** Where a client finds the server, the model and its files. */
export interface Surroundings {
  /** The MCP server, as a program. */
  readonly command: string;
  readonly args: string[];
  /** The model's address, without a path. */
  readonly model: string;
  /** An empty directory: the client's home. */
  readonly home: string;
  /** The directory the server works in. */
  readonly workspace: string;
}

/** Asks a client to read `a.txt`, and resolves when its model is done. */
export type Client = (where: Surroundings) => Promise<unknown>;

const PROMPT = "Read a.txt";
const KEY = "none";

/** Programs and libraries in which a model calls MCP tools, by package. Each is used as its documentation does, with its own defaults. */
export const clients: Readonly<Record<string, Client>> = {
  "@anthropic-ai/claude-code": ({ command, args, model, home, workspace }) => {
    const config = path.join(home, "mcp.json");
    writeFileSync(config, JSON.stringify({ mcpServers: { dispatch: { command, args } } }));
    const tool = ["--allowedTools", "mcp__dispatch__read_file"];
    const options = ["-p", PROMPT, "--mcp-config", config, "--strict-mcp-config", ...tool];
    return runProgram("@anthropic-ai/claude-code", "claude", options, home, workspace, {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ENABLE_TOOL_SEARCH: "false",
    });
  },

  "@google/gemini-cli": ({ command, args, model, home, workspace }) => {
    mkdirSync(path.join(home, ".gemini"));
    const settings = {
      mcpServers: { dispatch: { command, args, trust: true } },
      privacy: { usageStatisticsEnabled: false },
      security: { auth: { selectedType: "gemini-api-key" } },
    };
    writeFileSync(path.join(home, ".gemini/settings.json"), JSON.stringify(settings));
    const options = ["-p", PROMPT, "--approval-mode", "yolo", "-m", "gemini-2.5-flash"];
    return runProgram("@google/gemini-cli", undefined, options, home, workspace, {
      GEMINI_API_KEY: KEY,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GOOGLE_GEMINI_BASE_URL: model,
    });
  },

  "opencode-ai": ({ command, args, model, home, workspace }) => {
    const options = { baseURL: `${model}/v1`, apiKey: KEY };
    const provider = { fake: { npm: "@ai-sdk/openai-compatible", options, models: { fake: { tool_call: true } } } };
    const mcp = { dispatch: { type: "local", command: [command, ...args] } };
    const settings = { provider, mcp, model: "fake/fake", permission: { "*": "allow" }, autoupdate: false };
    writeFileSync(path.join(workspace, "opencode.json"), JSON.stringify(settings));
    return runProgram("opencode-ai", "bin/opencode", ["run", PROMPT], home, workspace, {});
  },

  "@ai-sdk/mcp": async ({ command, args, model }) => {
    const client = await createMCPClient({ transport: new StdioMCPTransport({ command, args }) });
    try {
      const fake = createOpenAICompatible({ name: "fake", baseURL: `${model}/v1`, apiKey: KEY });
      const tools = await client.tools();
      await generateText({ model: fake("fake"), tools, prompt: PROMPT, stopWhen: isStepCount(3) });
    } finally {
      await client.close();
    }
  },

  "@langchain/mcp-adapters": async ({ command, args, model }) => {
    const client = new MultiServerMCPClient({ mcpServers: { dispatch: { command, args } } });
    try {
      const tools = await client.getTools();
      const chat = new ChatOpenAI({ model: "fake", apiKey: KEY, configuration: { baseURL: `${model}/v1` } });
      const bound = chat.bindTools(tools);
      const messages: BaseMessage[] = [new HumanMessage(PROMPT)];
      const answer = await bound.invoke(messages);
      messages.push(answer);
      for (const call of answer.tool_calls ?? []) {
        const tool = tools.find(({ name }) => name === call.name);
        messages.push((await tool?.invoke({ ...call, type: "tool_call" })) as BaseMessage);
      }
      await bound.invoke(messages);
    } finally {
      await client.close();
    }
  },

  "@openai/agents": async ({ command, args, model }) => {
    // Its own limit is 5 s, which a server that starts from source does not always keep on a busy machine.
    const server = new MCPServerStdio({ command, args, clientSessionTimeoutSeconds: 120 });
    await server.connect();
    try {
      const openai = new OpenAI({ baseURL: `${model}/v1`, apiKey: KEY });
      const agent = new Agent({
        name: "reader",
        model: new OpenAIChatCompletionsModel(openai, "fake"),
        mcpServers: [server],
      });
      await run(agent, PROMPT);
    } finally {
      await server.close();
    }
  },
};
