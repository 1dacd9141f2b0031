import { fromOpenAiResponse, toOpenAiResults, toOpenAiTools } from "@dispatch/providers/openai";
import { createTranscript } from "@dispatch/tools-interface";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startScriptedServer } from "./scripted-server.ts";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

function response(...output: readonly object[]): object {
  const reasoning = { id: "rs_1", type: "reasoning", summary: [] };
  return {
    id: "resp_67cb71b351908190",
    object: "response",
    created_at: 1741294021,
    status: "completed",
    error: null,
    incomplete_details: null,
    model: "gpt-5.2",
    output: output.length > 0 ? [reasoning, ...output] : [],
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    usage: { input_tokens: 291, output_tokens: 23, total_tokens: 314 },
  };
}

function call(number: number, name: string, params: unknown): object {
  const text = typeof params === "string" ? params : JSON.stringify(params);
  return {
    id: `fc_${number}`,
    type: "function_call",
    status: "completed",
    call_id: `call_${number}`,
    name,
    arguments: text,
  };
}

const script = [
  response(
    call(1, "weather_get", { city: "Oslo", unit: null }),
    call(2, "weather_get", { town: "Oslo" }),
    call(3, "screenshot", {}),
    call(4, "no_such_tool", {}),
    call(5, "weather_get", '{"city":"Os'),
    call(6, "wait", ""),
  ),
  response(call(7, "weather_get", { city: "Oslo", unit: "F" })),
  response(),
];

describe("the Responses API, by OpenAI's SDK", () => {
  it.for([false, true])("runs a conversation with strict: %o", async (strict) => {
    await using server = await startScriptedServer(script);
    const client = new OpenAI({ apiKey: "none", baseURL: server.url });
    const registry = createToolbox();
    const transcript = createTranscript();
    const wire = toOpenAiTools(registry, { strict });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "go" }];
    for (;;) {
      const answer = await client.responses.create({ model: "gpt-5.2", input: [...input], tools: wire.tools });
      const calls = fromOpenAiResponse(answer, wire);
      if (calls.length === 0) break;
      const results = await registry.dispatchAll(calls, { transcript, ...cancelAtProgress() });
      // The SDK's types separate inputs from outputs, though the API takes its own items back.
      input.push(...(answer.output as typeof input), ...toOpenAiResults(calls, results));
    }
    const bodies = server.requests.map(({ body }) => body);
    expect(server.requests.map(({ path }) => path)).toEqual(["/responses", "/responses", "/responses"]);
    for (const { tools } of bodies) expect(tools).toEqual(wire.tools);
    expect(wire.tools.map((tool) => "strict" in tool && tool.strict)).toEqual([strict, strict, strict, strict]);
    expect(wire.tools[0]).toMatchObject({
      type: "function",
      name: "weather_get",
      parameters: { type: "object", required: strict ? ["city", "unit"] : ["city"] },
    });
    const second = server.listIn(1, "input") as readonly { type?: string }[];
    const output = (number: number, value: unknown): object => ({
      type: "function_call_output",
      call_id: `call_${number}`,
      output: value,
    });
    expect(second.filter(({ type }) => type === "function_call_output")).toEqual([
      output(1, "Oslo: 15 °C"),
      output(2, expect.stringMatching(REFUSED)),
      output(3, [
        { type: "input_text", text: "the screen" },
        { type: "input_image", image_url: `data:image/png;base64,${PIXEL}`, detail: "auto" },
      ]),
      output(4, expect.stringContaining("no_such_tool")),
      output(5, expect.stringContaining("not valid JSON")),
      output(6, expect.stringMatching(/^wait was cancelled/)),
    ]);
    expect(server.listIn(2, "input").at(-1)).toEqual(output(7, "Oslo: 15 °F"));
    expect(JSON.stringify(bodies)).not.toContain("SECRET");
    expect(recorded(transcript)).toEqual([
      // Only a strict schema lets the field be null; without one the model was wrong to send it.
      ["call_1", "weather.get", strict ? "ok" : "repaired"],
      ["call_2", "weather.get", "invalid_params"],
      ["call_3", "screenshot", "ok"],
      ["call_4", "no_such_tool", "tool_not_found"],
      ["call_5", "weather.get", "invalid_call"],
      ["call_6", "wait", "cancelled"],
      ["call_7", "weather.get", "ok"],
    ]);
  });
});
