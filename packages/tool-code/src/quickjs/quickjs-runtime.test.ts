import { describe, expect, onTestFinished, test, vi } from "vitest";
import { quickJs } from "../../test/quickjs.ts";
import { QuickJsRuntime } from "./quickjs-runtime.ts";

const run = quickJs();
const inline = quickJs({ threads: false });
const stubs = `async function add(params: { a: number; b: number }): Promise<number> {
  return __callTool__("add", params);
}
`;
const callTool = async (_: string, params: unknown) => {
  const { a, b } = params as { readonly a: number; readonly b: number };
  if (b === 0) throw Object.assign(new Error("no zero"), { code: "invalid_params" });
  return a + b;
};

describe.each([
  ["in a thread", run],
  ["in the host's thread", inline],
])("execute() %s", (_, execute) => {
  test.each<readonly [name: string, code: string, value: unknown]>([
    ["an expression", "1 + 2", 3],
    ["types", "const a: number[] = [1, 2] satisfies number[]; return a.map((n): string => `${n}`)", ["1", "2"]],
    ["an enum", "enum A { B = 2, C }\nreturn [A.B, A[3]]", [2, "C"]],
    ["a namespace", "namespace N { export const a = 1; }\nreturn N.a", 1],
    ["a parameter property", "class P { constructor(readonly a = 3) {} }\nreturn new P().a", 3],
    ["a module", "export default [1].at(-1)", 1],
    ["a Map", "return new Map([['a', 1]])", [["a", 1]]],
    ["nothing", "const a = 1;", undefined],
    ["lone surrogates and zeros", "return 'a\\ud800\\0b'", "a\ud800\0b"],
    ["main()", "async function main() {\n  return await add({ a: 1, b: 2 });\n}\nmain();", 3],
    ["a last expression", "const a = [1];\na.map((n) => n + 1)", [2]],
    ["an async function that is called at once", "const a = 1;\n(async () => a + 1)();", 2],
    ["CommonJS", "if (require.main === module) module.exports = { a: 1 };", { a: 1 }],
    ["a name that is not declared", "total = 1;\nfor (n of [1, 2]) total += n;\ntotal", 4],
    ["a tool's result", "return await add({ a: 1, b: 2 })", 3],
    ["calls at once", "return await Promise.all([1, 2, 3].map((a) => add({ a, b: 1 })))", [2, 3, 4]],
    [
      "a tool's error",
      "try { await add({ a: 1, b: 0 }) } catch (e) { return [e.name, e.message, e.tool, e.code] }",
      ["ToolError", "no zero", "add", "invalid_params"],
    ],
    [
      "timers in their order",
      "const a: number[] = []; setTimeout(() => a.push(2), 150); setTimeout(() => a.push(1), 0); const t = setInterval(() => { a.push(3); clearInterval(t); }, 200); await new Promise((done) => setTimeout(done, 300)); return a",
      [1, 2, 3],
    ],
    ["process.exit(0)", "process.exit(0); return 1", undefined],
    [
      "a URL",
      "const u = new URL('/a?b=c d', 'https://x.org:8/'); u.searchParams.append('e', '&'); return [u.href, u.port]",
      ["https://x.org:8/a?b=c+d&e=%26", "8"],
    ],
    [
      "numbers and dates as text",
      "return [(1234.5).toLocaleString(), new Date(0).toLocaleDateString('en-GB')]",
      ["1,234.5", "01/01/1970"],
    ],
    ["bytes", "return [...new TextEncoder().encode('é')].concat(atob('YQ==').length)", [195, 169, 1]],
    ["a clone", "const a = new Map([[1, { b: 2 }]]); return structuredClone(a).get(1)", { b: 2 }],
    ["random texts", "return [crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(3)).length]", [36, 3]],
  ])("gives the value of %s", async (_name, code, value) => {
    const { error, value: found } = await execute(code, { stubs, callTool });
    expect([error, found]).toEqual([undefined, value]);
  });

  test.each<readonly [name: string, code: string, kind: string, line: number | undefined, message: RegExp]>([
    ["a throw", "const a = 1;\n\nthrow new TypeError('x');", "runtime", 3, /^TypeError: x$/],
    ["a throw after an enum", "enum A {\n  B,\n}\n\nthrow new Error(A[0]);", "runtime", 5, /^Error: B$/],
    ["a throw after a call", "await add({ a: 1, b: 1 });\nnull!.x;", "runtime", 2, /cannot read property 'x' of null/],
    ["a tool's error", "const a = 1;\nawait add({ a, b: 0 });", "tool", 2, /^no zero$/],
    ["what is no program", "const a = 1;\nconst b = ;", "syntax", 2, /Expression expected/],
    ["a name that is declared twice", "const a = 1;\nconst a = 2;", "syntax", 2, /already been declared/],
    ["a module of Node", 'import fs from "fs";\nreturn 1', "permission", undefined, /^Importing "node:fs"/],
    [
      "a module that is asked for later",
      'return await import("node:fs")',
      "permission",
      undefined,
      /Importing "node:fs"/,
    ],
    ["fetch", "await fetch('https://x.org')", "runtime", 1, /fetch is not defined/],
    [
      "a rejection nobody handles",
      "Promise.reject(new Error('x'));\nawait new Promise((done) => setTimeout(done, 50));",
      "runtime",
      1,
      /^Error: x$/,
    ],
    ["a promise that never settles", "await new Promise(() => {});", "runtime", 1, /nothing can settle/],
    ["process.exit(1)", "process.exit(1)", "runtime", 1, /code 1/],
  ])("names the place of %s", async (_name, code, kind, line, message) => {
    const { error } = await execute(code, { stubs, callTool });
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message), ...(line !== undefined && { line }) });
  });

  test("prints as a console does, as it happens", async () => {
    const heard: string[] = [];
    const { output } = await execute(
      "console.log('a', { b: [1, 'c'] }, new Map([[1, new Set([2])]])); console.error('%s is %d', 'x', 1); console.table([{ a: 1 }])",
      { onOutput: (text) => heard.push(text) },
    );
    expect(output).toBe(
      'a { b: [ 1, "c" ] } Map(1) { 1 => Set(1) { 2 } }\nx is 1\n┌───────┬───┐\n│ (idx) │ a │\n├───────┼───┤\n│     0 │ 1 │\n└───────┴───┘\n',
    );
    expect(heard.join("")).toBe(output);
  });

  test("waits for what a program without a value goes on with, and not for ever", async () => {
    const { output } = await execute("setTimeout(() => console.log('later'), 20);");
    expect(output).toBe("later\n");
    const endless = await execute("setInterval(() => console.log('x'), 5);", { limits: { lingerMs: 30 } });
    expect([endless.ok, endless.output.startsWith("x\n")]).toEqual([true, true]);
  });

  test("waits for calls that a program did not wait for", async () => {
    const { calls } = await execute("void add({ a: 1, b: 2 }); return 1", { stubs, callTool });
    expect(calls.map(({ status }) => status)).toEqual(["succeeded"]);
  });

  test("leaves nothing for the next program", async () => {
    await execute("globalThis.kept = 1; Object.prototype.kept = 1; Array.prototype.map = () => 'kept'; return 1");
    expect((await execute("return [typeof kept, typeof {}.kept, [1].map((n) => n)]")).value).toEqual([
      "undefined",
      "undefined",
      [1],
    ]);
  });

  test("stops at a signal", async () => {
    const controller = new AbortController();
    const ended = execute("await new Promise((done) => setTimeout(done, 60_000))", { signal: controller.signal });
    controller.abort();
    expect((await ended).error?.kind).toBe("aborted");
  });

  test("ends a loop in time, and runs the next program", async () => {
    const { error } = await execute("while (true) {}", { limits: { wallMs: 60 } });
    expect(error).toMatchObject({ kind: "timeout", message: expect.stringContaining("longer than 60 ms") });
    expect((await execute("return 1")).value).toBe(1);
  });

  test("goes on after a program that the parser of types cannot hold", async () => {
    const { error } = await execute(`let a: ${"Array<".repeat(7_000)}string${">".repeat(7_000)} = 1 as any;`);
    expect(error?.kind).toBe("syntax");
    expect((await execute("enum A { B = 2 }\nreturn A.B")).value).toBe(2);
  });

  test("does not count waiting for a tool", async () => {
    // On a busy machine the program itself may take a while to make its call.
    const wallMs = 2_000;
    const slow = () => new Promise((done) => setTimeout(() => done(1), wallMs + 100));
    const { error, value } = await execute("return await __callTool__('slow', {})", {
      callTool: slow,
      limits: { wallMs },
    });
    expect([error, value]).toEqual([undefined, 1]);
  });
});

