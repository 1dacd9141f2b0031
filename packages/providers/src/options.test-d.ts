import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { toAiSdkSettings, toAiSdkTools } from "./ai-sdk.ts";
import { toOpenAiAgentsTools } from "./openai-agents.ts";

const registry = createToolRegistry().register(
  defineTool({ name: "echo", description: "Echoes.", parameters: z.object({ text: z.string() }), execute: () => "" }),
);

test("callbacks among inferred options know their parameters", () => {
  void toAiSdkTools(registry, { approve: ({ name }) => name !== "", onEvent: ({ type }) => void type });
  void toAiSdkSettings(registry, {
    version: 6,
    approve: (request) => expectTypeOf(request.name).toBeString() as never,
  });
  void toOpenAiAgentsTools(registry, { approve: ({ name }) => name !== "", errorFunction: (_, { code }) => code });
});

test("an option that does not exist is an error", () => {
  // @ts-expect-error misspelt
  void toAiSdkTools(registry, { aprove: () => true });
  // @ts-expect-error misspelt
  void toOpenAiAgentsTools(registry, { aprove: () => true });
});
