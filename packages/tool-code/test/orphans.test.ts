import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DenoRuntime } from "../src/deno/index.ts";
import { hostArguments, runHost } from "./host-process.ts";
import { processesIn } from "./processes-in.ts";
import { sandbox, temporaryDirectory } from "./sandbox.ts";

const run = sandbox();

describe("a program ends at once", () => {
  test("a program that exits while more calls wait than are taken", async () => {
    const callTool = () => new Promise(() => {});
    const outcome = await run("for (let i = 0; i < 9; i++) void __callTool__('x', i);\nDeno.exit(3);", {
      callTool,
      limits: { maxConcurrency: 2, totalMs: 25_000 },
    });
    expect(outcome.error).toMatchObject({ kind: "runtime", line: 2 });
  });

  test("a program that exits", async () => {
    expect((await run("Deno.exit(0)")).error).toBeUndefined();
    expect((await run("Deno.exit(3)")).error).toMatchObject({ kind: "runtime", line: 1 });
    expect((await run("process.abort()")).error).toMatchObject({ kind: "exit" });
  });
});

describe("no process is left", () => {
  test("when the host is killed, although the program never lets go", async ({ onTestFinished, skip }) => {
    if (process.platform !== "linux") skip("processes are found by /proc");
    const tempDir = temporaryDirectory();
    const lines = `const runtime = new DenoRuntime({ tempDir: ${JSON.stringify(tempDir)}, prewarm: 1 });
runtime.execute({ code: "console.log('busy'); while (true) {}", callTool: async () => 0, onOutput: () => console.log("busy") });`;
    const stdio = ["ignore", "pipe", "inherit"] as const;
    const host = spawn(process.execPath, hostArguments(lines), { stdio: [...stdio], detached: true });
    onTestFinished(() => void host.kill("SIGKILL"));
    await new Promise((resolve) => host.stdout.once("data", resolve));
    const mine = () => processesIn(tempDir);
    expect(mine().length).toBeGreaterThan(0);
    process.kill(-Number(host.pid), "SIGKILL");
    await expect.poll(mine).toEqual([]);
    await expect.poll(() => readdirSync(tempDir)).toEqual([]);
  });

  test("nor is a directory, at the next start, when the host is killed together with its guard", async ({
    onTestFinished,
    skip,
  }) => {
    if (process.platform !== "linux") skip("processes are found by /proc");
    const tempDir = temporaryDirectory();
    const lines = `const runtime = new DenoRuntime({ tempDir: ${JSON.stringify(tempDir)}, prewarm: 1 });
runtime.execute({ code: "console.log('busy'); while (true) {}", callTool: async () => 0, onOutput: () => console.log("busy") });`;
    const start = async () => {
      const host = spawn(process.execPath, hostArguments(lines), { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void host.kill("SIGKILL"));
      await new Promise((resolve) => host.stdout.once("data", resolve));
      return host;
    };
    const killed = await start();
    const children = readFileSync(`/proc/${killed.pid}/task/${killed.pid}/children`, "latin1").trim().split(" ");
    const guard = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("trap ''"));
    // Stopped first, so that neither sees the other end.
    for (const signal of ["SIGSTOP", "SIGKILL"] as const)
      for (const pid of [Number(guard), Number(killed.pid)]) process.kill(pid, signal);
    await expect.poll(() => processesIn(tempDir)).toEqual([]);
    const left = readdirSync(tempDir);
    expect(left.length).toBeGreaterThan(0);
    const alive = await start();
    await expect.poll(() => readdirSync(tempDir).filter((name) => left.includes(name))).toEqual([]);
    const own = readdirSync(tempDir);
    await using another = new DenoRuntime({ tempDir, prewarm: 0 });
    expect((await another.execute({ code: "1", callTool: async () => 0 })).value).toBe(1);
    expect(readdirSync(tempDir)).toEqual(expect.arrayContaining(own));
    alive.kill("SIGKILL");
    await expect.poll(() => readdirSync(tempDir)).toEqual([]);
  });

  test("and none keeps a host from ending that never closed its runtime", async () => {
    const lines = `const runtime = new DenoRuntime();
const { value } = await runtime.execute({ code: "1 + 1", callTool: async () => 0 });
console.log(value);`;
    expect(await runHost(lines)).toEqual([0, "2\n"]);
  });
});
