import { toOpenAiAgentsRunSettings, toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
import { createToolRegistry, createTranscript, defineTool, loadedTools, success } from "@dispatch/tools-interface";
import {
  Agent,
  OpenAIResponsesModel,
  Runner,
  tool,
  toolNamespace,
  toolSearchTool,
  type AgentInputItem,
} from "@openai/agents";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startScriptedServer } from "./scripted-server.ts";

const SDK = { tool, toolNamespace, toolSearchTool };
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const answered = (...output: readonly object[]) => ({
  id: "r",
  object: "response",
  status: "completed",
  output,
  usage,
});
const search = (id: string, query: string) => ({
  ...{ type: "tool_search_call", execution: "client", id: `ts_${id}`, call_id: id, status: "completed" },
  arguments: { query, limit: 1 },
});
const call = (id: string, name: string, namespace?: string) => ({
  ...{ type: "function_call", id: `fc_${id}`, call_id: id, name, status: "completed", arguments: '{"city":"Oslo"}' },
  ...(namespace !== undefined && { namespace }),
});
const said = (text: string) => ({
  ...{ type: "message", id: "m", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, annotations: [] }],
});

const sample = (name: string, description: string, needsApproval = false) =>
  defineTool({
    name,
    description,
    needsApproval,
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => success(`${name} of ${city}`, { metadata: { stopLoop: name === "stop.all" } }),
  });
const create = () =>
  createToolRegistry()
    .register(sample("always", "Is always there."))
    .register(
      [
        sample("weather.forecast", "Temperature and rain."),
        sample("hotels.book", "Books a room.", true),
        sample("stop.all", "Stops everything."),
      ],
      { defer: true },
    );

/** Agents whose model answers with a script, one answer a request. */
async function scripted(script: readonly object[]) {
  const server = await startScriptedServer([...script]);
  const client = new OpenAI({ apiKey: "none", baseURL: server.url });
  const [registry, transcript] = [create(), createTranscript()];
  const createAgent = () =>
    new Agent({
      name: "a",
      model: new OpenAIResponsesModel(client, "gpt-5.4"),
      ...toOpenAiAgentsSettings(SDK, registry, { transcript }),
    });
  const run = (agent: ReturnType<typeof createAgent>, input: Parameters<Runner["run"]>[1]) =>
    new Runner({ tracingDisabled: true }).run(
      agent,
      input as string,
      toOpenAiAgentsRunSettings(registry, { transcript }),
    );
  return { server, registry, transcript, createAgent, run, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("deferred tools in the tool search of the Agents SDK", () => {
  it("are found by the registry, in a namespace, and change no tools that were sent", async () => {
    await using it = await scripted([
      answered(search("1", "rain")),
      answered(call("2", "weather_forecast", "deferred")),
      answered(said("done")),
      answered(call("3", "weather_forecast", "deferred")),
      answered(said("again")),
    ]);
    const first = await it.run(it.createAgent(), "go");
    expect(first.finalOutput).toBe("done");
    const [atRest] = it.server.requests.map(({ body }) => body["tools"]);
    expect(atRest).toMatchObject([
      { type: "tool_search", execution: "client", parameters: { required: ["query"] } },
      { type: "function", name: "always" },
      {
        type: "namespace",
        name: "deferred",
        tools: ["weather_forecast", "hotels_book", "stop_all"].map((name) => ({ name, defer_loading: true })),
      },
    ]);
    expect(it.server.listIn(1, "input").at(-1)).toMatchObject({
      ...{ type: "tool_search_output", call_id: "1", execution: "client" },
      tools: [
        {
          type: "namespace",
          name: "deferred",
          tools: [{ name: "weather_forecast", parameters: { required: ["city"] } }],
        },
      ],
    });
    expect(it.server.listIn(2, "input").at(-1)).toMatchObject({ call_id: "2", output: "weather.forecast of Oslo" });
    expect(loadedTools(it.registry, it.transcript.entries)).toEqual(["weather.forecast"]);
    // The history of the SDK restores what was found, for an agent made anew.
    const history: AgentInputItem[] = [...first.history, { role: "user", content: "once more" }];
    expect((await it.run(it.createAgent(), history)).finalOutput).toBe("again");
    expect(it.server.listIn(4, "input").at(-1)).toMatchObject({ call_id: "3", output: "weather.forecast of Oslo" });
    for (const { body } of it.server.requests) expect(JSON.stringify(body["tools"])).toBe(JSON.stringify(atRest));
  });

  it("wait for a person where they need approval", async () => {
    await using it = await scripted([
      answered(search("1", "book a room")),
      answered(call("2", "hotels_book", "deferred")),
      answered(said("done")),
    ]);
    const agent = it.createAgent();
    const waiting = await it.run(agent, "go");
    expect(waiting.interruptions.map(({ name }) => name)).toEqual(["deferred.hotels_book"]);
    expect(it.transcript.entries.map(({ name }) => name)).toEqual(["search_tools"]);
    waiting.state.approve(waiting.interruptions[0]!);
    expect((await it.run(agent, waiting.state as never)).finalOutput).toBe("done");
    expect(it.server.listIn(2, "input").at(-1)).toMatchObject({ call_id: "2", output: "hotels.book of Oslo" });
  });

  it("are not run before they were found, and may end the run", async () => {
    await using it = await scripted([
      answered(call("1", "stop_all", "deferred")),
      answered(search("2", "stop everything"), search("3", "nothing of the kind: qqq")),
      answered(call("4", "stop_all", "deferred")),
    ]);
    const { finalOutput } = await it.run(it.createAgent(), "go");
    expect(finalOutput).toBe("stop.all of Oslo");
    expect(JSON.stringify(it.server.listIn(1, "input").at(-1))).toContain("Search for it, then call it again");
    const outputs = it.server.listIn(2, "input").filter((item) => "type" in item && item.type === "tool_search_output");
    expect(outputs).toMatchObject([
      { type: "tool_search_output", call_id: "2", tools: [{ tools: [{ name: "stop_all" }] }] },
      { type: "tool_search_output", call_id: "3" },
    ]);
  });
});

it("a registry without deferred tools has no tool search in the Agents SDK", () => {
  const registry = createToolRegistry().register(sample("always", "Is always there."));
  expect(toOpenAiAgentsSettings(SDK, registry).tools.map(({ name }) => name)).toEqual(["always"]);
});

it("a tool may have the name of the namespace of deferred tools", () => {
  const registry = createToolRegistry().register([sample("deferred", "Waits."), sample("x", "Y.")], { defer: true });
  expect(toOpenAiAgentsSettings(SDK, registry).tools.map(({ name }) => name)).toEqual(["tool_search", "deferred", "x"]);
});
