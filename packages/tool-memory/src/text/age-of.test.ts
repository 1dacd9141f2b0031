import { expect, test } from "vitest";
import { ageOf } from "./age-of.ts";

test.each([
  ["2026-03-01T00:00:00.000Z", "now"],
  ["2026-02-28T23:59:00.000Z", "1 minute"],
  ["2026-02-28T20:30:00.000Z", "3 hours"],
  ["2026-02-26T00:00:00.000Z", "3 days"],
  ["2025-12-01T00:00:00.000Z", "3 months"],
  ["2024-01-01T00:00:00.000Z", "2 years"],
  ["2027-01-01T00:00:00.000Z", "now"],
])("ageOf(%s) is %s on the first of March", (time, age) => {
  expect(ageOf(time, Date.parse("2026-03-01T00:00:30.000Z"))).toBe(age);
});
