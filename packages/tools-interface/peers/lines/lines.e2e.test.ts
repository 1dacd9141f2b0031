import { readFileSync } from "node:fs";
import path from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { MockLanguageModelV4 } from "ai/test";
import { MockLanguageModelV3 } from "ai6/test";
import { afterAll, expect, it } from "vitest";
import { message, use } from "../interop/anthropic-answers.ts";
import { startScriptedServer } from "../interop/scripted-server.ts";
import * as aiSdk6Alone from "./ai-sdk-6.alone.ts";
import * as aiSdk6 from "./ai-sdk-6.ours.ts";
import * as aiSdk7Alone from "./ai-sdk-7.alone.ts";
import * as aiSdk7 from "./ai-sdk-7.ours.ts";
import * as anthropicAlone from "./anthropic-runner.alone.ts";
import * as anthropic from "./anthropic-runner.ours.ts";
import * as openAiAgentsAlone from "./openai-agents.alone.ts";
import * as openAiAgents from "./openai-agents.ours.ts";
import { page, type Ask } from "./page.ts";

type Calls = readonly (readonly [name: string, params: Record<string, unknown>])[];
const script: readonly Calls[] = [
  [
    ["read_clock", { city: "Oslo" }],
    ["show_page", {}],
  ],
  [["delete_file", { path: "a.txt" }]],
  [],
];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function aiSdkModel(version: 6 | 7): MockLanguageModelV4 {
  const doGenerate = script.map((calls, turn) => ({
    content: [
      ...calls.map(([toolName, params], index) => {
        const toolCallId = `${turn}-${index}`;
        return { type: "tool-call" as const, toolCallId, toolName, input: JSON.stringify(params) };
      }),
      ...(calls.length === 0 ? [{ type: "text" as const, text: "done" }] : []),
    ],
    finishReason: { unified: calls.length === 0 ? ("stop" as const) : ("tool-calls" as const), raw: undefined },
    usage,
    warnings: [],
  }));
  return version === 7
    ? new MockLanguageModelV4({ doGenerate })
    : (new MockLanguageModelV3({ doGenerate } as never) as never);
}

/** Runs a loop with a model that follows the script. Returns the last results that the model received. */
type Run = (ask: Ask, signal: AbortSignal) => Promise<unknown>;

function withAiSdk(version: 6 | 7, { answer }: Pick<typeof aiSdk7, "answer">): Run {
  return async (ask, signal) => {
    const model = aiSdkModel(version);
    await answer(model, "go", ask, signal);
    return model.doGenerateCalls.at(-1)?.prompt;
  };
}

function withAgents({ answer }: Pick<typeof openAiAgents, "answer">): Run {
  return async (ask, signal) => {
    const model = new ScriptedModel(
      script.map((calls, turn) =>
        calls.length === 0
          ? [assistantMessage("done")]
          : calls.map(([name, params], index) => functionCall(name, params, { callId: `${turn}-${index}` })),
      ),
    );
    await answer(model, "go", ask, signal);
    return model.lastCall?.request.input;
  };
}

function withAnthropic({ answer }: Pick<typeof anthropic, "answer">): Run {
  return async (ask, signal) => {
    await using server = await startScriptedServer(
      script.map((calls, turn) => message(...calls.map(([name, params], at) => use(`${turn}-${at}`, name, params)))),
    );
    await answer(new Anthropic({ apiKey: "none", baseURL: server.url, maxRetries: 0 }), "go", ask, signal);
    return server.requests.map(({ body }) => body);
  };
}

const stacks: readonly (readonly [title: string, file: string, ours: Run, alone: Run])[] = [
  ["AI SDK 7", "ai-sdk-7", withAiSdk(7, aiSdk7), withAiSdk(7, aiSdk7Alone)],
  ["AI SDK 6", "ai-sdk-6", withAiSdk(6, aiSdk6 as never), withAiSdk(6, aiSdk6Alone as never)],
  ["OpenAI Agents", "openai-agents", withAgents(openAiAgents), withAgents(openAiAgentsAlone as never)],
  ["Anthropic's runner", "anthropic-runner", withAnthropic(anthropic), withAnthropic(anthropicAlone)],
];

/** Lines of code: without empty ones. */
function linesOf(file: string): number {
  const text = readFileSync(path.join(import.meta.dirname, file), "utf8");
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

const counted = stacks.map(
  ([title, file]) => [title, linesOf(`${file}.ours.ts`), linesOf(`${file}.alone.ts`)] as const,
);

it.each(stacks)("the loops of %s do the same, ours and that of the stack alone", async (_title, _file, ours, alone) => {
  for (const run of [ours, alone]) {
    for (const answer of [true, false]) {
      const asked: unknown[] = [];
      const ask: Ask = async (name, input) => {
        asked.push([name, typeof input === "string" ? JSON.parse(input) : input]);
        return answer;
      };
      const told = JSON.stringify(await run(ask, new AbortController().signal));
      expect(asked).toEqual([["delete_file", { path: "a.txt" }]]);
      expect([told.includes("noon in Oslo"), told.includes(page.data)]).toEqual([true, true]);
      expect(told.includes("a.txt is deleted")).toBe(answer);
    }
    await expect(run(async () => true, AbortSignal.abort())).rejects.toThrow();
  }
});

it.each(counted)("ours with %s has not more lines", (_title, ours, alone) => {
  expect(ours).toBeLessThanOrEqual(alone);
});

it("the table in docs/frameworks.md says how many", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../../providers/docs/frameworks.md"), "utf8");
  const rows = [...text.matchAll(/^\| (?<title>[^|]+?) +\| +(?<ours>\d+) +\| +(?<alone>\d+) +\|$/gm)];
  const said = rows.map(({ groups = {} }) => [groups["title"], Number(groups["ours"]), Number(groups["alone"])]);
  expect(said).toEqual(counted);
});

afterAll(() => {
  for (const [index, [, ours, alone]] of counted.entries()) {
    const name = (stacks[index]?.[1] ?? "").replaceAll("-", "_");
    console.log(`METRIC adapters.lines.${name} ${ours} lines\nMETRIC adapters.lines.${name}_alone ${alone} lines`);
  }
});
