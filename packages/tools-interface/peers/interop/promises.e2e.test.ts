import Anthropic from "@anthropic-ai/sdk";
import { toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { toAnthropicRunner } from "@dispatch/providers/anthropic";
import { toMastraSettings } from "@dispatch/providers/mastra";
import { toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  success,
  type AnyToolRegistry,
  type DispatchOptions,
} from "@dispatch/tools-interface";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import * as seven from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as six from "ai6";
import { MockLanguageModelV3 } from "ai6/test";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { message, use } from "./anthropic-answers.ts";
import { startScriptedServer } from "./scripted-server.ts";
import { recorded } from "./toolbox.ts";

type Options = DispatchOptions & { readonly context?: object };
/** Lets a model make one call through the SDK. Answers all that the model is sent next, as text. */
type Stack = (
  registry: AnyToolRegistry,
  name: string,
  params: Record<string, unknown>,
  options: Options,
) => Promise<string>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const answer = (finish: "stop" | "tool-calls", ...content: readonly object[]): object => {
  return { content, finishReason: { unified: finish, raw: undefined }, usage, warnings: [] };
};

function aiSdk(version: 6 | 7): Stack {
  return async (registry, toolName, params, options) => {
    const call = { type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(params) };
    const doGenerate = [answer("tool-calls", call), answer("stop", { type: "text", text: "done" })] as never[];
    const model = version === 7 ? new MockLanguageModelV4({ doGenerate }) : new MockLanguageModelV3({ doGenerate });
    const sdk = version === 7 ? seven : (six as unknown as typeof seven);
    const settings = toAiSdkSettings(registry, { ...options, version });
    await sdk.generateText({ model: model as never, prompt: "go", ...settings, stopWhen: sdk.stepCountIs(2) });
    return JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1));
  };
}

const stacks: Readonly<Record<string, Stack>> = {
  Mastra: async (registry, toolName, params, options) => {
    const { tools } = toMastraSettings(registry, options as never);
    const call = { type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(params) };
    const model = new MockLanguageModelV4({
      doGenerate: [answer("tool-calls", call), answer("stop", { type: "text", text: "done" })] as never[],
    });
    await new Mastra({
      logger: false,
      agents: { a: new MastraAgent({ id: "a", name: "a", instructions: "go", model: model as never, tools }) },
    })
      .getAgent("a")
      .generate("go");
    return JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1));
  },
  "AI SDK 7": aiSdk(7),
  "AI SDK 6": aiSdk(6),
  "OpenAI Agents": async (registry, name, params, options) => {
    const model = new ScriptedModel([[functionCall(name, params, { callId: "1" })], [assistantMessage("done")]]);
    const agent = new Agent({ name: "a", model, ...toOpenAiAgentsSettings(tool, registry, options) });
    await new Runner({ tracingDisabled: true }).run(agent, "go");
    return JSON.stringify(model.lastCall?.request.input);
  },
  "Anthropic's runner": async (registry, name, params, options) => {
    await using server = await startScriptedServer([message(use("1", name, params)), message()]);
    const client = new Anthropic({ apiKey: "none", baseURL: server.url, maxRetries: 0 });
    const tools = toAnthropicRunner(registry, options).tools;
    const request = { model: "m", max_tokens: 9, thread: false, messages: [{ role: "user" as const, content: "go" }] };
    await client.beta.messages.toolRunner({ ...request, tools } as never);
    return JSON.stringify(server.requests[1]?.body["messages"]);
  },
};

const kept: boolean[] = [];
afterEach(({ task }) => void kept.push(task.result?.state !== "fail"));
afterAll(() => {
  console.log(
    `METRIC adapters.promises ${kept.filter(Boolean).length} tests\nMETRIC adapters.promises_of ${kept.length} tests`,
  );
});

const parameters = z.object({ count: z.int().describe("How many") });
let ran = 0;
const registry = createToolRegistry().register([
  defineTool({
    name: "count",
    description: "Counts.",
    parameters,
    execute: ({ count }) => `counted ${count} of ${++ran}`,
  }),
  defineTool({
    name: "break",
    description: "Breaks.",
    parameters,
    execute() {
      throw new Error("disk on fire");
    },
  }),
  defineTool({ name: "hang", description: "Hangs.", parameters, timeoutMs: 30, execute: () => new Promise(() => {}) }),
  defineTool({
    name: "pay",
    description: "Pays.",
    parameters,
    needsApproval: async ({ count }) => count > 5,
    execute: ({ count }) => `paid ${count}`,
  }),
  defineTool({
    name: "show",
    description: "Shows.",
    parameters,
    execute: () =>
      success("shown", {
        content: [
          { type: "text", text: "a page" },
          { type: "file", data: "JVBERi0=", mimeType: "application/pdf", name: "a.pdf" },
        ],
        metadata: { secret: "SECRET" },
      }),
  }),
  defineTool({
    name: "locate",
    description: "Says where it is.",
    parameters,
    context: z.object({ place: z.string() }),
    execute: (_, run) => {
      run.progress({ message: "looking" });
      return run.context.place;
    },
  }),
]);

describe.each(Object.entries(stacks))("%s keeps the promise that a call", (_stack, run) => {
  it.each([
    ["is validated", "count", { count: "many" }, /Cannot call count with these parameters/, "invalid_params"],
    ["is repaired", "count", { Count: "3" }, /counted 3/, "repaired"],
    ["never throws", "break", { count: 1 }, /break failed: disk on fire/, "execution_failed"],
    ["never hangs", "hang", { count: 1 }, /hang/, "timeout"],
    ["runs unasked where the rule says so", "pay", { count: 5 }, /paid 5/, "ok"],
    ["is shown with its parts", "show", { count: 1 }, /a page.*JVBERi0=/, "ok"],
    ["has its context", "locate", { count: 1 }, /Bergen/, "ok"],
  ] as const)("%s, and is recorded once", async (_what, name, params, text, outcome) => {
    const transcript = createTranscript();
    const told: string[] = [];
    const context = { place: "Bergen" };
    const onEvent: Options["onEvent"] = (event) => {
      if (event.type === "call-progress") told.push(event.update.message);
    };
    const next = await run(registry, name, params, { transcript, context, onEvent });
    expect(next).toMatch(text);
    expect(next).not.toContain("SECRET");
    expect(recorded(transcript)).toEqual([["1", name, outcome]]);
    expect(told).toEqual(name === "locate" ? ["looking"] : []);
  });

  it("is asked for where the rule says so, and denied when the approver says no", async () => {
    for (const approved of [true, false]) {
      const transcript = createTranscript();
      const context = { place: "Bergen" };
      const next = await run(registry, "pay", { count: 6 }, { transcript, context, approve: () => approved });
      expect(next).toMatch(approved ? /paid 6/ : /pay was denied/);
      expect(recorded(transcript)).toEqual([["1", "pay", approved ? "ok" : "denied"]]);
    }
  });
});
