import {
  createToolRegistry,
  createTranscript,
  defineTool,
  loadedTools,
  type AnyToolRegistry,
  type ModelTurns,
} from "@dispatch/tools-interface";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anthropicTurns, toAnthropicTools } from "./anthropic.ts";
import { geminiTurns, toGeminiTools } from "./gemini.ts";
import {
  openAiChatTurns,
  openAiTurns,
  toOpenAiChatTools,
  toOpenAiTools,
  type LoadOptions,
  type WireTools,
} from "./openai.ts";

const WORDS = ["rain", "flights", "hotel", "mail", "music", "stocks", "files", "maps"] as const;
const registryOf = (): AnyToolRegistry =>
  createToolRegistry()
    .register([sample("always"), sample("also/always")])
    .register(
      WORDS.flatMap((word) => [sample(`${word}/read`), sample(`${word}/write`)]),
      { defer: true },
    );
function sample(name: string) {
  const parameters = z.object({ text: z.string().optional() });
  return defineTool({ name, description: `Does ${name}.`, parameters, execute: ({ text = "" }) => text });
}

/** The model's calls in one turn: searches, calls of the tools found, and of others. */
const turns = fc.array(
  fc.array(
    fc.record({
      name: fc.constantFrom("search_tools", "always", "rain_read", "nothing"),
      words: fc.uniqueArray(fc.constantFrom(...WORDS, "zzz"), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  { maxLength: 6 },
);
type Calls = readonly { readonly name: string; readonly words: readonly string[] }[];

interface Conversation {
  readonly wire: WireTools;
  readonly messages: readonly unknown[];
  readonly turns: ModelTurns;
  /** A model's answer with calls, as the provider sends it. */
  answer(calls: Calls, turn: number): unknown;
  /** The bytes of the request before the found tools: the part that a provider has cached at the first turn. */
  cached(): string;
  /** The names of all tools that the model can call, in the order in which it reads them. */
  told(): readonly string[];
}
type Start = (registry: AnyToolRegistry, options: LoadOptions, restored?: readonly unknown[]) => Conversation;

const params = ({ name, words }: Calls[number]) =>
  name === "search_tools" ? { query: words.join(" "), limit: 2 } : { text: words.join() };
const named = (tool: unknown) => (tool as { name?: string }).name ?? "search_tools";

const anthropic =
  (nativeSearch: boolean): Start =>
  (registry, options, restored = []) => {
    const messages: { content?: readonly { content?: unknown }[] }[] = [...restored] as never;
    const wire = toAnthropicTools(registry, { ...options, nativeSearch, cacheControl: { type: "ephemeral" } });
    const breakpoint = wire.tools.findIndex(({ cache_control }) => cache_control) + 1;
    return {
      wire,
      messages,
      turns: anthropicTurns(messages, wire),
      answer: (calls, turn) => ({
        id: `message_${turn}`,
        stop_reason: "tool_use",
        content: calls.map((call, at) => ({
          type: "tool_use",
          id: `${turn}_${at}`,
          name: call.name,
          input: params(call),
        })),
      }),
      // All of `tools` where they are marked: the API takes those deferred out before it makes the prompt.
      cached: () => JSON.stringify(nativeSearch ? wire.tools : wire.tools.slice(0, breakpoint)),
      told: () => {
        const references = messages.flatMap(({ content }) =>
          (content ?? []).flatMap(({ content: inner }) =>
            Array.isArray(inner) ? inner.map((one: { tool_name: string }) => one.tool_name) : [],
          ),
        );
        const sent = wire.tools.filter(({ defer_loading }) => !defer_loading).map(named);
        return nativeSearch ? [...sent, ...new Set(references)] : sent;
      },
    };
  };

const responses =
  (nativeSearch: boolean): Start =>
  (registry, options, restored = []) => {
    const input: unknown[] = [...restored];
    const wire = toOpenAiTools(registry, { ...options, nativeSearch, strict: true });
    const atRest = wire.tools.length - (nativeSearch ? 0 : (wire.deferred?.found.length ?? 0));
    return {
      wire,
      messages: input,
      turns: openAiTurns(input, wire),
      answer: (calls, turn) => ({
        id: `response_${turn}`,
        status: "completed",
        output: calls.map((call, at) => {
          const common = { call_id: `${turn}_${at}`, status: "completed" };
          return nativeSearch && call.name === "search_tools"
            ? { ...common, type: "tool_search_call", execution: "client", arguments: params(call) }
            : { ...common, type: "function_call", name: call.name, arguments: JSON.stringify(params(call)) };
        }),
      }),
      cached: () => JSON.stringify(nativeSearch ? wire.tools : wire.tools.slice(0, atRest)),
      told: () => {
        const found = input.flatMap((item) => (item as { tools?: readonly unknown[] }).tools ?? []).map(named);
        return [...wire.tools.map(named), ...new Set(found)];
      },
    };
  };

const chat: Start = (registry, options, restored = []) => {
  const messages: unknown[] = [...restored];
  const wire = toOpenAiChatTools(registry, options);
  const atRest = wire.tools.length - (wire.deferred?.found.length ?? 0);
  return {
    wire,
    messages,
    turns: openAiChatTurns(messages, wire),
    answer: (calls, turn) => ({
      id: `completion_${turn}`,
      created: turn,
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            tool_calls: calls.map((call, at) => ({
              id: `${turn}_${at}`,
              type: "function",
              function: { name: call.name, arguments: JSON.stringify(params(call)) },
            })),
          },
        },
      ],
    }),
    cached: () => JSON.stringify(wire.tools.slice(0, atRest)),
    told: () => wire.tools.map(({ function: { name } }) => name),
  };
};

const gemini: Start = (registry, options, restored = []) => {
  const contents: unknown[] = [...restored];
  const wire = toGeminiTools(registry, options);
  const declared = (): readonly { readonly name: string }[] => wire.tools[0]?.functionDeclarations ?? [];
  const atRest = declared().length - (wire.deferred?.found.length ?? 0);
  return {
    wire,
    messages: contents,
    turns: geminiTurns(contents, wire),
    answer: (calls, turn) => ({
      responseId: `response_${turn}`,
      candidates: [
        {
          finishReason: "STOP",
          content: {
            role: "model",
            parts: calls.map((call, at) => ({
              functionCall: { id: `${turn}_${at}`, name: call.name, args: params(call) },
            })),
          },
        },
      ],
    }),
    cached: () => JSON.stringify(declared().slice(0, atRest)),
    told: () => declared().map(({ name }) => name),
  };
};

describe.each([
  ["Anthropic", anthropic(true)],
  ["Anthropic without native search", anthropic(false)],
  ["OpenAI Responses", responses(true)],
  ["OpenAI Responses without native search", responses(false)],
  ["Chat Completions", chat],
  ["Gemini", gemini],
] as const)("deferred tools on %s", (_, start) => {
  test("never change a byte before the cache breakpoint, and are the same when the conversation is restored", async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (script) => {
        const [registry, transcript] = [registryOf(), createTranscript()];
        const conversation = start(registry, {});
        const atRest = conversation.told();
        expect(atRest.toSorted()).toEqual(["also_always", "always", "search_tools"]);
        const cached = conversation.cached();
        let sent = "";
        const expected: string[] = [];
        for (const [index, calls] of script.entries()) {
          const answer = conversation.answer(calls, index);
          const { calls: read } = conversation.turns.read(answer);
          expect(read.map(({ name }) => name)).toEqual(calls.map(({ name }) => name.replace("rain_", "rain/")));
          const results = await registry.dispatchAll(read, { transcript });
          await conversation.turns.add(answer, read, results);
          for (const result of results)
            for (const { name } of (result.success && (result.data as { tools?: { name: string }[] })?.tools) || [])
              expected.push(name.replace("/", "_"));
          const messages = JSON.stringify(conversation.messages).slice(0, -1);
          expect(messages.startsWith(sent)).toBe(true);
          sent = messages;
          expect(conversation.cached()).toBe(cached);
          expect(conversation.told()).toEqual([...atRest, ...new Set(expected)]);
        }
        const stored = JSON.parse(JSON.stringify([conversation.messages, transcript.entries])) as [
          unknown[],
          typeof transcript.entries,
        ];
        const again = registryOf();
        const restored = start(again, { loaded: loadedTools(again, stored[1]) }, stored[0]);
        expect(JSON.stringify(restored.wire.tools)).toBe(JSON.stringify(conversation.wire.tools));
        expect(restored.wire.deferred?.found).toEqual(conversation.wire.deferred?.found);
        expect([restored.cached(), restored.told()]).toEqual([cached, conversation.told()]);
        expect(restored.wire.report).toEqual(conversation.wire.report);
      }),
      { numRuns: 60 },
    );
  });
});
