import { generateText, isStepCount, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { assertAnswer, type Side } from "./side.ts";
import { handler, parameters, validJson } from "./the-tool.ts";

const FEW = 1;
const MANY = 33;
const tools = { read: tool({ description: "Reads.", inputSchema: parameters, execute: handler }) };

/** Nanoseconds of steps in which the model asks for so many calls. */
async function steps(count: number, calls: number): Promise<number> {
  const content = Array.from({ length: calls }, (_, index) => ({
    type: "tool-call" as const,
    toolCallId: `call_${index}`,
    toolName: "read",
    input: validJson,
  }));
  const model = new MockLanguageModelV4({
    doGenerate: () =>
      Promise.resolve({
        content,
        finishReason: { unified: "tool-calls", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }),
  });
  const start = process.hrtime.bigint();
  for (let step = 0; step < count; step += 1) {
    const { toolResults } = await generateText({
      model,
      prompt: "Go.",
      tools,
      stopWhen: isStepCount(1),
      maxRetries: 0,
    });
    if (step === 0) assertAnswer(toolResults.at(-1)?.output);
  }
  return Number(process.hrtime.bigint() - start);
}

/** The cost of one tool call more in a step of `generateText`: the rest of the step cancels out. */
export const perCallInGenerateText: Side = async (calls) => {
  const count = Math.ceil(calls / (MANY - FEW));
  return ((await steps(count, MANY)) - (await steps(count, FEW))) / (count * (MANY - FEW));
};
