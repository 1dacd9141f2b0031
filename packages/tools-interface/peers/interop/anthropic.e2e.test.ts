import Anthropic from "@anthropic-ai/sdk";
import { fromAnthropicMessage, toAnthropicResults, toAnthropicTools } from "@dispatch/providers/anthropic";
import { createTranscript } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { message, streamed, use } from "./anthropic-answers.ts";
import { startScriptedServer } from "./scripted-server.ts";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

const script = [
  message(
    use("toolu_1", "weather_get", { city: "Oslo" }),
    use("toolu_2", "weather_get", { town: "Oslo" }),
    use("toolu_3", "screenshot", {}),
    use("toolu_4", "no_such_tool", {}),
    use("toolu_5", "wait", {}),
  ),
  message(use("toolu_6", "weather_get", { city: "Oslo", unit: "F" })),
  message(),
];

describe("the Messages API, by Anthropic's SDK", () => {
  it.for([
    { strict: false, stream: false },
    { strict: true, stream: true },
  ])("runs a conversation with %o", async ({ strict, stream }) => {
    await using server = await startScriptedServer(stream ? script.map(streamed) : script);
    const client = new Anthropic({ apiKey: "none", baseURL: server.url });
    const registry = createToolbox();
    const transcript = createTranscript();
    const wire = toAnthropicTools(registry, { strict });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
    for (;;) {
      const request = { model: "claude-opus-4-6", max_tokens: 1000, messages: [...messages], tools: wire.tools };
      const answer = stream
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      const calls = fromAnthropicMessage(answer, wire);
      if (calls.length === 0) break;
      const results = await registry.dispatchAll(calls, { transcript, ...cancelAtProgress() });
      messages.push({ role: "assistant", content: answer.content }, toAnthropicResults(calls, results));
    }
    const bodies = server.requests.map(({ body }) => body);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/messages", "/v1/messages", "/v1/messages"]);
    for (const { tools } of bodies) expect(tools).toEqual(wire.tools);
    expect(wire.tools[0]).toMatchObject({ name: "weather_get", input_schema: { type: "object", required: ["city"] } });
    expect(wire.tools[0]?.strict).toBe(strict || undefined);
    expect(server.listIn(1, "messages")[2]).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: "Oslo: 15 °C" },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          content: expect.stringMatching(REFUSED) as unknown,
          is_error: true,
        },
        {
          type: "tool_result",
          tool_use_id: "toolu_3",
          content: [
            { type: "text", text: "the screen" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
          ],
        },
        {
          type: "tool_result",
          tool_use_id: "toolu_4",
          content: expect.stringContaining("no_such_tool") as unknown,
          is_error: true,
        },
        {
          type: "tool_result",
          tool_use_id: "toolu_5",
          content: expect.stringMatching(/^wait was cancelled/) as unknown,
          is_error: true,
        },
      ],
    });
    expect(server.listIn(2, "messages")[4]).toEqual({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_6", content: "Oslo: 15 °F" }],
    });
    expect(JSON.stringify(bodies)).not.toContain("SECRET");
    expect(recorded(transcript)).toEqual([
      ["toolu_1", "weather.get", "ok"],
      ["toolu_2", "weather.get", "invalid_params"],
      ["toolu_3", "screenshot", "ok"],
      ["toolu_4", "no_such_tool", "tool_not_found"],
      ["toolu_5", "wait", "cancelled"],
      ["toolu_6", "weather.get", "ok"],
    ]);
  });
});
