import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { processesIn } from "./processes-in.ts";
import { sandbox, temporaryDirectory } from "./sandbox.ts";

const RSS_MB = 128;
/** How long the host does not react, in milliseconds. */
const DEAF_MS = 1_500;

test("a program does not use up the machine while the host is too busy to look", async ({ skip }) => {
  // Elsewhere nothing holds it meanwhile, which the threat model says.
  if (process.platform !== "linux" || !existsSync("/usr/bin/prlimit")) skip("there is no prlimit");
  const tempDir = temporaryDirectory();
  const run = sandbox({ tempDir, prewarm: 0, limits: { rssMb: RSS_MB } });
  let most = 0;
  const outcome = await run(
    `await __callTool__("wait", {});
console.log("go");
const a = [];
for (;;) try { a.push(new Uint8Array(1_000_000).fill(1)); } catch {}`,
    {
      // The guard sets the cap in a process of its own, which takes a moment.
      callTool: async () => {
        await expect.poll(() => processesIn(tempDir).some(isCapped)).toBe(true);
        return 0;
      },
      onOutput: () => {
        const blocked = new Int32Array(new SharedArrayBuffer(4));
        Atomics.wait(blocked, 0, 0, DEAF_MS);
        for (const pid of processesIn(tempDir)) most = Math.max(most, peakMb(pid));
      },
    },
  );
  // The engine may have run out of memory and ended by then, which frees its memory.
  expect(most).toBeLessThan(RSS_MB * 3);
  expect(outcome.error?.kind).toBe("memory");
});

function isCapped(pid: string): boolean {
  return /^Max data size +\d/m.test(readFileSync(`/proc/${pid}/limits`, "latin1"));
}

function peakMb(pid: string): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1024;
}
