import { expect, test } from "vitest";
import { checkPowerCuts } from "./check-power-cuts.ts";

test("no power cut loses an acknowledged write", async () => {
  const { lost, found } = await checkPowerCuts(3, 20_261_121);
  expect(lost).toBe(0);
  expect(found).toBeGreaterThan(0);
}, 120_000);
