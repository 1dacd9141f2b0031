import type { AgentModel } from "@dispatch/tools-interface";
import { MODEL_NAMES, isJsonObject, jsonSnapshot, shownParts, shownText } from "@dispatch/tools-interface/internal";
import { toAiSdkModelOutput } from "./ai-sdk-output.ts";
import { endOfAnswer, markCutOff } from "./answer-end.ts";
import { loadFound } from "./found-tools.ts";
import { prepareForOpenAi } from "./openai-schema.ts";
import { fieldOf, objectsIn, readWireCall, sumOf } from "./read-calls.ts";
import { answeredCalls } from "./result-parts.ts";
import { createWireTools } from "./wire/wire-tools.ts";

/** The parts of a language model of the AI SDK that are used, of the specifications `v3` (AI SDK 6) and `v4` (7). */
export interface AiSdkLanguageModel {
  /** The version of the interface. */
  readonly specificationVersion: string;
  /** Asks for a whole answer. */
  doGenerate(request: {
    readonly prompt: unknown;
    readonly tools?: unknown;
    readonly abortSignal?: AbortSignal | undefined;
  }): PromiseLike<{
    readonly content: readonly unknown[];
    readonly finishReason: unknown;
    readonly usage: unknown;
    readonly response?: unknown;
  }>;
}

/** An answer, as plain data. */
interface Answer {
  readonly id: unknown;
  readonly content: unknown;
  readonly finishReason: unknown;
  readonly usage: unknown;
}

const COMPLETE: ReadonlySet<string> = new Set(["stop", "tool-calls"]);
const ENDS = { complete: COMPLETE, length: new Set(["length"]) };
/** The parts of an answer that go back to the model. */
const SENT_BACK: ReadonlySet<unknown> = new Set(["text", "reasoning", "tool-call"]);

/**
 * A model for `createAgentTool` from a language model of the AI SDK, of any of its providers.
 *
 * @param settings Settings of each request, such as `{ maxOutputTokens: 8000, providerOptions }`.
 *
 * @example
 * ```ts
 * import { anthropic } from "@ai-sdk/anthropic";
 * const model = fromAiSdkModel(anthropic("claude-sonnet-4-5"), { maxOutputTokens: 8000 });
 * ```
 */
export function fromAiSdkModel(model: AiSdkLanguageModel, settings: object = {}): AgentModel<Answer> {
  const version = model.specificationVersion === "v3" ? 6 : 7;
  return {
    begin({ instructions, task, registry }) {
      const wire = createWireTools(
        registry,
        MODEL_NAMES,
        (tool) => prepareForOpenAi(tool, {}),
        ({ tool, wireName: name, schema }) => ({
          type: "function",
          name,
          description: tool.description,
          inputSchema: schema,
        }),
      );
      const prompt: object[] = [{ role: "system", content: instructions }];
      const say = (text: string): void => void prompt.push({ role: "user", content: [{ type: "text", text }] });
      say(task);
      return {
        say,
        async ask(abortSignal) {
          const request = { ...settings, prompt: [...prompt], tools: [...wire.tools], abortSignal };
          const { content, finishReason, usage, response } = await model.doGenerate(request);
          const parts = objectsIn(content).filter(
            (part) => SENT_BACK.has(part["type"]) && part["providerExecuted"] !== true,
          );
          return jsonSnapshot({
            id: fieldOf(response, "id"),
            content: parts,
            finishReason,
            usage,
          }) as unknown as Answer;
        },
        text: ({ content }) =>
          objectsIn(content)
            .map((part) => (part["type"] === "text" ? part["text"] : ""))
            .join(""),
        read({ id: turn, content, finishReason, usage }) {
          const reason = fieldOf(finishReason, "unified") ?? null;
          const calls = objectsIn(content).flatMap(({ type, toolCallId: id, toolName: name, input: params }) =>
            type === "tool-call" ? [readWireCall({ id, turn, name, params }, wire)] : [],
          );
          const [input, output] = [fieldOf(usage, "inputTokens"), fieldOf(usage, "outputTokens")];
          const tokens = sumOf(fieldOf(input, "total"), fieldOf(output, "total"));
          return { calls: markCutOff(calls, reason, COMPLETE), ...endOfAnswer(reason, ENDS), tokens };
        },
        add({ content }, calls, results) {
          prompt.push({ role: "assistant", content: objectsIn(content).map(toPromptPart) });
          if (calls.length === 0) return;
          const names = objectsIn(content).filter(({ type }) => type === "tool-call");
          const answers = answeredCalls("the AI SDK", calls, results).map(({ call, index, result }) => {
            loadFound({ call, result }, wire);
            const output = result.success
              ? toAiSdkModelOutput({ content: shownParts(result) }, version)
              : { type: "error-text", value: shownText(result) };
            return { type: "tool-result", toolCallId: call.id, toolName: names[index]?.["toolName"], output };
          });
          prompt.push({ role: "tool", content: answers });
        },
      };
    },
  };
}

/** A part of an answer as a prompt holds it. Its metadata, such as the signature of a thought, are the provider's options. */
function toPromptPart({ providerMetadata, ...part }: { readonly [key: string]: unknown }): object {
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  return part["type"] === "tool-call"
    ? { ...part, ...options, input: objectOf(part["input"]) }
    : { ...part, ...options };
}

/** Providers take nothing but an object. */
function objectOf(text: unknown): object {
  try {
    const value: unknown = JSON.parse(String(text));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
