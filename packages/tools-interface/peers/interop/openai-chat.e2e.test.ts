import { fromOpenAiChatCompletion, toOpenAiChatResults, toOpenAiChatTools } from "@dispatch/providers/openai";
import { createTranscript } from "@dispatch/tools-interface";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startScriptedServer } from "./scripted-server.ts";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

function completion(...tool_calls: readonly object[]): object {
  const isLast = tool_calls.length === 0;
  const message = isLast ? { content: "done" } : { content: null, tool_calls };
  return {
    id: "chatcmpl-abc123",
    object: "chat.completion",
    created: 1699896916,
    model: "gpt-5.2",
    choices: [
      {
        index: 0,
        finish_reason: isLast ? "stop" : "tool_calls",
        logprobs: null,
        message: { role: "assistant", refusal: null, ...message },
      },
    ],
    usage: { prompt_tokens: 82, completion_tokens: 17, total_tokens: 99 },
  };
}

function call(number: number, name: string, params: unknown): object {
  return { id: `call_${number}`, type: "function", function: { name, arguments: JSON.stringify(params) } };
}

const script = [
  completion(
    call(1, "weather_get", { city: "Oslo", unit: null }),
    call(2, "weather_get", { town: "Oslo" }),
    call(3, "screenshot", {}),
    call(4, "no_such_tool", {}),
    call(5, "wait", {}),
  ),
  completion(call(6, "weather_get", { city: "Oslo", unit: "F" })),
  completion(),
];

describe("Chat Completions, by OpenAI's SDK", () => {
  it.for([false, true])("runs a conversation with strict: %o", async (strict) => {
    await using server = await startScriptedServer(script);
    const client = new OpenAI({ apiKey: "none", baseURL: server.url });
    const registry = createToolbox();
    const transcript = createTranscript();
    const wire = toOpenAiChatTools(registry, { strict });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
    for (;;) {
      const request = { model: "gpt-5.2", messages: [...messages], tools: wire.tools };
      const answer = await client.chat.completions.create(request);
      const [choice] = answer.choices;
      const calls = fromOpenAiChatCompletion(answer, wire);
      if (calls.length === 0 || choice === undefined) break;
      const results = await registry.dispatchAll(calls, { transcript, ...cancelAtProgress() });
      messages.push(choice.message, ...toOpenAiChatResults(calls, results));
    }
    const bodies = server.requests.map(({ body }) => body);
    const path = "/chat/completions";
    expect(server.requests.map((sent) => sent.path)).toEqual([path, path, path]);
    for (const { tools } of bodies) expect(tools).toEqual(wire.tools);
    expect(wire.tools.map((tool) => tool.function.strict)).toEqual([strict, strict, strict, strict]);
    const result = (number: number, content: unknown): object => ({
      role: "tool",
      tool_call_id: `call_${number}`,
      content,
    });
    const label = "Image 1 of the result of call 3 (call_3)";
    expect(server.listIn(1, "messages").slice(2)).toEqual([
      result(1, "Oslo: 15 °C"),
      result(2, expect.stringMatching(REFUSED)),
      result(3, `the screen\n[image (image/png) follows below as "${label}"]`),
      result(4, expect.stringContaining("no_such_tool")),
      result(5, expect.stringMatching(/^wait was cancelled/)),
      {
        role: "user",
        content: [
          { type: "text", text: label },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ]);
    expect(server.listIn(2, "messages").at(-1)).toEqual(result(6, "Oslo: 15 °F"));
    expect(JSON.stringify(bodies)).not.toContain("SECRET");
    expect(recorded(transcript)).toEqual([
      // Only a strict schema lets the field be null; without one the model was wrong to send it.
      ["call_1", "weather.get", strict ? "ok" : "repaired"],
      ["call_2", "weather.get", "invalid_params"],
      ["call_3", "screenshot", "ok"],
      ["call_4", "no_such_tool", "tool_not_found"],
      ["call_5", "wait", "cancelled"],
      ["call_6", "weather.get", "ok"],
    ]);
  });
});
