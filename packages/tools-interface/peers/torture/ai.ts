import { NotOfferedError, type TortureTool } from "@dispatch/check";
import { generateText, isStepCount, tool, type FlexibleSchema, type ModelMessage, type Tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { askHost } from "./ask-host.ts";
import type { Peer } from "./peer.ts";
import { preparedCalls } from "./prepared-calls.ts";
import { scriptedReplies, toldInPrompt } from "./scripted-reply.ts";

/** The AI SDK: a whole `generateText`. */
export const ai: Peer = {
  name: "ai",
  packageName: "ai",
  path: "`generateText` with its mock model: one tool call, then what the prompt of the second request holds for it",
  options:
    "`timeout.toolMs`, `abortSignal`, `toolApproval` of kind `user-approval` with a `tool-approval-response`, `onToolExecutionStart`, `onToolExecutionEnd`",
  notOffered: "a run-time check of outputs, a record of calls",
  subject: {
    name: "ai",
    prepare: (spec: TortureTool) => {
      if (spec.output !== undefined) throw new NotOfferedError("outputs are typed, not checked");
      const tools: Record<string, Tool> = {
        [spec.name]: tool({
          description: spec.description,
          inputSchema: spec.parameters as FlexibleSchema,
          execute: (input: unknown, { abortSignal }: { abortSignal?: AbortSignal | undefined }): unknown =>
            spec.execute(input, { signal: abortSignal }),
        } as Tool),
      };
      return preparedCalls(spec.name, async (call, { signal, record, observe, approve }) => {
        if (record !== undefined) throw new NotOfferedError("no record of calls");
        const model = new MockLanguageModelV4({ doGenerate: scriptedReplies(call) });
        const options = {
          model,
          tools,
          stopWhen: isStepCount(2),
          maxRetries: 0,
          ...(signal && { abortSignal: signal }),
          ...(spec.timeoutMs !== undefined && { timeout: { toolMs: spec.timeoutMs } }),
          ...(spec.needsApproval && { toolApproval: { [spec.name]: "user-approval" as const } }),
          ...(observe && {
            onToolExecutionStart: (event: unknown) => observe(event) as never,
            onToolExecutionEnd: (event: unknown) => observe(event) as never,
          }),
        };
        const messages: ModelMessage[] = [{ role: "user", content: "Go." }];
        const { content, response } = await generateText({ ...options, messages });
        const request = content.find((part) => part.type === "tool-approval-request");
        if (request !== undefined) {
          const { approvalId } = request;
          const approved = await askHost(approve, request);
          const answer = { type: "tool-approval-response" as const, approvalId, approved };
          messages.push(...response.messages, { role: "tool", content: [answer] });
          await generateText({ ...options, messages });
        }
        return toldInPrompt(model.doGenerateCalls[1]?.prompt);
      });
    },
  },
};
