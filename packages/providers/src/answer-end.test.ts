import { type ToolCall, defineTool, createToolRegistry, createTranscript } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromAnthropicMessage } from "./anthropic.ts";
import { fromGeminiResponse } from "./gemini.ts";
import { fromOpenAiChatCompletion, fromOpenAiResponse } from "./openai.ts";

const TEXT = JSON.stringify({
  path: "notes.md",
  edits: Array.from({ length: 6 }, (_, n) => ({ old_text: `line ${n}`, new_text: `"${n}" \\ ${n}` })),
  if_version: "v1",
});
const CUTS = Array.from({ length: TEXT.length }, (_, at) => TEXT.slice(0, at));

/** A part of a text as an SDK that closes brackets parses it: here, the longest list of whole edits. */
function closed(part: string): unknown {
  for (let at = part.length; at > 0; at -= 1) {
    for (const end of ["", "}", "]}", '"}]}', '"}']) {
      try {
        return JSON.parse(part.slice(0, at) + end);
      } catch {
        // Not yet.
      }
    }
  }
  return {};
}

/** An answer with a whole call and after it one that is cut, for each provider. */
const answers: Readonly<Record<string, (part: string, reason: string | null) => ToolCall[]>> = {
  anthropic: (part, reason) =>
    fromAnthropicMessage({
      stop_reason: reason,
      content: [
        { type: "text", text: "Both." },
        { type: "tool_use", id: "a", name: "edit", input: { path: "whole" } },
        { type: "tool_use", id: "b", name: "edit", input: closed(part) },
      ],
    }),
  chat: (part, reason) =>
    fromOpenAiChatCompletion({
      choices: [
        {
          finish_reason: reason,
          message: {
            tool_calls: [
              { id: "a", function: { name: "edit", arguments: '{"path":"whole"}' } },
              { id: "b", function: { name: "edit", arguments: part } },
            ],
          },
        },
      ],
    }),
  responses: (part, reason) =>
    fromOpenAiResponse({
      status: reason === null ? "in_progress" : "incomplete",
      incomplete_details: reason === null ? null : { reason },
      output: [
        { type: "function_call", call_id: "a", name: "edit", arguments: '{"path":"whole"}', status: "completed" },
        { type: "function_call", call_id: "b", name: "edit", arguments: part },
      ],
    }),
  gemini: (part, reason) =>
    fromGeminiResponse({
      candidates: [
        {
          finishReason: reason,
          content: {
            parts: [
              { functionCall: { id: "a", name: "edit", args: { path: "whole" } } },
              { functionCall: { id: "b", name: "edit", args: closed(part) } },
            ],
          },
        },
      ],
    }),
};

const REASONS: Readonly<Record<string, readonly (string | null)[]>> = {
  anthropic: ["max_tokens", "model_context_window_exceeded", "refusal", "stop_sequence", null],
  chat: ["length", "content_filter", "model_length", null],
  responses: ["max_output_tokens", "content_filter", null],
  gemini: ["MAX_TOKENS", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "MALFORMED_FUNCTION_CALL", null],
};

function editor() {
  const paths: string[] = [];
  const tool = defineTool({
    name: "edit",
    description: "Edits.",
    parameters: z.looseObject({ path: z.string().default("") }),
    execute: ({ path }) => {
      paths.push(path);
      return "done";
    },
  });
  return { registry: createToolRegistry().register(tool), paths };
}

describe.each(Object.entries(answers))("the calls of a cut-off answer of %s", (provider, read) => {
  it.each(REASONS[provider] ?? [])("are executed but for the last, wherever it was cut (%s)", async (reason) => {
    const { registry, paths } = editor();
    const transcript = createTranscript();
    for (const [at, part] of CUTS.entries()) {
      const calls = read(part, reason).map((call) => ({ ...call, id: `${call.id}-${at}` }));
      const results = await registry.dispatchAll(calls, { transcript });
      expect(results).toMatchObject([{ success: true }, { success: false, code: "cut_off", effects: "none" }]);
    }
    expect(paths).toEqual(CUTS.map(() => "whole"));
    expect(transcript.entries).toHaveLength(2 * CUTS.length);
  });
});

describe("a complete answer", () => {
  const use = { type: "tool_use", id: "a", name: "edit", input: { path: "x" } };
  const call = { id: "a", function: { name: "edit", arguments: '{"path":"x"}' } };
  const item = { type: "function_call", call_id: "a", name: "edit", arguments: '{"path":"x"}' };
  const part = { functionCall: { name: "edit", args: { path: "x" } } };
  it.each<readonly [what: string, calls: ToolCall[]]>([
    ["Anthropic's", fromAnthropicMessage({ stop_reason: "tool_use", content: [use] })],
    ["of a server that says end_turn", fromAnthropicMessage({ stop_reason: "end_turn", content: [use] })],
    ["without a reason", fromAnthropicMessage({ content: [use] })],
    ["with text after the call", fromAnthropicMessage({ stop_reason: "max_tokens", content: [use, { type: "text" }] })],
    [
      "a chat's",
      fromOpenAiChatCompletion({ choices: [{ finish_reason: "tool_calls", message: { tool_calls: [call] } }] }),
    ],
    ["that stops", fromOpenAiChatCompletion({ choices: [{ finish_reason: "stop", message: { tool_calls: [call] } }] })],
    ["a chat's message", fromOpenAiChatCompletion({ tool_calls: [call], refusal: null })],
    ["a response", fromOpenAiResponse({ status: "completed", incomplete_details: null, output: [item] })],
    ["a response's output", fromOpenAiResponse([{ ...item, status: "completed" }])],
    ["Gemini's", fromGeminiResponse({ candidates: [{ finishReason: "STOP", content: { parts: [part] } }] })],
    ["Gemini's content", fromGeminiResponse({ parts: [part] })],
  ])("%s is executed", async (_what, calls) => {
    const { registry, paths } = editor();
    await registry.dispatchAll(calls);
    expect(paths).toEqual(["x"]);
  });

  it.each<readonly [what: string, calls: ToolCall[]]>([
    [
      "an incomplete item",
      fromOpenAiResponse([
        { ...item, status: "incomplete" },
        { ...item, call_id: "b" },
      ]),
    ],
    ["a refusal", fromOpenAiChatCompletion({ tool_calls: [call], refusal: "No." })],
    [
      "a streamed piece",
      fromGeminiResponse({ parts: [{ functionCall: { name: "edit", args: { path: "x" }, willContinue: true } }] }),
    ],
  ])("is not one with %s", async (_what, calls) => {
    const { registry } = editor();
    expect((await registry.dispatchAll(calls))[0]).toMatchObject({ code: "cut_off" });
  });
});

it("a call's reason is untrusted text", async () => {
  const { registry, paths } = editor();
  const result = await registry.dispatch({ name: "edit", arguments: { path: "x" }, cutOff: "x".repeat(1_000) });
  expect(result).toMatchObject({ success: false, code: "cut_off" });
  expect(JSON.stringify(result).length).toBeLessThan(600);
  expect(paths).toEqual([]);
});
