import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sandbox, temporaryFolder } from "./sandbox.ts";

const run = sandbox();
const limits = { wallMs: 500 };

describe("a program ends at its limits", () => {
  test.each([
    ["an endless loop", "while (true) {}", "timeout"],
    ["a regular expression that takes for ever", "/^(a+)+$/.test('a'.repeat(60) + 'b')", "timeout"],
    ["an endless chain of promises", "const f = () => Promise.resolve().then(f); await f();", "timeout"],
    ["a promise that never settles", "await new Promise(() => {})", "timeout"],
    [
      "signals that are ignored",
      "for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1'] as const) Deno.addSignalListener(s, () => {});\nwhile (true) {}",
      "timeout",
    ],
    [
      "stopping itself",
      "const { kill } = process; try { kill(process.pid, 'SIGSTOP') } catch {}\nwhile (true) {}",
      "timeout",
    ],
    ["an exit that is held up", "addEventListener('unload', () => { while (true) {} }); Deno.exit(0)", "timeout"],
    ["waiting for atomics", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", "timeout"],
  ])("%s", async (_, code, kind) => {
    expect((await run(code, { limits })).error?.kind).toBe(kind);
  });

  test.each([
    ["buffers", "const a = []; while (true) a.push(new Uint8Array(10_000_000).fill(1));"],
    ["shared buffers", "const a = []; while (true) a.push(new Uint8Array(new SharedArrayBuffer(10_000_000)).fill(1));"],
    [
      "the memory of WebAssembly",
      "const m = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); while (true) { m.grow(160); new Uint8Array(m.buffer).fill(1); }",
    ],
    ["objects", "const a: any[] = []; while (true) a.push({ a: new Array(100).fill(0) });"],
    [
      "text",
      "let s = 'x'.repeat(1000); const a = []; while (true) { s += s.slice(0, 1_000_000); a.push(s.split('')); }",
    ],
  ])("memory in %s", async (_, code) => {
    const outcome = await run(code, { limits: { wallMs: 20_000, rssMb: 256, heapMb: 128 } });
    expect(outcome.error?.kind).toMatch(/memory/);
  });

  test.each([
    ["lines", "while (true) console.log('x')"],
    ["text without a line break", "const b = new Uint8Array(65536).fill(120); while (true) Deno.stdout.writeSync(b)"],
    ["standard error", "const b = new Uint8Array(65536).fill(120); while (true) Deno.stderr.writeSync(b)"],
    ["text by node", "import fs from 'node:fs';\nwhile (true) fs.writeSync(1, 'x'.repeat(100_000));"],
  ])("output in %s", async (_, code) => {
    expect((await run(code, { limits: { wallMs: 20_000, outputBytes: 100_000 } })).error?.kind).toBe("output");
  });

  test("a program that computes while a tool takes its time", async () => {
    const outcome = await run("void __callTool__('slow', {}); while (true) {}", {
      limits: { wallMs: 500, totalMs: 20_000 },
      callTool: () => new Promise(() => {}),
    });
    expect(outcome.error).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("waiting for tools not counted"),
    });
  });

  test("a flood of calls, of which no more reach the host than the limit says", async () => {
    let reached = 0;
    const callTool = async () => (reached += 1);
    const outcome = await run(
      "const all = []; for (let i = 0; i < 100_000; i++) all.push(__callTool__('x', i)); await Promise.all(all);",
      { callTool, limits: { calls: 50 } },
    );
    expect(outcome.error?.kind).toBe("calls");
    expect(reached).toBeLessThanOrEqual(50);
  });

  test("a program that asks for much and reads nothing", async () => {
    let reached = 0;
    const callTool = async () => {
      reached += 1;
      return "x".repeat(4_000_000);
    };
    const outcome = await run("for (let i = 0; i < 100; i++) void __callTool__('x', i); while (true) {}", {
      callTool,
      limits: { wallMs: 1_000, inFlight: 4 },
    });
    expect(outcome.error?.kind).toBe("timeout");
    expect(reached).toBeLessThanOrEqual(5);
  });

  test("a program that exits while more calls wait than are taken", async () => {
    const callTool = () => new Promise(() => {});
    const outcome = await run("for (let i = 0; i < 9; i++) void __callTool__('x', i);\nDeno.exit(0);", {
      callTool,
      limits: { inFlight: 2, totalMs: 25_000 },
    });
    expect(outcome.error?.kind).toBe("exit");
  });

  test("a program that exits", async () => {
    expect((await run("Deno.exit(0)")).error).toMatchObject({ kind: "exit" });
    expect((await run("process.abort()")).error).toMatchObject({ kind: "exit" });
  });
});

describe("no process is left", () => {
  const children = (): string[] =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes("dispatch-orphan-test"));
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1") + readFileSync(`/proc/${pid}/cmdline`, "latin1");
    } catch {
      return "";
    }
  };

  test("when the host is killed, although the program never lets go", async ({ onTestFinished }) => {
    if (process.platform !== "linux") return;
    const tempDir = path.join(temporaryFolder(), "");
    const code = `import { DenoRuntime } from ${JSON.stringify(path.resolve(import.meta.dirname, "../src/deno/index.ts"))};
const runtime = new DenoRuntime({ tempDir: ${JSON.stringify(tempDir)}, prewarm: 1 });
runtime.execute({ code: "console.log('busy'); while (true) {}", callTool: async () => 0, onOutput: () => console.log("busy") });`;
    const host = spawn(
      process.execPath,
      ["--conditions=@dispatch/source", "--input-type=module-typescript", "-e", code],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    onTestFinished(() => void host.kill("SIGKILL"));
    await new Promise((resolve) => host.stdout.once("data", resolve));
    const mine = () => readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(tempDir));
    expect(mine().length).toBeGreaterThan(0);
    host.kill("SIGKILL");
    await expect.poll(mine, { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => readdirSync(tempDir), { timeout: 10_000 }).toEqual([]);
    expect(children()).toEqual([]);
  });

  test("and none keeps a host from ending that never closed its runtime", async () => {
    const code = `import { DenoRuntime } from ${JSON.stringify(path.resolve(import.meta.dirname, "../src/deno/index.ts"))};
const runtime = new DenoRuntime();
const { value } = await runtime.execute({ code: "1 + 1", callTool: async () => 0 });
console.log(value);`;
    const host = spawn(
      process.execPath,
      ["--conditions=@dispatch/source", "--input-type=module-typescript", "-e", code],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let printed = "";
    host.stdout.on("data", (bytes) => (printed += bytes));
    const exit = await new Promise((resolve) => host.once("close", resolve));
    expect([exit, printed]).toEqual([0, "2\n"]);
  });
});
