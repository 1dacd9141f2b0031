import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool, ToolError, type ToolEvent } from "../index.ts";

const execute = vi.fn(({ path }: { path: string }) => `text of ${path}`);
const read = defineTool({
  name: "read",
  description: "Reads.",
  parameters: z.object({ path: z.string(), mode: z.enum(["text", "bytes"]).default("text") }),
  execute,
});
const broken = defineTool({
  name: "broken",
  description: "Throws.",
  parameters: z.object({}),
  execute: () => Promise.reject(new Error("out of paper")),
});
const circular = defineTool({
  name: "circular",
  description: "Answers what JSON cannot hold.",
  parameters: z.object({}),
  execute() {
    const value: Record<string, unknown> = {};
    return (value["self"] = value);
  },
});
const guarded = defineTool({
  name: "guarded",
  description: "Asks.",
  parameters: z.object({}),
  needsApproval: true,
  execute: () => "",
});
const stuck = defineTool({
  name: "stuck",
  description: "Never ends.",
  parameters: z.object({}),
  timeoutMs: 20,
  execute: () => new Promise(() => {}),
});
const registry = createToolRegistry().register([read, broken, circular, guarded, stuck]);

describe("ToolRegistry.dispatch()", () => {
  test.each([
    ["throws", new Proxy(read, {})],
    [
      "rejects",
      new Proxy(read, {
        get: (tool, key) => (key === "call" ? () => Promise.reject(new Error("no")) : Reflect.get(tool, key)),
      }),
    ],
  ])("records one failure of an object in place of a tool that %s", async (_, tool) => {
    const transcript = createTranscript();
    const result = await createToolRegistry()
      .register(tool)
      .dispatch({ name: "read", arguments: { path: "a" } }, { transcript });
    expect(result).toMatchObject({ success: false, code: "execution_failed" });
    expect(transcript.entries).toMatchObject([{ name: "read", result: { code: "execution_failed" } }]);
  });

  test("runs a valid call, by name or by call, with an object or with JSON text", async () => {
    expect(String(await registry.dispatch("read", { path: "a" }))).toBe("text of a");
    for (const call of [
      { name: "read", arguments: { path: "a" } },
      { name: "read", arguments: '{"path":"a"}' },
      { name: "read", input: { path: "a" } },
      { name: "read", params: { path: "a" } },
    ]) {
      expect(String(await registry.dispatch(call))).toBe("text of a");
    }
  });

  test.each([
    ["a valid call", { id: "c", name: "read", arguments: { path: "a" } }, undefined],
    ["an unknown tool", { id: "c", name: "write", arguments: {} }, "tool_not_found"],
    ["a name objects have by themselves", { id: "c", name: "constructor", arguments: {} }, "tool_not_found"],
    ["a missing field", { id: "c", name: "read", arguments: {} }, "invalid_params"],
    ["a wrong type", { id: "c", name: "read", arguments: { path: 7 } }, "invalid_params"],
    ["a value outside an enum", { id: "c", name: "read", arguments: { path: "a", mode: "hex" } }, "invalid_params"],
    ["arguments that are no object", { id: "c", name: "read", arguments: [1] }, "invalid_params"],
    ["broken JSON", { id: "c", name: "read", arguments: '{"path":' }, "invalid_call"],
    ["no name", { id: "c" } as never, "invalid_call"],
    ["no call at all", undefined as never, "invalid_call"],
    ["a tool that throws", { id: "c", name: "broken", arguments: {} }, "execution_failed"],
    ["a result JSON cannot hold", { id: "c", name: "circular", arguments: {} }, "invalid_output"],
    ["a denied call", { id: "c", name: "guarded", arguments: {} }, "denied"],
    ["a tool that never ends", { id: "c", name: "stuck", arguments: {} }, "timeout"],
  ])("leaves exactly one entry for %s", async (_, call, code) => {
    const transcript = createTranscript();
    const result = await registry.dispatch(call, { transcript });
    expect(result.success ? undefined : result.code).toBe(code);
    expect(transcript.entries).toHaveLength(1);
    expect(transcript.entries[0]).toMatchObject({ name: call?.name ?? "", result });
    if (call !== undefined) expect(transcript.entries[0]?.callId).toBe("c");
    expect(() => JSON.stringify(transcript)).not.toThrow();
  });

  test("records a call that was cancelled before it started, and does not start it", async () => {
    execute.mockClear();
    const transcript = createTranscript();
    const signal = AbortSignal.abort();
    const result = await registry.dispatch({ name: "read", arguments: { path: "a" } }, { transcript, signal });
    expect(result).toMatchObject({ success: false, code: "cancelled" });
    expect(transcript.entries).toMatchObject([
      { name: "read", arguments: { path: "a" }, result: { code: "cancelled" } },
    ]);
    expect(execute).not.toHaveBeenCalled();
  });

  test("says where JSON broke and which tools there are", async () => {
    expect(String(await registry.dispatch({ name: "read", arguments: '{"path": nope}' }))).toMatch(
      /not valid JSON.*nope/s,
    );
    expect(String(await registry.dispatch({ name: "raed" }))).toContain("available tools are read, broken");
  });

  test("keeps the prototype out of what a model sends", async () => {
    const tool = defineTool({
      name: "loose",
      description: "Takes anything.",
      parameters: { type: "object" },
      execute: (params) => `${Object.keys(params).join()} ${(params as { polluted?: string }).polluted}`,
    });
    const loose = createToolRegistry().register(tool);
    for (const key of ["__proto__", "\\u005f_proto__"]) {
      const result = await loose.dispatch({ name: "loose", arguments: `{"${key}":{"polluted":"yes"},"a":1}` });
      expect(result).toMatchObject({ code: "invalid_params", issues: [{ path: ["__proto__"] }] });
    }
  });

  test("keeps its result when the transcript throws, and tells observers", async () => {
    const events: ToolEvent[] = [];
    const transcript = { append: () => Promise.reject(new Error("disk full")) };
    const result = await registry.dispatch(
      "read",
      { path: "a" },
      { transcript, onEvent: (event) => events.push(event) },
    );
    expect(result.success).toBe(true);
    expect(events.map(({ type }) => type)).toEqual(["call-start", "call-end", "transcript-error"]);
  });

  test("survives an observer that throws", async () => {
    const onEvent = () => {
      throw new Error("observer");
    };
    expect((await registry.dispatch("read", { path: "a" }, { onEvent })).success).toBe(true);
  });

  test("is safe under concurrent calls, with entries in the order the calls arrived", async () => {
    const waiting = defineTool({
      name: "wait",
      description: "Waits.",
      parameters: z.object({ ms: z.number() }),
      async execute({ ms }) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return `${ms}`;
      },
    });
    const transcript = createTranscript();
    const slowFirst = Array.from({ length: 100 }, (_, index) => 100 - index);
    const concurrent = createToolRegistry().register(waiting);
    const results = await Promise.all(slowFirst.map((ms) => concurrent.dispatch("wait", { ms }, { transcript })));
    expect(results.map(String)).toEqual(slowFirst.map(String));
    expect(transcript.entries.map(({ arguments: sent }) => sent)).toEqual(slowFirst.map((ms) => ({ ms })));
    expect(new Set(transcript.entries.map(({ callId }) => callId)).size).toBe(100);
  });
});