test("execute() fires timers although the machine stands still again and again", async () => {
  const now = performance.now.bind(performance);
  let stoodMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + (stoodMs += 20));
  onTestFinished(() => clock.mockRestore());
  expect(await inline("await new Promise((done) => setTimeout(done, 1)); return 1")).toMatchObject({ value: 1 });
});

describe("QuickJsRuntime", () => {
  test("lets the host go on while a program computes", async () => {
    const stop = new AbortController();
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks > 5) stop.abort();
    }, 5);
    const { ok } = await run("while (true) {}", { signal: stop.signal });
    clearInterval(timer);
    expect([ok, ticks > 5]).toEqual([false, true]);
  });

  test("ends what the engine itself cannot interrupt", async () => {
    const { error } = await run("return new Array(300_000_000) + ''", { limits: { wallMs: 100 } });
    expect(error?.kind).toBe("timeout");
  });

  test("runs as many programs at a time as allowed", async () => {
    await using runtime = new QuickJsRuntime({ maxConcurrency: 2 });
    let open = 0;
    let meet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const both = async (): Promise<void> => {
      open += 1;
      if (open === 2) meet();
      await met;
    };
    const code = "await __callTool__('x', {})";
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => runtime.execute({ code, callTool: both })));
    expect([outcomes.every(({ ok }) => ok), open]).toEqual([true, 3]);
  });

  test("ends its programs when it is closed, and starts none", async () => {
    const runtime = new QuickJsRuntime();
    const ended = runtime.execute({ code: "await new Promise((done) => setTimeout(done, 60_000))", callTool });
    await runtime.close();
    expect(["aborted", "unavailable"]).toContain((await ended).error?.kind);
    expect((await runtime.execute({ code: "1", callTool })).error?.kind).toBe("unavailable");
  });

  test("says why no program starts", async () => {
    await using runtime = new QuickJsRuntime({ loadEngine: () => Promise.reject(new Error("no such package")) });
    const { error } = await runtime.execute({ code: "1", callTool });
    expect(error).toMatchObject({ kind: "unavailable", reason: "no such package" });
  });

  test("refuses numbers that make no sense", () => {
    expect(() => new QuickJsRuntime({ prewarm: -1 })).toThrow("Cannot set prewarm");
    expect(() => new QuickJsRuntime({ limits: { wallMs: 0 } })).toThrow(RangeError);
  });
});
