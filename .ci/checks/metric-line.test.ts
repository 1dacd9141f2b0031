import { describe, expect, test } from "vitest";
import { findMalformedMetric } from "./metric-line.ts";

describe("findMalformedMetric()", () => {
  test("finds nothing when every metric is well formed", () => {
    const lines = ["warming up", "METRIC dispatch.valid.vs_bare 1.08 x", "METRIC memory.read.p50_ms 3e-2 ms"];
    expect(findMalformedMetric(lines)).toBeUndefined();
  });

  test.each([
    "METRIC dispatch.valid NaN x",
    "METRIC dispatch.valid 1.08",
    "METRIC dispatch.valid  1.08 x",
    "METRIC Dispatch 1.08 x",
    "METRIC dispatch.valid 1,08 x",
    " METRIC dispatch.valid 1.08 x",
    "metric dispatch.valid 1.08 x",
    "METRIC dispatch.valid 1.08 x slower",
  ])("names the line when it is %j", (line) => {
    expect(findMalformedMetric([line])).toContain(line);
  });

  test("says so when nothing was measured", () => {
    expect(findMalformedMetric(["done"])).toBe("it printed no METRIC line");
  });

  test("names the metric when it was printed twice", () => {
    const line = "METRIC dispatch.valid 1.08 x";
    expect(findMalformedMetric([line, line])).toContain("dispatch.valid twice");
  });
});
