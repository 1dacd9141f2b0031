import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { toOpenAiAgentsRunSettings, toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
import { createToolRegistry, createTranscript, defineTool } from "@dispatch/tools-interface";
import { Agent, OpenAIChatCompletionsModel, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { z } from "zod";
import { startScriptedServer } from "./scripted-server.ts";
import { createToolbox, recorded } from "./toolbox.ts";

type Call = readonly [id: string, name: string, text: string];

const completion = (id: string, calls: readonly Call[], finish_reason = calls.length > 0 ? "tool_calls" : "stop") => {
  const tool_calls = calls.map(([callId, name, text]) => {
    return { id: callId, type: "function", function: { name, arguments: text } };
  });
  const message = calls.length > 0 ? { content: null, tool_calls } : { content: "done" };
  const choice = { index: 0, finish_reason, logprobs: null, message: { role: "assistant", refusal: null, ...message } };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id, object: "chat.completion", created: 1, model: "m", choices: [choice], usage };
};

/** Runs an agent over Chat Completions, and returns the requests that the server got. */
async function run(
  answers: readonly object[],
  registry: ReturnType<typeof createToolRegistry>,
  options: Parameters<typeof toOpenAiAgentsSettings>[2] & object,
) {
  await using server = await startScriptedServer(answers);
  const client = new OpenAI({ apiKey: "none", baseURL: server.url, maxRetries: 0 });
  const model = new OpenAIChatCompletionsModel(client, "m");
  const agent = new Agent({ name: "a", model, ...toOpenAiAgentsSettings(tool, registry, options) });
  await new Runner({ tracingDisabled: true }).run(agent, "go", toOpenAiAgentsRunSettings(registry, options));
  return server.requests.map(({ body }) => JSON.stringify(body["messages"]));
}

test("OpenAI Agents over Chat Completions show the model a result's text and leave out its image", async () => {
  const answers = [completion("1", [["call_a1b2c3", "screenshot", "{}"]]), completion("2", [])];
  const [, second] = await run(answers, createToolbox() as never, {});
  expect(second).toContain("the screen");
  expect(second).not.toContain("image");
});

test("OpenAI Agents over Chat Completions run a whole call of an answer that was cut off, and answer a broken one", async () => {
  const transcript = createTranscript();
  const cut = [
    completion("1", [["call_a1b2c3", "weather_get", '{"city":"Oslo"}']], "length"),
    completion("2", [["call_d4e5f6", "weather_get", '{"city":"Os']], "length"),
    completion("3", []),
  ];
  const requests = await run(cut, createToolbox() as never, { transcript });
  expect(requests).toHaveLength(3);
  expect(recorded(transcript)).toEqual([
    ["call_a1b2c3", "weather.get", "ok"],
    ["call_d4e5f6", "weather.get", "invalid_call"],
  ]);
});

test("OpenAI Agents run a call with a numbered id once for each answer, durably", async () => {
  const effects: string[] = [];
  const add = defineTool({
    name: "add",
    description: "Adds.",
    parameters: z.object({}),
    execute: (_, { effectId }) => (effects.push(String(effectId)), "added"),
  });
  const durable = createDurable(createMemoryEngine()).session("s");
  // The SDK itself drops the second call of a run that has the same id.
  for (const id of ["1", "2", "1", "2"]) {
    const answers = [completion(id, [["call_0", "add", "{}"]]), completion("end", [])];
    await run(answers, createToolRegistry().register(add) as never, { durable });
  }
  expect(effects).toHaveLength(2);
  expect(new Set(effects).size).toBe(2);
});
