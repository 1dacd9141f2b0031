import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  success,
  type ToolResult,
} from "@dispatch/tools-interface";
import { afterAll, describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { DenoRuntime } from "./deno/index.ts";
import { createCodeTool, registerCodeTool, type CodeExecution, type CodeRuntime } from "./index.ts";

const runtime = new DenoRuntime();
afterAll(() => runtime.close());

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  parameters: z.object({ a: z.number(), b: z.number().default(1) }),
  output: z.object({ sum: z.number() }),
  execute: ({ a, b }) => success(`The sum is ${a + b}`, { data: { sum: a + b } }),
});
const whoami = defineTool({
  name: "whoami",
  description: "Tells the user.",
  parameters: z.object({}),
  context: z.object({ user: z.string() }),
  execute: (_, { context }) => success(`You are ${context.user}`),
});
const broken = defineTool({
  name: "broken",
  description: "Fails.",
  parameters: z.object({}),
  execute: () => failure("The oven is cold: heat it first", { code: "cold" }),
});
const erase = defineTool({
  name: "erase",
  description: "Erases.",
  parameters: z.object({ path: z.string() }),
  needsApproval: true,
  execute: ({ path }) => `erased ${path}`,
});

const makeRegistry = () => registerCodeTool(createToolRegistry().register([add, whoami, broken, erase]), { runtime });
const context = { user: "ada" };
const run = (code: string, more = {}): Promise<ToolResult> =>
  makeRegistry().dispatch({ name: "execute_code", arguments: { code } }, { context, ...more });

