import { spawn } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sandbox } from "../../../test/sandbox.ts";
import { programReadings } from "../../program/program-readings.ts";
import { tokensOf } from "../../program/statements.ts";
import { findDeno } from "../process/deno-binary.ts";
import { importMapUrl } from "./closed-modules.ts";
import { harnessSource } from "./harness-source.ts";

const TOKEN = "token";
const limits = {
  outputBytes: 1_000_000,
  frameBytes: 1_000_000,
  frameValues: 100_000,
  calls: 1_000,
  maxConcurrency: 4,
  lingerMs: 100,
  assigned: [],
};

/** Runs a program in a bare harness whose host answers every call with its parameters, cut into pieces of `size`. */
async function talk(code: string, size: number, source = harnessSource()): Promise<string[]> {
  const url = `data:application/javascript;base64,${Buffer.from(source).toString("base64")}`;
  const child = spawn(findDeno(), ["run", "--quiet", "--no-prompt", `--import-map=${importMapUrl()}`, url], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { NO_COLOR: "1" },
  });
  const send = (message: unknown): void => {
    const bytes = Buffer.from(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
    for (let at = 0; at < bytes.length; at += size) child.stdin.write(bytes.subarray(at, at + size));
  };
  const kinds: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line.slice(TOKEN.length));
      kinds.push(message.t === "done" ? `done ${JSON.stringify(message.value)}` : message.t);
      if (message.t === "call") send({ t: "result", id: message.id, value: message.params });
      if (message.t === "done") child.stdin.end();
    }
  });
  send(TOKEN);
  send({
    t: "run",
    readings: programReadings(code, tokensOf(code), undefined),
    lines: 3,
    stubs: "",
    homes: [],
    ...limits,
  });
  await new Promise((resolve) => child.once("close", resolve));
  return kinds;
}

const inTurn = `const found = [];\nfor (const text of ["é", "\u{1F600}\ufeff", "plain", ""]) found.push(await __callTool__("x", text));\nreturn found.join("|");`;
const told = ["ready", "call", "call", "call", "call", 'done "é|\u{1F600}\ufeff|plain|"'];

describe("harnessWire()", () => {
  test.each([1, 2, 7, 100_000])("reads lines that come in pieces of %i bytes", async (size) => {
    expect(await talk(inTurn, size)).toEqual(told);
  });

  test("reads them also in a Deno that does not tell whether a program has more to do", async () => {
    const without = harnessSource().replace(/\bconst hasMoreWork ?= ?[^;]*;/, "const hasMoreWork = undefined;");
    expect(without).not.toBe(harnessSource());
    expect(await talk(inTurn, 7, without)).toEqual(told);
  });

  test("takes calls and answers of every length, in whatever number at a time", async () => {
    const run = sandbox();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("a", "é", "\u{1F600}", "\n"), fc.nat(100_000)), { maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        async (texts, maxConcurrency) => {
          const code = `(await Promise.all(${JSON.stringify(texts)}.map(([unit, count]) => __callTool__("x", unit.repeat(count))))).map((text) => text.length)`;
          const { value, error } = await run(code, {
            callTool: async (_, params) => params,
            limits: { maxConcurrency },
          });
          expect([error, value]).toEqual([undefined, texts.map(([unit, count]) => unit.length * count)]);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("a program that waits for a tool goes on when something else lets it", () => {
  const run = sandbox();
  const never = "__callTool__('never', {})";
  const atOnce = { totalMs: 20_000, lingerMs: 100 };
  test.each([
    ["a timer", "new Promise((r) => setTimeout(r, 20, 'on'))", "on"],
    ["an interval", "new Promise((r) => setInterval(r, 20, 'on'))", "on"],
    ["a tick", "new Promise((r) => process.nextTick(r, 'on'))", "on"],
    ["an immediate", "new Promise((r) => setImmediate(() => setImmediate(r, 'on')))", "on"],
    [
      "a message",
      "new Promise((r) => { const c = new MessageChannel(); c.port1.onmessage = () => r('on'); c.port2.postMessage(1); })",
      "on",
    ],
    ["a time limit", "new Promise((r) => AbortSignal.timeout(20).addEventListener('abort', () => r('on')))", "on"],
    ["a module", "import('node:path').then(() => 'on')", "on"],
    ["a stream", "new Response('on').text()", "on"],
    ["a request", "fetch('data:,on').then((response) => response.text())", "on"],
    ["a digest", "crypto.subtle.digest('SHA-256', new Uint8Array(100_000)).then(() => 'on')", "on"],
    [
      "a WebAssembly module",
      "WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => 'on')",
      "on",
    ],
    ["another tool", "__callTool__('soon', {})", "soon"],
  ])("%s", async (_, other, value) => {
    const callTool = (name: string) => (name === "never" ? new Promise(() => {}) : Promise.resolve(name));
    // The first answer is read beside the program, independent of later events in the program's own thread.
    const code = `await __callTool__('first', {});\nawait __callTool__('second', {});\nreturn await Promise.race([${never}, ${other}]);`;
    expect(await run(code, { callTool, limits: atOnce })).toMatchObject({ ok: true, value });
  });

  test.each([
    ["an error in a timer", "setTimeout(() => { throw new Error('on'); }, 20);"],
    ["a rejection nobody waits for", "void Promise.reject(new Error('on'));"],
  ])("%s", async (_, other) => {
    const callTool = (name: string) => (name === "never" ? new Promise(() => {}) : Promise.resolve(name));
    const code = `await __callTool__('first', {});\nawait __callTool__('second', {});\n${other}\nawait ${never};`;
    expect((await run(code, { callTool, limits: { totalMs: 20_000 } })).error?.message).toBe("Error: on");
  });

  test("and what it asks for has left before it computes", async () => {
    const controller = new AbortController();
    const outcome = await run("void __callTool__('x', {}); while (true) {}", {
      signal: controller.signal,
      callTool: async () => controller.abort(),
    });
    expect(outcome.error?.kind).toBe("aborted");
  });
});
