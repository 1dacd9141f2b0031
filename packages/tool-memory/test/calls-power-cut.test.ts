import { expect, test } from "vitest";
import { checkCallCuts } from "./check-call-cuts.ts";
import { canTrace } from "./trace-writes.ts";

// Here and not beside the durable calls, because their package may not import the simulated disk.
test("no power cut loses a record of a durable call, or lets one begin twice", async ({ skip }) => {
  skip(!canTrace, "strace is not installed");
  const { lost, found } = await checkCallCuts(12, 20_261_122, 30);
  expect(found).toBeGreaterThan(50);
  expect(lost).toBe(0);
}, 120_000);