describe("execute_code", () => {
  test("answers with what a program printed and returned", async () => {
    const result = await run(
      "console.log('one'); const { sum } = await add({ a: 1 }); console.log(sum); return { sum };",
    );
    expect(result.toString()).toBe('one\n2\nReturned: {"sum":2}');
    expect(result).toMatchObject({
      success: true,
      data: { value: { sum: 2 }, output: "one\n2\n", calls: [{ name: "add", status: "succeeded" }] },
    });
  });

  test("says so when there is neither", async () => {
    expect((await run("const a = 1;")).toString()).toMatch(
      /^The program finished without printing or returning anything/,
    );
  });

  test("gives a program the data of a tool, or its text where there is none", async () => {
    expect((await run("[await add({ a: 1, b: 2 }), await whoami()]")).toString()).toBe(
      'Returned: [{"sum":3},"You are ada"]',
    );
  });

  test("throws a tool's failure at the program, in the tool's words", async () => {
    expect((await run("await broken().catch((e) => e.message)")).toString()).toBe(
      "Returned: The oven is cold: heat it first",
    );
    const result = await run("const a = 1;\nawait broken();");
    expect(result).toMatchObject({ success: false, code: "code_tool", metadata: { kind: "tool", line: 2, column: 7 } });
    expect(result.toString()).toMatch(
      /^Running the program failed \(tool\) at main\.ts:2:7: The oven is cold: heat it first\n2 \| await broken\(\);\nCorrect the call/,
    );
  });

  test("validates a program's calls as it does a model's", async () => {
    const result = await run("await add({ a: 'one' } as any)");
    expect(result.toString()).toContain("Cannot call add with these parameters");
  });

  test("asks for approval of a program's calls", async () => {
    expect((await run("await erase({ path: 'a' })")).success).toBe(false);
    const asked: unknown[] = [];
    const approve = ({ name, params }: { readonly name: string; readonly params: unknown }): boolean => (
      asked.push([name, params]),
      true
    );
    expect((await run("await erase({ path: 'a' })", { approve })).toString()).toBe("Returned: erased a");
    expect(asked).toEqual([["erase", { path: "a" }]]);
  });

  test("leaves an entry of each call in the transcript, under its own", async () => {
    const transcript = createTranscript();
    await makeRegistry().dispatch(
      {
        id: "outer",
        name: "execute_code",
        arguments: {
          code: "await add({ a: 1 }); await __callTool__('nobody', {}).catch(() => 0); await add({ a: 2 })",
        },
      },
      { context, transcript },
    );
    expect(transcript.entries.map(({ name, parentCallId, result }) => [name, parentCallId, result.success])).toEqual([
      ["execute_code", undefined, true],
      ["add", "outer", true],
      ["nobody", "outer", false],
      ["add", "outer", true],
    ]);
  });

  test("has every call in the transcript when it ends, those not waited for too", async () => {
    const slow = defineTool({
      name: "slow",
      description: "Takes long.",
      parameters: z.object({}),
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
    });
    const transcript = createTranscript();
    const result = await registerCodeTool(createToolRegistry().register(slow), {
      runtime,
      limits: { lingerMs: 20 },
    }).dispatch({ name: "execute_code", arguments: { code: "void slow(); return 1" } }, { transcript });
    expect(result.toString()).toBe(
      "Returned: 1\nNot waited for, and cancelled: slow. They may or may not have had an effect; await every call",
    );
    expect(transcript.entries.map(({ name }) => name)).toEqual(["execute_code", "slow"]);
  });

  test("does not run itself", async () => {
    const stubs = makeRegistry().get("execute_code").description;
    expect(stubs).not.toContain("function execute_code");
    expect((await run("await __callTool__('execute_code', { code: '1' })")).toString()).toContain(
      "a program cannot start another one",
    );
    expect((await run("typeof execute_code")).toString()).toBe("Returned: undefined");
  });

  test("passes on tools with the names of built-in things", async () => {
    const named = ["constructor", "toString", "hasOwnProperty", "__proto__"].map((name) =>
      defineTool({ name, description: "x", parameters: z.object({}), execute: () => name }),
    );
    const registry = registerCodeTool(createToolRegistry().register(named), { runtime });
    const { data } = (await registry.dispatch({
      name: "execute_code",
      arguments: {
        code: "[await constructor(), await __callTool__('__proto__', {}), await __callTool__('valueOf', {}).catch((e) => e.message)]",
      },
    })) as { data?: { value: unknown[] } };
    expect(data?.value.slice(0, 2)).toEqual(["constructor", "__proto__"]);
    expect(data?.value[2]).toMatch(/^Cannot find tool "valueOf"/);
  });

  test("fails with an explanation when there is no runtime", async () => {
    const registry = registerCodeTool(createToolRegistry());
    expect(registry.toModelTools()[0]).toMatchObject({
      name: "execute_code",
      input_schema: { properties: { code: { type: "string" } }, required: ["code"] },
    });
    expect((await registry.dispatch("execute_code", { code: "1" })).toString()).toBe(
      "Running the program failed (unavailable): this host has no runtime for programs\nDo the work with the other tools",
    );
  });

  test("works without a registry, but has no tools then", async () => {
    expect((await createCodeTool({ runtime }).call({ code: "1 + 1" })).toString()).toBe("Returned: 2");
    expect((await createCodeTool({ runtime }).call({ code: "await __callTool__('add', {})" })).toString()).toContain(
      "there is no registry to find it in",
    );
  });

  test("dispatches to the registry it was given when it is called without one", async () => {
    const tool = createCodeTool({ runtime, registry: createToolRegistry().register([add, whoami]) });
    expect((await tool.call({ code: "[await add({ a: 1 }), await whoami()]" }, { context })).toString()).toBe(
      'Returned: [{"sum":2},"You are ada"]',
    );
  });

  test("ends with the call it belongs to", async () => {
    const controller = new AbortController();
    const result = await run("console.log('busy'); while (true) {}", {
      signal: controller.signal,
      onEvent: ({ type }: { type: string }) => type === "call-progress" && controller.abort(),
    });
    expect(result).toMatchObject({ success: false, code: "cancelled" });
  });

  test("tells observers what a program prints while it runs", async () => {
    const heard: string[] = [];
    await run("console.log('a'); await add({ a: 1 }); console.log('b')", {
      onEvent: (event: { type: string; name: string; update?: { message: string } }) =>
        heard.push(event.update?.message ?? `${event.type} ${event.name}`),
    });
    expect(heard).toEqual([
      "call-start execute_code",
      "a\n",
      "call-start add",
      "call-end add",
      "b\n",
      "call-end execute_code",
    ]);
  });

  test.each([
    ["```ts\nthrow new Error('x')\n```", 2],
    ["\n```typescript\n\nthrow new Error('x')\n```\n", 4],
  ])("takes off a Markdown fence and keeps the lines: %j", async (code, line) => {
    expect(await run(code)).toMatchObject({ metadata: { line } });
  });

  test("passes its limits on, and refuses what is no limit", async () => {
    expect(
      (await createCodeTool({ runtime, limits: { wallMs: 200 } }).call({ code: "while (true) {}" })).toString(),
    ).toContain("longer than 200 ms");
    expect(() => createCodeTool({ limits: { wallMs: -1 } })).toThrow(RangeError);
  });

  test("asks any runtime, and reports what it answers", async () => {
    const asked: CodeExecution[] = [];
    const other: CodeRuntime = {
      execute: async (execution) => {
        asked.push(execution);
        return {
          ok: true,
          value: await execution.callTool("add", { a: 4 }, { signal: new AbortController().signal }),
          output: "",
          error: undefined,
          calls: [],
          durationMs: 0,
          truncated: false,
        };
      },
      close: async () => undefined,
    };
    const registry = registerCodeTool(createToolRegistry().register(add), { runtime: other });
    expect((await registry.dispatch("execute_code", { code: "add" })).toString()).toBe('Returned: {"sum":5}');
    expect(asked[0]).toMatchObject({
      code: "add",
      stubs: 'function add(params) {\n  return __callTool__("add", params);\n}\n',
    });
  });

  test("keeps the types of the registry", () => {
    expectTypeOf(makeRegistry().get("add")).toEqualTypeOf<typeof add>();
    expectTypeOf(makeRegistry().get("execute_code").name).toEqualTypeOf<"execute_code">();
  });
});
