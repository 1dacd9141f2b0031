import { createToolRegistry, createTranscript, defineTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { runAgent, type AgentOptions } from "./agent-loop.ts";
import { call, createScriptedModel, turn, type Script } from "./scripted-model.ts";

const stop = new AbortController();
const echo = defineTool({
  name: "echo",
  description: "Answers what it is told.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }) => String(text),
});
const registry = createToolRegistry().register(echo);

function run(script: Script, options: Partial<AgentOptions> = {}) {
  return runAgent({
    model: createScriptedModel(script),
    registry,
    context: {},
    task: "the task",
    transcript: createTranscript(),
    signal: stop.signal,
    approve: () => false,
    onEvent: () => {},
    onText: () => {},
    afterTools: () => Promise.resolve([]),
    maxTurns: 5,
    ...options,
  });
}

describe("runAgent()", () => {
  test("gives the model the task, then the results of its calls", async () => {
    const { outcome, conversation } = await run(function* (task) {
      const results = yield turn("first", call("echo", { text: "a" }), call("nope", {}));
      return `${task}: ${results.map((result) => result.success).join()}`;
    });
    expect(outcome).toBe("done");
    expect(conversation.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(conversation.at(-1)).toEqual({ role: "assistant", text: "the task: true,false", calls: [] });
  });

  test("tells the model what happened between the turns", async () => {
    const { conversation } = await run(
      function* () {
        yield turn("first", call("echo", { text: "a" }));
        return "done";
      },
      { afterTools: () => Promise.resolve(["Approved: core memory x"]) },
    );
    expect(conversation[3]).toEqual({ role: "user", text: "Approved: core memory x" });
  });

  test("gives up on a model that never comes to an end", async () => {
    const { outcome, conversation } = await run(function* () {
      for (;;) yield turn("again", call("echo", { text: "a" }));
    });
    expect(outcome).toBe("gave up");
    expect(conversation).toHaveLength(11);
  });

  test("leaves a result for every call when it is stopped in the middle of a turn", async () => {
    const controller = new AbortController();
    const transcript = createTranscript();
    const { outcome, conversation } = await run(
      function* () {
        yield turn("two calls", call("echo", { text: "a" }), call("echo", { text: "b" }));
        return "never reached";
      },
      { signal: controller.signal, transcript, onEvent: ({ type }) => type === "call-end" && controller.abort() },
    );
    expect(outcome).toBe("stopped");
    const last = conversation.at(-1);
    expect(last?.role === "tool" && last.results.map((result) => result.success)).toEqual([true, false]);
    expect(transcript.entries).toHaveLength(2);
  });
});
