import { expect, test } from "vitest";
import { checkPowerCuts } from "./check-power-cuts.ts";
import { canTrace } from "./trace-writes.ts";

test("no power cut loses an acknowledged write", async ({ skip }) => {
  skip(!canTrace, "strace is not installed");
  const { lost, found } = await checkPowerCuts(12, 20_261_121, 40);
  expect(found).toBeGreaterThan(50);
  expect(lost).toBe(0);
}, 120_000);
