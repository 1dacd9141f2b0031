import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary-directory.ts";
import { OrphanGuard } from "./orphan-guard.ts";

/** The guards of this process: shells that run its script. */
const guards = (): readonly number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return (
          pid > 0 &&
          readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[1] === `${process.pid}` &&
          readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("trap '' HUP")
        );
      } catch {
        return false;
      }
    });

test("OrphanGuard watches on when its own process was killed", async ({ skip }) => {
  skip(process.platform !== "linux", "needs Linux");
  const before = guards();
  const mine = (): readonly number[] => guards().filter((pid) => !before.includes(pid));
  const children = [0, 1].map(() => spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" }));
  const [first, second] = children.map(({ pid = 0 }) => pid) as [number, number];
  const guard = new OrphanGuard();
  guard.add(first, temporaryDirectory());
  const [killed = 0] = mine();
  process.kill(killed, "SIGKILL");
  guard.add(second, temporaryDirectory());
  while (!mine().some((pid) => pid !== killed)) await new Promise((resolve) => setTimeout(resolve, 5));
  const ended = children.map((child) => once(child, "exit"));
  guard.close();
  for (const [, signal] of (await Promise.all(ended)) as [null, string][]) expect(signal).toBe("SIGKILL");
});

test("OrphanGuard sets the limits beside one that the kernel refuses", async ({ skip }) => {
  skip(process.platform !== "linux" || !existsSync("/usr/bin/prlimit"), "needs Linux and prlimit");
  const child = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  const { pid = 0 } = child;
  const guard = new OrphanGuard();
  guard.add(pid, temporaryDirectory());
  guard.cap({ pid }, ["--core=1", `--nofile=${2 ** 62}`, "--fsize=4096"]);
  const limits = (): string => readFileSync(`/proc/${pid}/limits`, "latin1");
  await expect.poll(limits).toMatch(/^Max file size +4096 +4096 /m);
  expect(limits()).toMatch(/^Max core file size +1 +1 /m);
  const ended = once(child, "exit");
  guard.close();
  await ended;
});
