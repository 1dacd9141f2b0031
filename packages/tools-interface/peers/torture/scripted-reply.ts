import type { TortureOutcome } from "@dispatch/check";
import type { MockLanguageModelV4 } from "ai/test";
import type { WireCall } from "./prepared-calls.ts";
import { sentText } from "./sent.ts";

type Reply = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Prompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"];

const usage: Reply["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function reply(content: Reply["content"], unified: "tool-calls" | "stop"): Reply {
  return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
}

/** The model's reply to each request, in the AI SDK's format: it asks for one call, then ends. */
export function scriptedReplies({ id: toolCallId, name: toolName, sent }: WireCall): [Reply, Reply] {
  return [
    reply([{ type: "tool-call", toolCallId, toolName, input: sentText(sent) }], "tool-calls"),
    reply([{ type: "text", text: "Done." }], "stop"),
  ];
}

/**
 * The result of the call in a prompt, as providers write it for a model.
 *
 * @throws An `Error` when it holds no result, or when there is no prompt.
 */
export function toldInPrompt(prompt: Prompt | undefined): TortureOutcome {
  const part = prompt?.flatMap((message) => (message.role === "tool" ? message.content : [])).at(-1);
  if (part?.type !== "tool-result") throw new Error("the run ended, and the model was told nothing of the call");
  const { output } = part;
  switch (output.type) {
    case "text":
    case "error-text":
      return { failed: output.type === "error-text", text: output.value };
    case "execution-denied":
      return { failed: true, text: output.reason ?? "Tool execution denied." };
    case "json":
    case "error-json":
    case "content":
      return { failed: output.type === "error-json", text: JSON.stringify(output.value) ?? "" };
  }
}
