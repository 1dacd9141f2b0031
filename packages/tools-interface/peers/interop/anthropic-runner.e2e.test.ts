import Anthropic from "@anthropic-ai/sdk";
import { toAnthropicRunner } from "@dispatch/providers/anthropic";
import { createToolRegistry, createTranscript, defineTool, success } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { message, streamed, use } from "./anthropic-answers.ts";
import { startScriptedServer, type ScriptedServer } from "./scripted-server.ts";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

const request = { model: "claude-opus-4-6", max_tokens: 1000, thread: false } as const;
const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: "user", content: "go" }];

function connect({ url }: ScriptedServer): Anthropic.Beta.Messages {
  return new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 }).beta.messages;
}

const script = [
  message(
    use("toolu_1", "weather_get", { city: "Oslo" }),
    use("toolu_2", "weather_get", { town: "Oslo" }),
    use("toolu_3", "screenshot", {}),
    use("toolu_4", "no_such_tool", {}),
    use("toolu_5", "weather_get", { City: "Bergen" }),
  ),
  message(use("toolu_6", "weather_get", { city: "Oslo", unit: "F" })),
  message(),
];

describe("toAnthropicRunner() with the SDK's tool runner", () => {
  it.each([true, false])("runs a conversation of all kinds of calls, streamed: %s", async (stream) => {
    await using server = await startScriptedServer(stream ? script.map(streamed) : script);
    const transcript = createTranscript();
    const tools = toAnthropicRunner(createToolbox(), { transcript, strict: true }).tools;
    await connect(server)
      .toolRunner({ ...request, messages, tools, stream })
      .runUntilDone();
    const sent = server.requests[1]?.body["messages"] as readonly { readonly content: unknown }[];
    const failed = (text: unknown) => expect.objectContaining({ content: text, is_error: true }) as unknown;
    expect(sent.at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: "Oslo: 15 °C" },
      failed(expect.stringMatching(new RegExp(REFUSED.source.slice(1)))),
      {
        type: "tool_result",
        tool_use_id: "toolu_3",
        content: [
          { type: "text", text: "the screen" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
        ],
      },
      // The runner answers for tools that it was not given.
      failed(expect.stringContaining("no_such_tool")),
      { type: "tool_result", tool_use_id: "toolu_5", content: "Bergen: 15 °C" },
    ]);
    expect(JSON.stringify(server.requests)).not.toContain("SECRET");
    expect(recorded(transcript).toSorted()).toEqual([
      ["toolu_1", "weather.get", "ok"],
      ["toolu_2", "weather.get", "invalid_params"],
      ["toolu_3", "screenshot", "ok"],
      ["toolu_5", "weather.get", "repaired"],
      ["toolu_6", "weather.get", "ok"],
    ]);
  });

  it("says what the type allows: a cache, examples, eager streaming", async () => {
    await using server = await startScriptedServer([message()]);
    const tools = toAnthropicRunner(createToolbox(), {
      cacheControl: { type: "ephemeral", ttl: "1h" },
      inputExamples: { "weather.get": [{ city: "Oslo" }] },
      eagerInputStreaming: ["delete_file"],
    }).tools;
    await connect(server).toolRunner({ ...request, messages, tools });
    const [first, , , last] = server.listIn(0, "tools");
    expect(first).toMatchObject({ input_examples: [{ city: "Oslo" }], eager_input_streaming: false });
    expect(first).not.toHaveProperty("cache_control");
    expect(last).toMatchObject({ cache_control: { type: "ephemeral", ttl: "1h" }, eager_input_streaming: true });
    for (const field of ["run", "parse"]) expect(first).not.toHaveProperty(field);
  });

  it("asks the registry's approver, and denies without one", async () => {
    for (const approve of [undefined, () => true]) {
      await using server = await startScriptedServer([message(use("1", "delete_file", { path: "a.txt" })), message()]);
      const transcript = createTranscript();
      const tools = toAnthropicRunner(createToolbox(), { transcript, approve }).tools;
      await connect(server).toolRunner({ ...request, messages, tools });
      expect(recorded(transcript)).toEqual([["1", "delete_file", approve === undefined ? "denied" : "ok"]]);
    }
  });

  it("cancels a running tool by the runner's signal", async () => {
    await using server = await startScriptedServer([message(use("1", "wait", {})), message()]);
    const transcript = createTranscript();
    const { signal, onEvent } = cancelAtProgress();
    const tools = toAnthropicRunner(createToolbox(), { transcript, onEvent }).tools;
    await Promise.allSettled([
      connect(server)
        .toolRunner({ ...request, messages, tools }, { signal })
        .runUntilDone(),
    ]);
    await expect.poll(() => recorded(transcript)).toEqual([["1", "wait", "cancelled"]]);
  });

  it.each([true, false])("executes no call of an answer that was cut off, streamed: %s", async (stream) => {
    const cut = { ...message(use("1", "weather_get", { city: "Oslo" })), stop_reason: "max_tokens" };
    await using server = await startScriptedServer([stream ? streamed(cut) : cut]);
    const transcript = createTranscript();
    const tools = toAnthropicRunner(createToolbox(), { transcript }).tools;
    await connect(server)
      .toolRunner({ ...request, messages, tools, stream })
      .runUntilDone();
    expect(recorded(transcript)).toEqual([]);
  });

  it.each([true, false])("executes no call of one when the loop asks for the results, streamed: %s", async (stream) => {
    const cut = message(use("1", "weather_get", { city: "Oslo" }), use("2", "weather_get", { city: "Bergen" }));
    for (const stop_reason of ["max_tokens", "refusal", "model_context_window_exceeded"]) {
      const answer = { ...cut, stop_reason };
      await using server = await startScriptedServer([stream ? streamed(answer) : answer]);
      const transcript = createTranscript();
      const { tools, answerCalls } = toAnthropicRunner(createToolbox(), { transcript });
      const runner = connect(server).toolRunner({ ...request, messages, tools, stream });
      for await (const one of runner) expect(await answerCalls(runner, one)).toBe(false);
      expect(recorded(transcript)).toEqual([]);
    }
  });

  it.each([true, false])("answers and records unknown tools, streamed: %s", async (stream) => {
    const answers = [message(use("1", "no_such_tool", { a: 1 }), use("2", "mine", {})), message()];
    await using server = await startScriptedServer(stream ? answers.map(streamed) : answers);
    const transcript = createTranscript();
    const { tools, answerCalls } = toAnthropicRunner(createToolbox(), { transcript });
    const mine = { name: "mine", input_schema: { type: "object" }, parse: () => ({}), run: () => "my own" } as const;
    const runner = connect(server).toolRunner({ ...request, messages, tools: [...tools, mine], stream });
    for await (const one of runner) if (await answerCalls(runner, one)) break;
    const sent = server.requests[1]?.body["messages"] as readonly { readonly content: unknown }[];
    expect(sent.at(-1)?.content).toEqual([
      expect.objectContaining({
        content: expect.stringContaining("Call one of these instead") as unknown,
        is_error: true,
      }),
      { type: "tool_result", tool_use_id: "2", content: "my own" },
    ]);
    expect(recorded(transcript)).toEqual([["1", "no_such_tool", "tool_not_found"]]);
    expect(transcript.find("1")).toMatchObject({ arguments: { a: 1 } });
  });

  it("lets the host end the loop for `stopLoop`, and passes on the context", async () => {
    const registry = createToolRegistry().register(
      defineTool({
        name: "hand_over",
        description: "Hands over.",
        parameters: z.object({}),
        context: z.object({ user: z.string() }),
        execute: (_, { context }) => success(`to ${context.user}`, { metadata: { stopLoop: true } }),
      }),
    );
    await using server = await startScriptedServer([message(use("1", "hand_over", {}))]);
    const { tools, answerCalls } = toAnthropicRunner(registry, { context: { user: "ada" } });
    const runner = connect(server).toolRunner({ ...request, messages, tools });
    for await (const answer of runner) if (await answerCalls(runner, answer)) break;
    expect(await runner.generateToolResponse()).toMatchObject({ content: [{ content: "to ada" }] });
    expect(server.requests).toHaveLength(1);
  });
});
