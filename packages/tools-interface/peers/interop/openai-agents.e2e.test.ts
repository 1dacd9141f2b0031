import { toOpenAiAgentsRunSettings, toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
import { createToolRegistry, createTranscript, defineTool, failure, success } from "@dispatch/tools-interface";
import { Agent, Runner, RunState, tool, type AgentInputItem } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

const runner = new Runner({ tracingDisabled: true });

function script(): ScriptedModel {
  return new ScriptedModel([
    [
      functionCall("weather_get", { city: "Oslo", unit: null }, { callId: "1" }),
      functionCall("weather_get", { town: "Oslo" }, { callId: "2" }),
      functionCall("screenshot", {}, { callId: "3" }),
      functionCall("no_such_tool", {}, { callId: "4" }),
      functionCall("weather_get", '{"city":', { callId: "5" }),
    ],
    [functionCall("weather_get", { city: "Oslo", unit: "F" }, { callId: "6" })],
    [assistantMessage("done")],
  ]);
}

/** The results in a request to the model, by the ids of their calls. */
function results(input: string | readonly AgentInputItem[] = ""): Record<string, unknown> {
  const items = typeof input === "string" ? [] : input;
  return Object.fromEntries(
    items.flatMap((item) => (item.type === "function_call_result" ? [[item.callId, item.output]] : [])),
  );
}

function text(value: unknown): unknown {
  return { type: "text", text: value };
}

describe("toOpenAiAgentsSettings() with an Agent", () => {
  it("runs a conversation of parallel, refused, corrected and unknown calls, streamed or not", async () => {
    for (const stream of [true, false] as const) {
      const transcript = createTranscript();
      const model = script();
      const registry = createToolbox();
      const given = { strict: true, transcript };
      const agent = new Agent({ name: "a", model, ...toOpenAiAgentsSettings(tool, registry, given) });
      const options = toOpenAiAgentsRunSettings(registry, given);
      if (stream) await Array.fromAsync(await runner.run(agent, "go", { ...options, stream }));
      else expect((await runner.run(agent, "go", options)).finalOutput).toBe("done");
      model.assertComplete();
      expect(model.firstCall?.request.tools[0]).toMatchObject({
        type: "function",
        name: "weather_get",
        strict: true,
        parameters: { type: "object", required: ["city", "unit"], additionalProperties: false },
      });
      const told = results(model.lastCall?.request.input);
      expect(told).toEqual({
        1: text("Oslo: 15 °C"),
        2: text(expect.stringMatching(REFUSED)),
        3: [
          { type: "input_text", text: "the screen" },
          { type: "input_image", image: `data:image/png;base64,${PIXEL}`, detail: "auto" },
        ],
        4: text(expect.stringContaining("Call one of these instead")),
        // The SDK answers by itself: it does not pass on text that it cannot parse.
        5: text(expect.stringContaining("valid JSON")),
        6: text("Oslo: 15 °F"),
      });
      expect(JSON.stringify(model.calls)).not.toContain("SECRET");
      expect(recorded(transcript).toSorted()).toEqual([
        ["1", "weather.get", "ok"],
        ["2", "weather.get", "invalid_params"],
        ["3", "screenshot", "ok"],
        ["4", "no_such_tool", "tool_not_found"],
        ["5", "weather.get", "invalid_call"],
        ["6", "weather.get", "ok"],
      ]);
      expect(transcript.find("5")).toMatchObject({ arguments: '{"city":' });
    }
  });

  it("records once what the SDK denies, and leaves calls of other tools alone", async () => {
    const transcript = createTranscript();
    const registry = createToolbox();
    const other = tool({ name: "other", description: "", parameters: z.object({}), execute: () => "mine" });
    const start = () => {
      const { tools, ...settings } = toOpenAiAgentsSettings(tool, registry, { transcript });
      return new Agent({ name: "a", model, tools: [...tools, other], ...settings });
    };
    const path = { path: "a.txt" };
    const model = new ScriptedModel([
      [functionCall("delete_file", path, { callId: "1" }), functionCall("other", {}, { callId: "2" })],
      [functionCall("delete_file", path, { callId: "3" })],
      [assistantMessage("done")],
    ]);
    const options = toOpenAiAgentsRunSettings(registry, { transcript });
    let saved = (await runner.run(start(), "go", options)).state.toString();
    for (const message of [undefined, "not today"]) {
      const agent = start();
      const state = await RunState.fromString(agent, saved);
      for (const asked of state.getInterruptions()) state.reject(asked, { ...(message && { message }) });
      saved = (await runner.run(agent, state, options)).state.toString();
    }
    model.assertComplete();
    expect(recorded(transcript)).toEqual([
      ["1", "delete_file", "denied"],
      ["3", "delete_file", "denied"],
    ]);
    expect(transcript.find("3")).toMatchObject({ arguments: path, result: { error: "not today" } });
  });

  it("cancels a running tool by the run's signal", async () => {
    const transcript = createTranscript();
    const { signal, onEvent } = cancelAtProgress();
    const tools = toOpenAiAgentsSettings((one) => one, createToolbox(), { transcript, onEvent }).tools;
    const model = new ScriptedModel([[functionCall("wait", {}, { callId: "1" })], [assistantMessage("done")]]);
    const agent = new Agent({ name: "a", model, tools: tools.map((one) => tool(one)) });
    await Promise.allSettled([runner.run(agent, "go", { signal })]);
    await expect.poll(() => recorded(transcript)).toEqual([["1", "wait", "cancelled"]]);
  });

  it("asks the registry's approver inside the call when there is one, also through tool()", async () => {
    for (const approved of [true, false]) {
      const transcript = createTranscript();
      const tools = toOpenAiAgentsSettings((one) => one, createToolbox(), {
        transcript,
        approve: () => approved,
      }).tools;
      const call = functionCall("delete_file", { path: "a.txt" }, { callId: "1" });
      const model = new ScriptedModel([[call], [assistantMessage("done")]]);
      await runner.run(new Agent({ name: "a", model, tools: tools.map((one) => tool(one)) }), "go");
      expect(recorded(transcript)).toEqual([["1", "delete_file", approved ? "ok" : "denied"]]);
    }
  });

  it("interrupts a run by the tool's own rule, and `state.approve` decides, also after a restart", async () => {
    for (const isApproved of [true, false]) {
      const transcript = createTranscript();
      const call = functionCall("delete_file", { path: "a.txt" }, { callId: "1" });
      const model = new ScriptedModel([[call], [assistantMessage("done")]]);
      const start = () =>
        new Agent({ name: "a", model, ...toOpenAiAgentsSettings(tool, createToolbox(), { transcript }) });
      const first = await runner.run(start(), "go");
      expect([recorded(transcript), first.interruptions.length]).toEqual([[], 1]);
      const agent = start();
      const state = await RunState.fromString(agent, first.state.toString());
      for (const asked of state.getInterruptions()) {
        if (isApproved) state.approve(asked);
        else state.reject(asked);
      }
      expect((await runner.run(agent, state)).finalOutput).toBe("done");
      expect(recorded(transcript)).toEqual(isApproved ? [["1", "delete_file", "ok"]] : []);
    }
  });

  it("denies a call that nobody has approved", async () => {
    const [, , , last] = toOpenAiAgentsSettings((one) => one, createToolbox()).tools;
    const runContext = { context: undefined, isToolApproved: () => undefined };
    const details = { toolCall: { callId: "1" } };
    expect(await last?.execute({ path: "a.txt" }, runContext, details)).toContain("was denied");
  });

  it("takes the context of each run, and ends the run for `stopLoop`", async () => {
    const registry = createToolRegistry().register([
      defineTool({
        name: "whoami",
        description: "Who is asking.",
        parameters: z.object({}),
        context: z.object({ user: z.string() }),
        needsApproval: async (_, { user }) => user === "eve",
        execute: (_, { context }) => success(context.user, { metadata: { stopLoop: true } }),
      }),
    ]);
    const found: unknown[] = [];
    for (const user of ["ada", "bob", "eve"]) {
      const model = new ScriptedModel([[functionCall("whoami", {}, { callId: "1" })]]);
      const agent = new Agent<{ user: string }>({ name: "a", model, ...toOpenAiAgentsSettings(tool, registry) });
      const { finalOutput, interruptions } = await runner.run(agent, "go", { context: { user } });
      found.push(finalOutput, interruptions.length);
    }
    expect(found).toEqual(["ada", 0, "bob", 0, undefined, 1]);
  });

  it("passes failures to `errorFunction`", async () => {
    const registry = createToolRegistry().register(
      defineTool({
        name: "fail",
        description: "Fails.",
        parameters: z.object({}),
        execute: () => failure("no such file", { code: "not_found" }),
      }),
    );
    const cases = [
      [undefined, "no such file"],
      [(_: unknown, { code }: { readonly code: string }) => `failed as ${code}`, "failed as not_found"],
      [null, "rejected: no such file"],
    ] as const;
    for (const [errorFunction, expected] of cases) {
      const model = new ScriptedModel([[functionCall("fail", {}, { callId: "1" })], [assistantMessage("done")]]);
      const settings = toOpenAiAgentsSettings(tool, registry, {
        ...(errorFunction !== undefined && { errorFunction }),
      });
      const ran = await runner.run(new Agent({ name: "a", model, ...settings }), "go").then(
        () => results(model.lastCall?.request.input)["1"],
        (error: unknown) => text(`rejected: ${String((error as { error?: unknown }).error ?? error)}`),
      );
      expect(ran).toMatchObject({ text: expect.stringContaining(expected) as unknown });
    }
  });
});
