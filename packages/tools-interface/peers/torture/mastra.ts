import { NotOfferedError, type TortureTool } from "@dispatch/check";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { MockLanguageModelV4 } from "ai/test";
import { askHost } from "./ask-host.ts";
import type { Peer } from "./peer.ts";
import { preparedCalls } from "./prepared-calls.ts";
import { scriptedReplies, toldInPrompt } from "./scripted-reply.ts";

/** Mastra: an agent that generates. */
export const mastra: Peer = {
  name: "mastra",
  packageName: "@mastra/core",
  path: "`Agent.generate` with `createTool` and the AI SDK's mock model: one tool call, then what the prompt of the second request holds for it",
  options:
    "`outputSchema`, `requireApproval` with `approveToolCallGenerate`/`declineToolCallGenerate` and an in-memory store, `abortSignal`, `hooks.beforeToolCall`/`afterToolCall`",
  notOffered: "timeouts of tools (there is a budget for a whole run), a record of calls",
  subject: {
    name: "mastra",
    prepare: (spec: TortureTool) => {
      if (spec.timeoutMs !== undefined) throw new NotOfferedError("no timeouts of tools");
      const built = createTool({
        id: spec.name,
        description: spec.description,
        inputSchema: spec.parameters as never,
        ...(spec.output && { outputSchema: spec.output as never }),
        ...(spec.needsApproval && { requireApproval: true }),
        execute: (input: unknown, context) => spec.execute(input, { signal: context.abortSignal }) as never,
      });
      return preparedCalls(spec.name, async (call, { signal, record, observe, approve }) => {
        if (record !== undefined) throw new NotOfferedError("no record of calls");
        const model = new MockLanguageModelV4({ doGenerate: scriptedReplies(call) });
        const agent = new Agent({
          id: "agent",
          name: "Agent",
          instructions: "Go.",
          model: model as never,
          tools: { [spec.name]: built },
        });
        if (spec.needsApproval) {
          new Mastra({ storage: new InMemoryStore(), logger: false }).addAgent(agent);
        }
        const options = {
          maxSteps: 2,
          ...(signal && { abortSignal: signal }),
          ...(observe && {
            hooks: {
              beforeToolCall: (event: unknown) => observe(event) as never,
              afterToolCall: (event: unknown) => observe(event) as never,
            },
          }),
        };
        const result = await agent.generate("Go.", options);
        let approved = true;
        if (result.finishReason === "suspended") {
          const { runId = "", suspendPayload } = result;
          approved = await askHost(approve, suspendPayload);
          const resumed = { runId, toolCallId: call.id, ...options };
          await (approved ? agent.approveToolCallGenerate(resumed) : agent.declineToolCallGenerate(resumed));
        }
        const outcome = toldInPrompt(model.doGenerateCalls[1]?.prompt);
        // Its failures are JSON with a mark of their own, its refusals plain text.
        return { ...outcome, failed: outcome.failed || !approved || outcome.text.startsWith('{"error":true') };
      });
    },
  },
};
