import { describe, expect, test } from "vitest";
import { hostClock } from "../../test/host-clock.ts";
import { sandbox } from "../../test/sandbox.ts";
import { DenoRuntime } from "./index.ts";

const run = sandbox();

describe("execute() lets a program call tools", () => {
  const stubs =
    'declare function __callTool__(name: string, params: unknown): Promise<any>;\ntype N = number;\n/** Adds. */\nasync function add(params: { a: N }): Promise<N> {\n  return __callTool__("add", params);\n}\n';

  test("through appended functions, which it may shadow", async () => {
    const callTool = async (_: string, params: unknown) => (params as { a: number }).a + 1;
    expect(await run("await add({ a: 1 })", { stubs, callTool })).toMatchObject({
      value: 2,
      calls: [{ name: "add", status: "succeeded" }],
    });
    expect(await run("const add = 5; return add", { stubs, callTool })).toMatchObject({ value: 5, calls: [] });
  });

  test("at the same time", async () => {
    let maxConcurrency = 0;
    let release = (): void => undefined;
    const all = new Promise<void>((resolve) => (release = resolve));
    const callTool = async (): Promise<number> => {
      maxConcurrency += 1;
      if (maxConcurrency === 10) release();
      await all;
      return maxConcurrency;
    };
    const { value } = await run("(await Promise.all(Array.from({ length: 10 }, () => __callTool__('x', {}))))", {
      callTool,
    });
    expect(value).toEqual(Array.from({ length: 10 }, () => 10));
  });

  test("at most as many at a time as the limit says, and all of them", async () => {
    let [now, most] = [0, 0];
    let full = (): void => undefined;
    const filled = new Promise<void>((resolve) => (full = resolve));
    const callTool = async (_: string, params: unknown) => {
      most = Math.max(most, (now += 1));
      if (most === 3) full();
      await filled;
      await new Promise(setImmediate);
      now -= 1;
      return params;
    };
    const { value } = await run("await Promise.all(Array.from({ length: 50 }, (_, i) => __callTool__('x', i)))", {
      callTool,
      limits: { maxConcurrency: 3 },
    });
    expect(value).toEqual(Array.from({ length: 50 }, (_, number) => number));
    expect(most).toBe(3);
  });

  test("that are many and large, on both ways", async () => {
    const code =
      "const text = 'x'.repeat(400_000);\nconst all = await Promise.all(Array.from({ length: 60 }, (_, id) => __callTool__('x', { id, text })));\nreturn all.map(({ id }) => id);";
    const { value } = await run(code, {
      callTool: async (_, params) => params,
      limits: { totalMs: 60_000, hostMb: 64 },
    });
    expect(value).toEqual(Array.from({ length: 60 }, (_, id) => id));
  });

  test("and catch their failures", async () => {
    expect(
      (
        await run(
          "try { await __callTool__('x', {}) } catch (e) { return [e instanceof Error, e.name, e.message, e.tool, 'code' in e && e.code] }",
        )
      ).value,
    ).toEqual([true, "ToolError", "There is no tool x", "x", null]);
    const callTool = () => Promise.reject(Object.assign(new Error("no"), { code: "c".repeat(500) }));
    expect((await run("await __callTool__('x', {}).catch((e) => e.code)", { callTool })).value).toBe("c".repeat(100));
  });

  test("that answer what JSON cannot hold, which fails", async () => {
    expect((await run("await __callTool__('x', {})", { callTool: async () => 1n })).error).toMatchObject({
      kind: "tool",
      message: expect.stringContaining("BigInt"),
    });
  });

  test("that answer large values", async () => {
    const text = "é".repeat(1_000_000);
    expect((await run("(await __callTool__('x', {})).length", { callTool: async () => text })).value).toBe(1_000_000);
    expect(
      (await run("await __callTool__('x', {})", { callTool: async () => text, limits: { frameBytes: 1_000_000 } }))
        .error,
    ).toMatchObject({
      kind: "tool",
      message: "Calling x: its result has 2000032 bytes, allowed are 1000000. Ask it for less",
    });
  });

  test("and says which it did not wait for", async () => {
    let aborted = false;
    const outcome = await run("void __callTool__('slow', {}); return 1", {
      limits: { lingerMs: 20 },
      callTool: (_, __, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(new Error("stopped"));
          }),
        ),
    });
    expect(outcome).toMatchObject({ ok: true, value: 1, calls: [{ name: "slow", status: "abandoned" }] });
    expect(aborted).toBe(true);
  });
});

