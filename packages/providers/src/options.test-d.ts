import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { toAiSdkSettings } from "./ai-sdk.ts";
import { toOpenAiAgentsSettings } from "./openai-agents.ts";

const registry = createToolRegistry().register(
  defineTool({ name: "echo", description: "Echoes.", parameters: z.object({ text: z.string() }), execute: () => "" }),
);

test("callbacks among inferred options know their parameters", () => {
  void toAiSdkSettings(registry, { approve: ({ name }) => name !== "", onEvent: ({ type }) => void type }).tools;
  void toAiSdkSettings(registry, {
    version: 6,
    approve: (request) => expectTypeOf(request.name).toBeString() as never,
  });
  void toOpenAiAgentsSettings((one) => one, registry, {
    approve: ({ name }) => name !== "",
    errorFunction: (_, { code }) => code,
  }).tools;
});

test("an option that does not exist is an error", () => {
  // @ts-expect-error misspelt
  void toAiSdkSettings(registry, { aprove: () => true }).tools;
  // @ts-expect-error misspelt
  void toOpenAiAgentsSettings((one) => one, registry, { aprove: () => true }).tools;
});
