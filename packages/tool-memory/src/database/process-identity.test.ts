import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isAlive, thisProcess, workedOf } from "./process-identity.ts";

test("isAlive() tells this process from one that had its pid before", () => {
  const self = thisProcess();
  expect(isAlive(self)).toBe("alive");
  expect(isAlive({ ...self, boot: "another" })).toBe(self.boot === null ? "alive" : "dead");
  expect(isAlive({ ...self, host: "elsewhere" })).toBe("unknown");
});

test.runIf(existsSync("/proc/self/stat"))("workedOf() goes up with what a process does, and no further", () => {
  const before = workedOf(process.pid) ?? Number.NaN;
  // Another clock, of the same time.
  const used = process.cpuUsage();
  while (process.cpuUsage(used).user < 100_000);
  const after = workedOf(process.pid) ?? Number.NaN;
  expect(after).toBeGreaterThan(before);
  expect(workedOf(2 ** 30)).toBeNull();
});
