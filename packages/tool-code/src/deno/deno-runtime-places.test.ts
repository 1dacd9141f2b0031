import { describe, expect, test } from "vitest";
import { quickJs } from "../../test/quickjs.ts";
import { sandbox } from "../../test/sandbox.ts";

type Open = (options: { readonly maxConcurrency: number }) => ReturnType<typeof sandbox>;

const runtimes: readonly (readonly [name: string, open: Open])[] = [
  ["Deno", sandbox],
  ["QuickJS", quickJs],
  ["QuickJS without threads", (options) => quickJs({ ...options, threads: false })],
];

describe.each(runtimes)("a program that waits for a person, in %s", (name, open) => {
  test("holds up no other, and goes on when it is answered", async () => {
    const run = open({ maxConcurrency: 2 });
    const answers: ((value: string) => void)[] = [];
    const callTool = () => new Promise((resolve) => answers.push(resolve));
    const waiting = [1, 2, 3, 4, 5].map((n) => run(`return [${n}, await __callTool__("ask", {})]`, { callTool }));
    await expect.poll(() => answers.length, { timeout: 20_000 }).toBe(5);
    expect((await run("1 + 1")).value).toBe(2);
    for (const answer of answers) answer("yes");
    const outcomes = await Promise.all(waiting);
    expect(outcomes.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5].map((n) => [n, "yes"]));
    expect((await run("1 + 2")).value).toBe(3);
  });

  test("goes on only when there is room", async () => {
    const run = open({ maxConcurrency: 1 });
    let answer = (_: string): void => undefined;
    const asked = new Promise<void>((hasAsked) => {
      answer = () => hasAsked();
    });
    const order: string[] = [];
    let release = (): void => undefined;
    const person = new Promise<void>((resolve) => (release = resolve));
    const first = run("await __callTool__('ask', {});\nconsole.log('first');", {
      callTool: async () => {
        answer("");
        await person;
      },
      onOutput: (text) => order.push(text),
    });
    await asked;
    const second = run("console.log('second');\nawait new Promise((r) => setTimeout(r, 300));\nconsole.log('end');", {
      onOutput: (text) => {
        order.push(text);
        release();
      },
    });
    await Promise.all([first, second]);
    expect(order).toEqual(["second\n", "end\n", "first\n"]);
  });

  test("may wait for a tool that runs programs itself", async () => {
    const run = open({ maxConcurrency: 1 });
    const callTool = async (_: string, depth: unknown): Promise<unknown> =>
      depth === 0
        ? "the bottom"
        : (await run(`return await __callTool__("nested", ${Number(depth) - 1})`, { callTool })).value;
    expect(await callTool("nested", 3)).toBe("the bottom");
  });

  test("gives its place back when it is cancelled meanwhile", async () => {
    const run = open({ maxConcurrency: 1 });
    const controller = new AbortController();
    let asked = (): void => undefined;
    const hasAsked = new Promise<void>((resolve) => (asked = resolve));
    const cancelled = run("await __callTool__('ask', {})", {
      signal: controller.signal,
      callTool: () => {
        asked();
        return new Promise(() => {});
      },
    });
    await hasAsked;
    expect((await run("1")).value).toBe(1);
    controller.abort();
    expect((await cancelled).error?.kind).toBe("aborted");
    expect((await Promise.all([run("2"), run("3")])).map(({ value }) => value)).toEqual([2, 3]);
  });

  test("keeps its place while it computes", async () => {
    // Elsewhere nothing reports it; QuickJS sends a call when the program waits.
    if (process.platform !== "linux" || name !== "Deno") return;
    const run = open({ maxConcurrency: 1 });
    let ended = false;
    const busy = run("void __callTool__('ask', {});\nconst end = Date.now() + 1_000;\nwhile (Date.now() < end) {}", {
      callTool: () => new Promise(() => {}),
      limits: { lingerMs: 1 },
      onOutput: () => undefined,
    }).then(() => (ended = true));
    await run("1");
    expect(ended).toBe(true);
    await busy;
  });
});

test("an idle process is kept for the limits that programs are run with", async () => {
  const started: string[] = [];
  const run = sandbox({
    containment: "process",
    wrap: (command, args) => {
      started.push(args.find((arg) => arg.startsWith("--v8-flags")) ?? "");
      return [command, args];
    },
  });
  const limits = { heapMb: 64 };
  await run("1", { limits });
  await expect.poll(() => started.filter((flags) => flags.endsWith("=64")).length, { timeout: 10_000 }).toBe(2);
  await run("2", { limits });
  await expect.poll(() => started.filter((flags) => flags.endsWith("=64")).length, { timeout: 10_000 }).toBe(3);
});
