import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Agent, Runner, RunState, tool, type Model, type ModelRequest } from "@openai/agents";
import { z } from "zod";
import { inLanes, type DurablePeer } from "./durable-peer.ts";

/**
 * OpenAI Agents: the run pauses for an approval, its state is kept as JSON in a file, and the run goes on from there, as its
 * page on human in the loop shows. Files are the host's: the package keeps nothing itself.
 */
export function openAiAgentsPeer(store: string): DurablePeer {
  mkdirSync(store, { recursive: true });
  return {
    run(calls, charge, ready) {
      const tools = [
        tool({
          name: "charge",
          description: "Charges.",
          parameters: z.object({ n: z.number() }),
          needsApproval: true,
          execute: ({ n }) => charge(n),
        }),
      ];
      const agent = new Agent({ name: "payer", model: scriptedModel, tools });
      const runner = new Runner({ tracingDisabled: true });
      ready();
      return inLanes(calls, async (n) => {
        const file = path.join(store, `${n}.json`);
        const keep = (text: string): void => {
          writeFileSync(`${file}.new`, text);
          renameSync(`${file}.new`, file);
        };
        if (!existsSync(file)) keep((await runner.run(agent, `Charge ${n}`)).state.toString());
        const kept = readFileSync(file, "utf8");
        if (kept === "done") return "done";
        const state = await RunState.fromString(agent, kept);
        for (const question of state.getInterruptions()) state.approve(question);
        keep(state.toString());
        const { finalOutput } = await runner.run(agent, state);
        if (finalOutput === undefined) return "failed";
        keep("done");
        return "done";
      });
    },
  };
}

/** Asks for the call, and ends after its result. */
const scriptedModel: Model = {
  async getResponse({ input }: ModelRequest) {
    const items = typeof input === "string" ? [] : input;
    const isOver = items.some((item) => item.type === "function_call_result");
    const text = JSON.stringify(input);
    const [, n] = /Charge (\d+)/.exec(text) ?? [];
    const output = isOver
      ? [
          {
            type: "message" as const,
            role: "assistant" as const,
            status: "completed" as const,
            content: [{ type: "output_text" as const, text: "Charged." }],
          },
        ]
      : [
          {
            type: "function_call" as const,
            callId: `call_${n}`,
            name: "charge",
            arguments: `{"n":${n}}`,
            status: "completed" as const,
          },
        ];
    return { usage: { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 } as never, output };
  },
  getStreamedResponse() {
    throw new Error("Cannot stream: the run is not streamed");
  },
};
