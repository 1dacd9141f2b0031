import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
// @boundaries-ignore the same parameters in every library
import { schemaSources } from "../../tools-interface/src/schema/__fixtures__/schema-sources.ts";
import { toAnthropicTools } from "./anthropic.ts";
import { toGeminiTools } from "./gemini.ts";
import { toOpenAiTools } from "./openai.ts";

test.each(schemaSources)("parameters of %s go out to every provider", (source, parameters) => {
  const forecast = defineTool({ name: "forecast", description: "Forecasts.", parameters, execute: () => "" });
  const registry = createToolRegistry().register(forecast);
  for (const strict of [true, false]) {
    for (const wire of [toOpenAiTools(registry, { strict }), toAnthropicTools(registry, { strict })]) {
      expect(JSON.stringify(wire.tools), source).toContain('"city"');
      expect(wire.report[0]).toMatchObject({ name: "forecast", strict });
    }
  }
  expect(JSON.stringify(toGeminiTools(registry).tools)).toContain('"city"');
});
