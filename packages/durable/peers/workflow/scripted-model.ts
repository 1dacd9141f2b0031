import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from "@ai-sdk/provider-utils";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** Asks for the call, and ends after its result. A workflow keeps its model as data, as those of its providers are. */
class ScriptedModel extends MockLanguageModelV4 {
  readonly n: number;

  static [WORKFLOW_SERIALIZE](model: ScriptedModel) {
    return { n: model.n };
  }

  static [WORKFLOW_DESERIALIZE]({ n }: { readonly n: number }) {
    return new ScriptedModel(n);
  }

  constructor(n: number) {
    super({
      provider: "scripted",
      modelId: "scripted",
      doStream: async ({ prompt }) => {
        const isOver = prompt.some(({ role }) => role === "tool");
        return {
          stream: convertArrayToReadableStream([
            { type: "stream-start", warnings: [] },
            ...(isOver
              ? [
                  { type: "text-start" as const, id: "1" },
                  { type: "text-delta" as const, id: "1", delta: "Charged." },
                  { type: "text-end" as const, id: "1" },
                ]
              : [
                  {
                    type: "tool-call" as const,
                    toolCallId: `call_${n}`,
                    toolName: "charge",
                    input: JSON.stringify({ n }),
                  },
                ]),
            {
              type: "finish",
              finishReason: isOver
                ? { unified: "stop" as const, raw: "stop" }
                : { unified: "tool-calls" as const, raw: undefined },
              usage,
            },
          ]),
        };
      },
    });
    this.n = n;
  }
}

/** Outside of the workflow's module, where its compiler does not keep a `new` in a step. */
export function scriptedModel(n: number): ScriptedModel {
  return new ScriptedModel(n);
}
