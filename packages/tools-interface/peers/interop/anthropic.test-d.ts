import type Anthropic from "@anthropic-ai/sdk";
import type { BetaMessageParam, BetaToolUnion, BetaToolUseBlock } from "@anthropic-ai/sdk/resources/beta/messages";
import { fromAnthropicMessage, toAnthropicResults, toAnthropicTools } from "@dispatch/providers/anthropic";
import { toOpenAiTools } from "@dispatch/providers/openai";
import { expectTypeOf, test } from "vitest";
import { createToolbox } from "./toolbox.ts";

const registry = createToolbox();

test("toAnthropicTools() writes tools as the SDK takes them", () => {
  const programs = "code_execution_20260521";
  for (const { tools } of [toAnthropicTools(registry), toAnthropicTools(registry, { strict: true, programs })]) {
    expectTypeOf(tools).toExtend<Anthropic.Tool[]>();
    expectTypeOf(tools).toExtend<Anthropic.ToolUnion[]>();
    expectTypeOf(tools).toExtend<BetaToolUnion[]>();
    expectTypeOf(tools).toExtend<NonNullable<Anthropic.MessageCreateParams["tools"]>>();
  }
  // @ts-expect-error tools of another provider
  expectTypeOf(toOpenAiTools(registry).tools).toExtend<Anthropic.Tool[]>();
});

test("fromAnthropicMessage() reads what the SDK's blocks hold", () => {
  interface Read {
    type: "tool_use";
    id: string;
    name: string;
    input: unknown;
  }
  expectTypeOf<Anthropic.ToolUseBlock>().toExtend<Read>();
  expectTypeOf<BetaToolUseBlock>().toExtend<Read>();
  expectTypeOf<Anthropic.Message>().toHaveProperty("content").toExtend<{ type: string }[]>();
  // @ts-expect-error text is no call
  expectTypeOf<Anthropic.TextBlock>().toExtend<Read>();
  expectTypeOf(fromAnthropicMessage).toBeCallableWith({} as Anthropic.Message, toAnthropicTools(registry));
});

test("toAnthropicResults() writes a message as the SDK takes it", () => {
  const message = toAnthropicResults([], []);
  expectTypeOf(message).toExtend<Anthropic.MessageParam>();
  expectTypeOf(message).toExtend<BetaMessageParam>();
  expectTypeOf(message.content).toExtend<Anthropic.ToolResultBlockParam[]>();
  // @ts-expect-error results come from the user's side
  expectTypeOf(message).toExtend<{ role: "assistant" }>();
});
