import { defineTool, createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import { toOpenAiAgentsRunSettings } from "./openai-agents.ts";

const tool = (name: string) =>
  defineTool({ name, description: `The tool ${name}.`, parameters: z.object({}), execute: () => name });

test("toOpenAiAgentsRunSettings() has a model search that calls a deferred tool before it found it", async () => {
  const registry = createToolRegistry().register(tool("always")).register(tool("far.away"), { defer: true });
  const { toolErrorFormatter } = toOpenAiAgentsRunSettings(registry);
  const told = (toolName: string) => toolErrorFormatter({ kind: "tool_not_found", toolName, callId: "call_1" });
  expect(await told("far_away")).toBe("Cannot call far_away: it was not loaded yet. Search for it, then call it again");
  expect(await told("always")).toBeUndefined();
  expect(await told("far_awya")).toMatch(
    /did you mean far_away\? The available tools are search_tools, always, far_away\./,
  );
});
