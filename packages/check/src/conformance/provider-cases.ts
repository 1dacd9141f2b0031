import { toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { toAnthropicTools } from "@dispatch/providers/anthropic";
import { toGeminiTools } from "@dispatch/providers/gemini";
import { toOpenAiChatTools, toOpenAiTools } from "@dispatch/providers/openai";
import { type AnyTool, createToolRegistry } from "@dispatch/tools-interface";
import { toMcpTools } from "@dispatch/tools-interface/mcp";
import { conformanceCase, expectOf, type ConformanceCase } from "../conformance-case.ts";
import type { ConformancePlan } from "../conformance-options.ts";

const STRICT = { strict: true } as const;

const exporters: readonly (readonly [provider: string, toTools: (tool: AnyTool) => unknown])[] = [
  ["Anthropic", (tool) => toAnthropicTools([tool]).tools],
  ["Anthropic, strict", (tool) => toAnthropicTools([tool], STRICT).tools],
  ["OpenAI Responses", (tool) => toOpenAiTools([tool]).tools],
  ["OpenAI Responses, strict", (tool) => toOpenAiTools([tool], STRICT).tools],
  ["OpenAI Chat Completions", (tool) => toOpenAiChatTools([tool]).tools],
  ["OpenAI Chat Completions, strict", (tool) => toOpenAiChatTools([tool], STRICT).tools],
  ["Gemini", (tool) => toGeminiTools([tool]).tools],
  ["MCP", (tool) => toMcpTools([tool]).tools],
  ["the AI SDK", (tool) => Object.entries(toAiSdkSettings(createToolRegistry().register(tool)).tools)],
];

/** A tool goes out to every provider. */
export function providerCases({ tool }: ConformancePlan): readonly ConformanceCase[] {
  return exporters.map(([provider, toTools]) =>
    conformanceCase("providers", `${tool.name} goes out to ${provider}, in the same bytes each time`, () => {
      const first = JSON.stringify(toTools(tool));
      expectOf(first.length > 2, "a tool", first);
      const second = JSON.stringify(toTools(tool));
      expectOf(first === second, first, second);
    }),
  );
}
