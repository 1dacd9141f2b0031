import { readFileSync } from "node:fs";
import { defineTool, createToolRegistry, failure, success } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromGeminiResponse, toGeminiResults, toGeminiTools } from "./gemini.ts";

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./__fixtures__/${name}.json`, import.meta.url), "utf8"));
}

const weather = defineTool({
  name: "weather.get",
  description: "The weather in a city.",
  parameters: z.object({
    city: z.string().min(2),
    unit: z.literal("celsius").nullable().optional(),
    days: z.int().min(1).default(1),
  }),
  execute: ({ city }) => city,
});
const clock = defineTool({ name: "clock", description: "The time.", parameters: z.object({}), execute: () => "12:00" });
const registry = createToolRegistry().register([weather, clock]);

describe("toGeminiTools()", () => {
  it("writes the documented shape with JSON Schema, and no schema for a tool without parameters", () => {
    expect(toGeminiTools(registry).tools).toEqual([
      {
        functionDeclarations: [
          { name: "weather_get", description: "The weather in a city.", parametersJsonSchema: weather.parameters },
          { name: "clock", description: "The time." },
        ],
      },
    ]);
    expect(toGeminiTools([]).tools).toEqual([]);
  });
});

describe("fromGeminiResponse()", () => {
  it("reads parallel calls with and without ids and arguments", () => {
    const wire = toGeminiTools(registry);
    expect(fromGeminiResponse(fixture("gemini-function-calls"), wire)).toEqual([
      { name: "weather.get", arguments: { city: "Paris" } },
      { id: "8f2b1a3c", name: "weather.get", arguments: { city: "London", unit: "celsius" } },
      { name: "weather.get", arguments: {} },
    ]);
    for (const other of [undefined, null, "x", {}, { candidates: [{}] }, { parts: [null, { text: "x" }] }]) {
      expect(fromGeminiResponse(other)).toEqual([]);
    }
  });
});

describe("toGeminiResults()", () => {
  it("writes responses in the order of the calls under the provider's names, then images", () => {
    const calls = [{ name: "weather.get" }, { id: "8f2b1a3c", name: "weather.get" }];
    const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;
    const results = [success("", { content: [image], metadata: { key: "SECRET" } }), failure("Cannot find it")];
    expect(toGeminiResults(calls, results, toGeminiTools(registry))).toEqual({
      role: "user",
      parts: [
        {
          functionResponse: {
            name: "weather_get",
            response: {
              output: '[image (image/png) follows below as "Image 1 of the result of call 1 (weather.get)"]',
            },
          },
        },
        { functionResponse: { id: "8f2b1a3c", name: "weather_get", response: { error: "Cannot find it" } } },
        { text: "Image 1 of the result of call 1 (weather.get)" },
        { inlineData: { mimeType: "image/png", data: "aW1n" } },
      ],
    });
  });
});
