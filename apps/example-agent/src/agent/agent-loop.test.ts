import { createToolRegistry, defineTool, type ToolCall, type ToolResult } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { runAgent, type LoopOptions, type AgentRun } from "./agent-loop.ts";
import { createContextWindow } from "./context-window.ts";
import type { AssistantTurn, Message } from "./conversation.ts";
import { ModelError, type Model } from "./model.ts";
import { createSession, type Session } from "./session.ts";

const stop = new AbortController();
const echo = defineTool({
  name: "echo",
  description: "Answers what it is told.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  annotations: { readOnly: false },
  execute: ({ text }) => String(text),
});
const registry = createToolRegistry().register(echo);

interface Ran extends AgentRun {
  readonly conversation: readonly Message[];
  readonly session: Session;
}

async function run(script: Script | Model, options: Partial<LoopOptions> = {}): Promise<Ran> {
  const session = createSession();
  session.add({ role: "user", text: "the task" });
  const ended = await runAgent({
    model: typeof script === "function" ? following(script) : script,
    registry,
    context: {},
    session,
    signal: stop.signal,
    approve: () => false,
    onEvent: () => {},
    onTurn: () => {},
    onText: () => {},
    onNotice: () => {},
    window: createContextWindow(),
    keepOutput: () => undefined,
    afterTools: () => Promise.resolve([]),
    maxTurns: 5,
    maxTokens: Number.POSITIVE_INFINITY,
    ...options,
  });
  return { ...ended, conversation: session.messages, session };
}

type Script = (task: string) => Generator<AssistantTurn, string, readonly ToolResult[]>;

/** A model that follows a script: it yields turns, is given the results of their calls, and returns the last text. */
function following(script: Script): Model {
  let running: ReturnType<Script> | undefined;
  return {
    name: "script",
    real: false,
    async respond({ conversation, signal, onText }) {
      signal.throwIfAborted();
      const results = conversation.findLast((message) => message.role === "tool")?.results ?? [];
      const [first] = conversation;
      running ??= script(first?.role === "user" ? first.text : "");
      const { done, value } = running.next(results);
      const { text, calls } = done === true ? turn(value) : value;
      onText(text);
      return { text, calls: calls.map((one, index) => ({ id: `${conversation.length}.${index}`, ...one })) };
    },
  };
}

function turn(text: string, ...calls: readonly ToolCall[]): AssistantTurn {
  return { text, calls };
}

function call(name: string, params: object): ToolCall {
  return { name, arguments: JSON.stringify(params) };
}

/** A model that gives these answers, one after the other. */
function answering(...answers: readonly (() => AssistantTurn)[]): Model {
  let asked = 0;
  return { name: "double", real: false, respond: async () => answers[(asked += 1) - 1]?.() ?? turn("no more") };
}

describe("runAgent()", () => {
  test("says so when the model answers nothing", async () => {
    const notices: string[] = [];
    const silent: Model = { name: "silent", real: false, respond: () => Promise.resolve(turn(" ")) };
    const { outcome } = await run(silent, { onNotice: (text) => void notices.push(text) });
    expect({ outcome, notices }).toEqual({ outcome: "done", notices: ["the model answered nothing"] });
  });

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
    const { outcome, reason, conversation } = await run(function* () {
      for (;;) yield turn("again", call("echo", { text: "a" }));
    });
    expect({ outcome, reason }).toEqual({ outcome: "gave up", reason: "the model came to no end in 5 turns" });
    expect(conversation).toHaveLength(11);
  });

  test("leaves a result for every call when it is stopped in the middle of a turn", async () => {
    const controller = new AbortController();
    const { outcome, reason, conversation, session } = await run(
      function* () {
        yield turn("two calls", call("echo", { text: "a" }), call("echo", { text: "b" }));
        return "never reached";
      },
      {
        signal: controller.signal,
        onEvent: ({ type }) => type === "call-end" && controller.abort(new Error("stopped by hand")),
      },
    );
    expect({ outcome, reason }).toEqual({ outcome: "stopped", reason: "stopped by hand" });
    const last = conversation.at(-1);
    expect(last?.role === "tool" && last.results.map((result) => result.success)).toEqual([true, false]);
    expect(session.transcript.entries).toHaveLength(2);
  });

  test("asks no more once the tokens allowed are used, and still runs what was asked for", async () => {
    const usage = { input: 90, cached: 0, output: 10 };
    const asking = (): AssistantTurn => ({ ...turn("", { id: "a", ...call("echo", { text: "a" }) }), usage });
    const { outcome, reason, conversation } = await run(answering(asking, asking), { maxTokens: 100 });
    expect({ outcome, reason }).toEqual({ outcome: "gave up", reason: "the 100 tokens allowed are used" });
    expect(conversation.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("runs nothing of an answer that was cut off, and tells the model so", async () => {
    const { outcome, conversation, session } = await run(
      answering(
        () => ({ text: "I wri", calls: [], cutOff: true }),
        () => turn("Shorter"),
      ),
    );
    expect(outcome).toBe("done");
    expect(conversation[2]).toMatchObject({ role: "user", text: expect.stringContaining("cut off") });
    expect(session.transcript.entries).toHaveLength(0);
  });

  test("ends with the reason when the model cannot be asked", async () => {
    const refused = answering(() => {
      throw new ModelError("Cannot get an answer of double: 401");
    });
    expect(await run(refused)).toMatchObject({ outcome: "failed", reason: "Cannot get an answer of double: 401" });
  });

  test("does not hide a mistake of the program", async () => {
    const broken = answering(() => {
      throw new TypeError("x is not a function");
    });
    await expect(run(broken)).rejects.toThrow("x is not a function");
  });
});
