import { createToolRegistry, createTranscript, defineTool } from "@dispatch/tools-interface";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { fromAnthropicMessage } from "./anthropic.ts";
import { fromGeminiResponse } from "./gemini.ts";
import { fromOpenAiChatCompletion, fromOpenAiResponse, toOpenAiTools } from "./openai.ts";

test("calls from a provider's answer bear its id as their turn", async () => {
  const execute = vi.fn(({ by }: { by: number }) => `ran ${by}`);
  const add = defineTool({ name: "add", description: "Adds.", parameters: z.object({ by: z.number() }), execute });
  const registry = createToolRegistry().register(add);
  const transcript = createTranscript();
  const content = [{ type: "tool_use", id: "call_0", name: "add", input: { by: 1 } }];
  const tool_calls = [{ id: "call_0", function: { name: "add", arguments: '{"by":1}' } }];
  const functionCall = { id: "call_0", name: "add", args: { by: 1 } };
  const turns = [
    fromAnthropicMessage({ id: "msg_1", content }),
    fromAnthropicMessage({ id: "msg_2", content }),
    fromOpenAiChatCompletion({ id: "chatcmpl-1", created: 1, choices: [{ message: { tool_calls } }] }),
    fromOpenAiChatCompletion({ id: "chatcmpl-1", created: 2, choices: [{ message: { tool_calls } }] }),
    fromOpenAiChatCompletion({ id: "chatcmpl-a1b2", choices: [{ message: { tool_calls } }] }),
    fromOpenAiChatCompletion({ id: "chatcmpl-c3d4", choices: [{ message: { tool_calls } }] }),
    fromGeminiResponse({
      responseId: "r1",
      candidates: [{ finishReason: "STOP", content: { parts: [{ functionCall }] } }],
    }),
  ];
  for (const calls of [...turns, ...turns]) await registry.dispatchAll(calls, { transcript });
  expect(execute).toHaveBeenCalledTimes(turns.length);
});

test("a completion without a time has no turn where its id is a number, which may come again", () => {
  const tool_calls = [{ id: "call_0", function: { name: "add", arguments: '{"by":1}' } }];
  const [call] = fromOpenAiChatCompletion({ id: "chatcmpl-1", choices: [{ message: { tool_calls } }] });
  expect(call?.turn).toBeUndefined();
});

test("arguments that would not arrive as they were sent are refused", async () => {
  const parameters = z.object({ path: z.string(), n: z.number().optional() });
  const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "ran" });
  const registry = createToolRegistry().register(tool);
  const item = { type: "function_call", call_id: "c", name: "t", arguments: '{"path":"a","path":"b","n":null}' };
  const [call] = fromOpenAiResponse([item], toOpenAiTools(registry));
  const result = await registry.dispatch(call as never);
  expect(String(result)).toBe(
    'Cannot call t: some arguments would not arrive as they were sent:\n- path: the field was sent more than once with different values, "a" and "b": send it once, with the value that is meant\nSend them again',
  );
});