describe("execute() ends at a limit", () => {
  test.each([
    ["codeBytes", "'ééééé'", { codeBytes: 8 }, "size", "the program has 12 bytes, allowed are 8"],
    [
      "wallMs",
      "while (true) {}",
      { wallMs: 200 },
      "timeout",
      "the program ran longer than 200 ms, waiting for tools not counted",
    ],
    [
      "outputBytes",
      "while (true) console.log('x'.repeat(100))",
      { outputBytes: 10_000 },
      "output",
      "the program printed more than 10000 bytes",
    ],
    [
      "frameBytes, by the value",
      "'x'.repeat(20_000)",
      { outputBytes: 10_000, frameBytes: 10_000 },
      "output",
      "the program returned more than 10000 bytes",
    ],
    [
      "calls",
      "for (let i = 0; i < 6; i++) await __callTool__('x', i).catch(() => 0)",
      { calls: 5 },
      "calls",
      "the program called more than 5 tools",
    ],
    [
      "frameBytes",
      "await __callTool__('x', 'y'.repeat(2000))",
      { frameBytes: 1_000 },
      "runtime",
      "RangeError: Calling x: its parameters are longer than 1000 bytes",
    ],
  ])("%s", async (_, code, limits, kind, message) => {
    expect(await run(code, { limits })).toMatchObject({ ok: false, value: undefined, error: { kind, message } });
  });

  test("outputBytes, and keeps what came before", async () => {
    const outcome = await run("console.log('first'); console.log('x'.repeat(100_000)); console.log('last')", {
      limits: { outputBytes: 1_000 },
    });
    expect(outcome).toMatchObject({ truncated: true, error: { kind: "output" } });
    expect(outcome.output).toMatch(/^first\nx{994}$/);
  });

  test("totalMs, although the program only waits for a tool", async () => {
    const clock = hostClock();
    const outcome = await run("await __callTool__('x', {})", {
      callTool: () => clock.pass(),
      limits: { totalMs: 1_000 },
    });
    expect(outcome).toMatchObject({
      error: { kind: "timeout", message: expect.stringContaining("waiting for tools included") },
      calls: [{ status: "abandoned" }],
    });
  });

  test("but not at wallMs while it waits for a tool", async () => {
    const clock = hostClock();
    const callTool = () => clock.pass(1_200).then(() => "answer");
    expect((await run("await __callTool__('x', {})", { callTool, limits: { wallMs: 1_000 } })).value).toBe("answer");
  });

  test("but not because the host was blocked", async () => {
    const clock = hostClock();
    const code = "console.log('begun'); await new Promise((r) => setTimeout(r, 100)); return 1";
    const limits = { wallMs: 1_000, totalMs: 1_500 };
    const block = (): void => {
      clock.jump(2_000);
      // The program's last message is there before the next look.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    };
    const blocked = await run(code, { limits, onOutput: block });
    expect(blocked).toMatchObject({ ok: true, value: 1, durationMs: expect.closeTo(2_000) });
    const onOutput = (): void => {
      block();
      void clock.pass();
    };
    expect(await run("console.log('begun'); while (true) {}", { limits, onOutput })).toMatchObject({
      error: { kind: "timeout" },
    });
  });

  test("frameValues, in the line that calls, and by the value", async () => {
    const limits = { frameValues: 1_000 };
    const callTool = async (_: string, params: unknown) => (params as unknown[]).length;
    const list = (count: number): string => `Array.from({ length: ${count} }, () => 0)`;
    expect(await run(`await __callTool__('x', ${list(999)})`, { limits, callTool })).toMatchObject({ value: 999 });
    expect(await run(`\nawait __callTool__('x', ${list(1_000)})`, { limits, callTool })).toMatchObject({
      error: { kind: "runtime", line: 2, message: expect.stringContaining("hold more than 1000 values") },
    });
    expect((await run(list(999), { limits })).value).toHaveLength(999);
    const { value, cut } = await run(list(1_000), { limits });
    expect(JSON.parse(cut?.json ?? "")).toEqual(Array.from({ length: 1_000 }, () => 0));
    expect(value).toEqual(expect.arrayContaining([0, expect.stringMatching(/^… \(\d+ more items\)$/)]));
  });

  test("when its process sends messages that mean nothing without end", async () => {
    const flood =
      'process.stdin.once("data", (token) => { const line = token.toString().trim() + JSON.stringify({ t: "syntax", url: "u", prefix: "", message: "" }) + "\\n"; for (;;) require("fs").writeSync(1, line.repeat(100)); });';
    const flooded = sandbox({ prewarm: 0, wrap: () => [process.execPath, ["-e", flood]] });
    expect((await flooded("1")).error).toMatchObject({
      kind: "protocol",
      message: expect.stringContaining("without end"),
    });
  });

  test("refuses limits that make no sense", async () => {
    await expect(run("1", { limits: { wallMs: 0 } })).rejects.toThrow(RangeError);
    await expect(run("1", { limits: { wall: 5 } as never })).rejects.toThrow(/there is none of that name/);
    expect(() => new DenoRuntime({ prewarm: -1 })).toThrow(RangeError);
  });
});

describe("execute() can be cancelled", () => {
  test("while the program runs, in a loop or waiting", async () => {
    for (const code of ["console.log(1); while (true) {}", "console.log(1); await __callTool__('x', {})"]) {
      const controller = new AbortController();
      const outcome = await run(code, {
        signal: controller.signal,
        callTool: () => new Promise(() => {}),
        onOutput: () => controller.abort(),
      });
      expect(outcome).toMatchObject({ ok: false, output: "1\n", error: { kind: "aborted" } });
    }
  });

  test("before it starts", async () => {
    expect((await run("1", { signal: AbortSignal.abort() })).error?.kind).toBe("aborted");
  });
});
