import { readFileSync } from "node:fs";
import { defineTool, createToolRegistry, failure, success } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  fromOpenAiChatCompletion,
  fromOpenAiResponse,
  toOpenAiChatResults,
  toOpenAiChatTools,
  toOpenAiResults,
  toOpenAiTools,
} from "./openai.ts";

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./__fixtures__/${name}.json`, import.meta.url), "utf8"));
}

const weather = defineTool({
  name: "weather.get",
  description: "The weather in a city.",
  parameters: z.object({
    city: z.string().describe("City and state"),
    unit: z.enum(["celsius", "fahrenheit"]).default("celsius"),
    note: z.string().nullable(),
  }),
  execute: ({ city, unit }) => `${city}: 15 ${unit}`,
});
const anything = defineTool({
  name: "store",
  description: "Stores a record.",
  parameters: z.object({ record: z.record(z.string(), z.unknown()) }),
  execute: () => "stored",
});
const registry = createToolRegistry().register([weather, anything]);
const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;

const strictWeather = {
  type: "object",
  properties: {
    city: { type: "string", description: "City and state" },
    unit: {
      description: '(default: "celsius")',
      anyOf: [{ type: "string", enum: ["celsius", "fahrenheit"] }, { type: "null" }],
    },
    note: { type: ["string", "null"] },
  },
  required: ["city", "unit", "note"],
  additionalProperties: false,
};

describe("toOpenAiTools()", () => {
  it("says `strict: false` explicitly and leaves the schema as it is", () => {
    const { tools } = toOpenAiTools(registry);
    expect(tools[0]).toEqual({
      type: "function",
      name: "weather_get",
      description: "The weather in a city.",
      parameters: weather.parameters,
      strict: false,
    });
  });

  it("compiles to the strict subset; a tool it cannot say goes out loose and says why", () => {
    const { tools, report } = toOpenAiTools(registry, { strict: true });
    expect(tools[0]).toMatchObject({ strict: true, parameters: strictWeather });
    expect(tools[0]?.parameters).toEqual(strictWeather);
    expect(tools[1]).toMatchObject({ strict: false, parameters: anything.parameters });
    expect(report[1]).toMatchObject({
      name: "store",
      strict: false,
      notStrict: "OpenAI strict cannot say the schema: #/properties/record takes fields that it does not name",
    });
    expect(report[0]?.changes).toMatchObject([
      { path: "#/properties/unit/default", kind: "described" },
      { path: "#/properties/unit", kind: "widened" },
    ]);
  });

  it("gives the same bytes for the same tools", () => {
    const [one, other] = [toOpenAiTools(registry, { strict: true }), toOpenAiTools(registry, { strict: true })];
    expect(JSON.stringify(one.tools)).toBe(JSON.stringify(other.tools));
  });

  it("stays within the documented size of a strict schema", () => {
    let deep: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 12; level += 1) {
      deep = { type: "object", properties: { in: deep }, required: ["in"] };
    }
    const { report } = toOpenAiTools([{ name: "deep", description: "d", parameters: deep }], { strict: true });
    expect(report[0]?.notStrict).toContain("nested in 12 levels, allowed are 10");
  });
});

describe("fromOpenAiResponse()", () => {
  it("reads calls, takes out the nulls that stand for absent fields and keeps those that were meant", () => {
    const wire = toOpenAiTools(registry, { strict: true });
    const calls = fromOpenAiResponse(fixture("openai-response-function-calls"), wire);
    const turn = "resp_67cb71b351908190a308f3859487620d";
    expect(calls).toEqual([
      { id: "call_12345xyz", turn, name: "weather.get", arguments: { city: "Paris, France" } },
      // Damaged text is left to the registry, which repairs or reports it.
      { id: "call_67890abc", turn, name: "weather.get", arguments: '{"city":"Bogot' },
    ]);
    expect(wire.decode("weather_get", { city: "x", unit: null, note: null })).toEqual({ city: "x", note: null });
  });

  it("reads no call from what is no response, and none of it becomes a prototype", () => {
    for (const other of [undefined, null, "x", {}, { output: {} }, { output: [null, "x", { type: "message" }] }]) {
      expect(fromOpenAiResponse(other)).toEqual([]);
    }
    const item = { type: "function_call", call_id: "c", name: "weather_get", arguments: '{"__proto__":{"city":"x"}}' };
    const [call] = fromOpenAiResponse([item], toOpenAiTools(registry));
    // The registry refuses the text.
    expect(call?.arguments).toBe(item.arguments);
  });
});

describe("toOpenAiResults()", () => {
  it("writes one item a call, with images where there are any", () => {
    const calls = [
      { id: "call_1", name: "a" },
      { id: "call_2", name: "b" },
    ];
    const results = [failure("Cannot do it: no"), success("text", { content: [image], metadata: { key: "SECRET" } })];
    expect(toOpenAiResults(calls, results)).toEqual([
      { type: "function_call_output", call_id: "call_1", output: "Cannot do it: no" },
      {
        type: "function_call_output",
        call_id: "call_2",
        output: [{ type: "input_image", image_url: "data:image/png;base64,aW1n", detail: "auto" }],
      },
    ]);
  });
});

describe("toOpenAiChatTools()", () => {
  it("writes the shape of Chat Completions", () => {
    const { tools } = toOpenAiChatTools(registry, { strict: ["weather.get"] });
    expect(tools[0]).toEqual({
      type: "function",
      function: {
        name: "weather_get",
        description: "The weather in a city.",
        parameters: strictWeather,
        strict: true,
      },
    });
    expect(tools[1]?.function.strict).toBe(false);
  });
});

describe("fromOpenAiChatCompletion()", () => {
  it("reads calls with and without type and id, with text and with objects, and skips custom tools", () => {
    const wire = toOpenAiChatTools(registry, { strict: true });
    const completion = fixture("openai-chat-tool-calls") as { choices: { message: unknown }[] };
    const expected = [
      { id: "call_abc123", name: "weather.get", arguments: { city: "Boston, MA" } },
      { name: "weather.get", arguments: { city: "Oslo" } },
    ];
    const turn = "chatcmpl-abc123@1699896916";
    expect(fromOpenAiChatCompletion(completion, wire)).toEqual(expected.map((call) => ({ ...call, turn })));
    expect(fromOpenAiChatCompletion(completion.choices[0]?.message, wire)).toEqual(expected);
    expect(fromOpenAiChatCompletion({ choices: [] }, wire)).toEqual([]);
  });
});

describe("toOpenAiResults()", () => {
  it("answers a search as incomplete when it failed", async () => {
    const hotel = defineTool({
      name: "book_hotel",
      description: "Books a room.",
      parameters: z.object({}),
      execute: () => "booked",
    });
    const deferring = createToolRegistry().register(hotel, { defer: true });
    const wire = toOpenAiTools(deferring);
    const search = (id: string, args: unknown) => ({
      type: "tool_search_call",
      call_id: id,
      execution: "client",
      arguments: args,
      status: "completed",
    });
    const output = [
      search("1", { query: "hotel" }),
      search("2", {}),
      search("3", "no JSON"),
      search("4", { query: "zzz" }),
    ];
    const calls = fromOpenAiResponse({ status: "completed", output }, wire);
    const items = toOpenAiResults(calls, await deferring.dispatchAll(calls), wire);
    const of = (status: string, count: number) => ({ status, tools: { length: count } });
    expect(items).toMatchObject([of("completed", 1), of("incomplete", 0), of("incomplete", 0), of("completed", 0)]);
  });
});

describe("toOpenAiChatResults()", () => {
  it("answers every call before it shows any image, because the API wants results right after the calls", () => {
    const calls = [
      { id: "call_1", name: "a" },
      { id: "call_2", name: "b" },
    ];
    const shot = success("unused", { content: [{ type: "text", text: "seen" }, image] });
    expect(toOpenAiChatResults(calls, [shot, success("done")])).toEqual([
      {
        role: "tool",
        tool_call_id: "call_1",
        content: 'seen\n[image (image/png) follows below as "Image 1 of the result of call 1 (call_1)"]',
      },
      { role: "tool", tool_call_id: "call_2", content: "done" },
      {
        role: "user",
        content: [
          { type: "text", text: "Image 1 of the result of call 1 (call_1)" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } },
        ],
      },
    ]);
  });
});
