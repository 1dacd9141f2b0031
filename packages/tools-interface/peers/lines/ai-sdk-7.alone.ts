import { generateText, isStepCount, tool, type LanguageModel, type ModelMessage, type ToolApprovalResponse } from "ai";
import { z } from "zod";
import { page, type Ask } from "./page.ts";

const tools = {
  read_clock: tool({
    description: "The time in a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `noon in ${city}`,
  }),
  show_page: tool({
    description: "A picture of the page.",
    inputSchema: z.object({}),
    execute: () => page,
    toModelOutput: ({ output }) => ({
      type: "content",
      value: [{ type: "file", data: { type: "data", data: output.data }, mediaType: output.mimeType }],
    }),
  }),
  delete_file: tool({
    description: "Deletes a file.",
    inputSchema: z.object({ path: z.string() }),
    needsApproval: true,
    execute: ({ path }) => `${path} is deleted`,
  }),
};

export async function answer(model: LanguageModel, prompt: string, ask: Ask, abortSignal: AbortSignal) {
  const messages: ModelMessage[] = [{ role: "user", content: prompt }];
  for (;;) {
    const result = await generateText({ model, messages, tools, abortSignal, stopWhen: isStepCount(20) });
    messages.push(...result.responseMessages);
    const answers: ToolApprovalResponse[] = [];
    for (const part of result.content) {
      if (part.type !== "tool-approval-request") continue;
      const approved = await ask(part.toolCall.toolName, part.toolCall.input);
      answers.push({ type: "tool-approval-response", approvalId: part.approvalId, approved });
    }
    if (answers.length === 0) return result.text;
    messages.push({ role: "tool", content: answers });
  }
}
