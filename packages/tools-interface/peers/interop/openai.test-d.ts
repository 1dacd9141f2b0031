import { fromOpenAiChatCompletion, fromOpenAiResponse } from "@dispatch/providers/openai";
import { toOpenAiChatResults, toOpenAiChatTools } from "@dispatch/providers/openai";
import { toOpenAiResults, toOpenAiTools } from "@dispatch/providers/openai";
import type OpenAI from "openai";
import { expectTypeOf, test } from "vitest";
import { createToolbox } from "./toolbox.ts";

const registry = createToolbox();
type Responses = typeof OpenAI.prototype.responses;
type Completions = typeof OpenAI.prototype.chat.completions;

test("toOpenAiTools() writes tools as the SDK takes them", () => {
  for (const { tools } of [toOpenAiTools(registry), toOpenAiTools(registry, { strict: true })]) {
    expectTypeOf(tools).toExtend<OpenAI.Responses.Tool[]>();
    expectTypeOf(tools).toExtend<NonNullable<Parameters<Responses["create"]>[0]["tools"]>>();
  }
  expectTypeOf(toOpenAiTools(registry, { nativeSearch: false }).tools).toExtend<OpenAI.Responses.FunctionTool[]>();
  expectTypeOf(toOpenAiTools(registry.tools).tools).toExtend<OpenAI.Responses.FunctionTool[]>();
  // @ts-expect-error tools of the other API
  expectTypeOf(toOpenAiChatTools(registry).tools).toExtend<OpenAI.Responses.Tool[]>();
});

test("toOpenAiChatTools() writes tools as the SDK takes them", () => {
  for (const { tools } of [toOpenAiChatTools(registry), toOpenAiChatTools(registry, { strict: true })]) {
    expectTypeOf(tools).toExtend<OpenAI.Chat.ChatCompletionFunctionTool[]>();
    expectTypeOf(tools).toExtend<OpenAI.Chat.ChatCompletionTool[]>();
    expectTypeOf(tools).toExtend<NonNullable<Parameters<Completions["create"]>[0]["tools"]>>();
  }
  // @ts-expect-error tools of the other API
  expectTypeOf(toOpenAiTools(registry).tools).toExtend<OpenAI.Chat.ChatCompletionTool[]>();
});

test("toOpenAiResults() writes items as the SDK takes them, of searches too", () => {
  expectTypeOf(toOpenAiResults([], [])).toExtend<OpenAI.Responses.ResponseInputItem.FunctionCallOutput[]>();
  const items = toOpenAiResults([], [], toOpenAiTools(registry));
  expectTypeOf(items).toExtend<OpenAI.Responses.ResponseInputItem[]>();
  // @ts-expect-error the result of a search is not an output of a function
  expectTypeOf(items).toExtend<OpenAI.Responses.ResponseInputItem.FunctionCallOutput[]>();
});

test("fromOpenAiResponse() and fromOpenAiChatCompletion() read what the SDK's objects hold", () => {
  interface Item {
    type: "function_call";
    call_id: string;
    name: string;
    arguments: string;
  }
  interface ChatCall {
    id: string;
    function: { name: string; arguments: string };
  }
  expectTypeOf<OpenAI.Responses.ResponseFunctionToolCall>().toExtend<Item>();
  // @ts-expect-error text is no call
  expectTypeOf<OpenAI.Responses.ResponseOutputMessage>().toExtend<Item>();
  expectTypeOf<OpenAI.Responses.Response>().toHaveProperty("output").toExtend<{ type: string }[]>();
  expectTypeOf<OpenAI.Chat.ChatCompletionMessageFunctionToolCall>().toExtend<ChatCall>();
  // @ts-expect-error a custom tool's call holds no arguments
  expectTypeOf<OpenAI.Chat.ChatCompletionMessageCustomToolCall>().toExtend<ChatCall>();
  expectTypeOf<OpenAI.Chat.ChatCompletion["choices"][number]["message"]>().toHaveProperty("tool_calls");
  expectTypeOf(fromOpenAiResponse).toBeCallableWith({} as OpenAI.Responses.Response, toOpenAiTools(registry));
  expectTypeOf(fromOpenAiChatCompletion).toBeCallableWith(
    {} as OpenAI.Chat.ChatCompletion,
    toOpenAiChatTools(registry),
  );
});

test("toOpenAiResults() and toOpenAiChatResults() write what the SDK takes", () => {
  expectTypeOf(toOpenAiResults([], [])).toExtend<OpenAI.Responses.ResponseInputItem[]>();
  expectTypeOf(toOpenAiResults([], [])).toExtend<OpenAI.Responses.ResponseInputItem.FunctionCallOutput[]>();
  expectTypeOf(toOpenAiChatResults([], [])).toExtend<OpenAI.Chat.ChatCompletionMessageParam[]>();
  // @ts-expect-error items are no messages
  expectTypeOf(toOpenAiResults([], [])).toExtend<OpenAI.Chat.ChatCompletionMessageParam[]>();
  // @ts-expect-error images come from the user's side
  expectTypeOf(toOpenAiChatResults([], [])).toExtend<OpenAI.Chat.ChatCompletionToolMessageParam[]>();
});