describe("run.dispatch()", () => {
  const outer = defineTool({
    name: "outer",
    description: "Calls read.",
    parameters: z.object({}),
    async execute(_, run) {
      const result = await run.dispatch?.({ name: "read", arguments: { path: "b" } });
      return `outer saw: ${String(result)}`;
    },
  });
  const nested = createToolRegistry().register([read, outer]);

  test("runs another tool under the same transcript, recorded under its parent", async () => {
    const transcript = createTranscript();
    const events: ToolEvent[] = [];
    const result = await nested.dispatch(
      { id: "o", name: "outer" },
      { transcript, onEvent: (event) => events.push(event) },
    );
    expect(String(result)).toBe("outer saw: text of b");
    expect(transcript.entries).toMatchObject([{ callId: "o" }, { name: "read", parentCallId: "o" }]);
    expect(events.map(({ type, name }) => `${type} ${name}`)).toEqual([
      "call-start outer",
      "call-start read",
      "call-end read",
      "call-end outer",
    ]);
  });

  test("tells a tool who gets its result", async () => {
    const callers: string[] = [];
    const inner = defineTool({
      name: "inner",
      description: "Notes its caller.",
      parameters: z.object({}),
      execute: (_, { caller }) => `${callers.push(caller)}`,
    });
    const asks = defineTool({
      name: "asks",
      description: "Calls inner in every way.",
      parameters: z.object({}),
      async execute(_, run) {
        for (const options of [undefined, { caller: "tool" }, { caller: "program" }] as const)
          await run.dispatch?.({ name: "inner", arguments: {} }, options);
        const asModel = await run.dispatch?.({ name: "inner", arguments: {} }, { caller: "model" } as object);
        return asModel?.success === false ? asModel.code : "ran";
      },
    });
    const both = createToolRegistry().register([inner, asks]);
    expect(await both.dispatch("asks", {})).toMatchObject({ data: "invalid_options" });
    await both.dispatch("inner", {});
    await inner.call({});
    expect(callers).toEqual(["tool", "tool", "program", "model", "model"]);
  });

  test("is undefined for a tool called without a registry", async () => {
    expect(String(await outer.call({}))).toBe("outer saw: undefined");
  });
});

