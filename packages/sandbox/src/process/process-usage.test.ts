import { spawn, spawnSync } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { processUsage } from "./process-usage.ts";

describe("processUsage()", () => {
  test("tells memory and processor time of a process, where the system tells them", () => {
    const usage = processUsage(process.pid);
    if (process.platform !== "linux") return expect(usage).toBeUndefined();
    // Includes the processes it has started: other tests may have left a process that is about to end.
    const { rss } = process.memoryUsage();
    expect(usage?.rssBytes).toBeGreaterThan(rss / 2);
    expect(usage?.rssBytes).toBeLessThan(rss * 4);
    const { user, system } = process.cpuUsage();
    return expect(usage?.cpuMs).toBeGreaterThan((user + system) / 1000 - 1_000);
  });

  test("counts the processor time of children that have ended", () => {
    if (process.platform !== "linux") return;
    const before = processUsage(process.pid)?.cpuMs ?? 0;
    const { user, system } = process.cpuUsage();
    spawnSync(process.execPath, [
      "-e",
      "const end = process.cpuUsage().user + 2e5; while (process.cpuUsage().user < end);",
    ]);
    const own = process.cpuUsage({ user, system });
    const passed = (processUsage(process.pid)?.cpuMs ?? 0) - before;
    expect(passed).toBeGreaterThan(150 + (own.user + own.system) / 1_000 - 100);
  });

  test("counts what was started from any thread", async () => {
    if (process.platform !== "linux") return;
    // A process of its own: this one may free as much memory meanwhile. Its child ends when its input does.
    const child = `globalThis.a = Buffer.alloc(200e6, 1); console.log(1); process.stdin.resume().once("end", () => process.exit(a.length && 0));`;
    const thread = `const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}]);
child.stdout.once("data", () => console.log("started"));`;
    const code = `process.stdin.once("data", () => new (require("node:worker_threads").Worker)(${JSON.stringify(thread)}, { eval: true }));
console.log("ready");`;
    const host = spawn(process.execPath, ["-e", code]);
    onTestFinished(() => void host.kill("SIGKILL"));
    const printed = (): Promise<unknown> => new Promise((resolve) => host.stdout.once("data", resolve));
    await printed();
    const before = processUsage(host.pid)?.rssBytes ?? 0;
    const started = printed();
    host.stdin.write("go");
    await started;
    const during = processUsage(host.pid)?.rssBytes ?? 0;
    expect(before).toBeGreaterThan(0);
    expect(during - before).toBeGreaterThan(150e6);
  });

  test("tells a process that computes from one that waits", async () => {
    if (process.platform !== "linux") return;
    const busy = spawn("sh", ["-c", "while :; do :; done"]);
    const idle = spawn("sleep", ["100"]);
    onTestFinished(() => void [busy, idle].map((child) => child.kill("SIGKILL")));
    await expect.poll(() => processUsage(busy.pid)?.cpuMs).toBeGreaterThan(20);
    expect(processUsage(busy.pid)?.isRunning).toBe(true);
    await expect.poll(() => processUsage(idle.pid)?.isRunning).toBe(false);
  });

  test("tells nothing of a process that is not there", () => {
    expect(processUsage(2 ** 30)).toBeUndefined();
    expect(processUsage(undefined)).toBeUndefined();
  });
});
