import { expect, test } from "vitest";
import { checkPowerCuts } from "./check-power-cuts.ts";
import { canTrace } from "./trace-writes.ts";

if (!canTrace) process.stderr.write("Not tried, as strace is not there: power cuts\n");

test.runIf(canTrace)(
  "no power cut loses an acknowledged write",
  async () => {
    const { lost, found } = await checkPowerCuts(12, 20_261_121, 40);
    expect(found).toBeGreaterThan(50);
    expect(lost).toBe(0);
  },
  120_000,
);