describe("a ToolError that no result can be made of", () => {
  const unusable: readonly (readonly [string, unknown])[] = [
    ["404", 404],
    ["null", null],
    ["a symbol", Symbol("code")],
    ["an object", { code: "x" }],
    ["an object that cannot be text", Object.create(null)],
  ];
  const thrown = (code: unknown) => new ToolError("Not there", { code: code as string });
  const answers: Record<string, (code: unknown) => unknown> = {
    throws: (code) => {
      throw thrown(code);
    },
    rejects: (code) => Promise.reject(thrown(code)),
    "rejects later": async (code) => {
      await Promise.resolve();
      throw thrown(code);
    },
    "throws while it yields": async function* (code) {
      yield "half";
      throw thrown(code);
    },
  };

  test.each(unusable.flatMap(([shown, code]) => Object.keys(answers).map((way) => [shown, way, code] as const)))(
    "ends its call at once: code %s, %s",
    async (_shown, way, code) => {
      const transcript = createTranscript();
      const tool = defineTool({
        name: "find",
        description: "Finds.",
        parameters: z.object({}),
        timeoutMs: 60_000,
        execute: () => answers[way]?.(code) as string,
      });
      const result = await createToolRegistry().register(tool).dispatch("find", {}, { transcript });
      expect(result).toMatchObject({ success: false, code: "invalid_output" });
      expect(transcript.entries).toHaveLength(1);
    },
  );
});

test("a call ends at once where the keeper of outputs answers what is no text, and its tool answers later", async () => {
  for (const kept of [Object.create(null), Symbol("kept"), [Symbol("kept")], Promise.resolve("later")]) {
    const tool = defineTool({
      name: "find",
      description: "Finds.",
      parameters: z.object({}),
      timeoutMs: 60_000,
      execute: async () => "long ".repeat(100),
    });
    const keeping = createToolRegistry({ maxOutputChars: 50, keepOutput: () => kept as string }).register(tool);
    const result = await keeping.dispatch("find", {});
    expect(result.success).toBe(true);
    expect(String(result)).not.toContain("object Promise");
  }
});

test("arguments whose getter throws what cannot be read are a failure with its entry", async () => {
  const gone = Proxy.revocable({}, {});
  gone.revoke();
  const transcript = createTranscript();
  const sent = {
    get path(): string {
      // oxlint-disable-next-line typescript/only-throw-error -- it is what the case is about
      throw gone.proxy;
    },
  };
  const result = await registry.dispatch({ name: "read", arguments: sent }, { transcript });
  expect(result.success).toBe(false);
  expect(transcript.entries).toHaveLength(1);
});
