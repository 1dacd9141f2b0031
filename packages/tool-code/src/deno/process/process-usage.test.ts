import { describe, expect, test } from "vitest";
import { processUsage } from "./process-usage.ts";

describe("processUsage()", () => {
  test("tells memory and processor time of a process, where the system tells them", () => {
    const usage = processUsage(process.pid);
    if (process.platform !== "linux") return expect(usage).toBeUndefined();
    // With what it has started: other tests may have left a process that is about to end.
    const { rss } = process.memoryUsage();
    expect(usage?.rssBytes).toBeGreaterThan(rss / 2);
    expect(usage?.rssBytes).toBeLessThan(rss * 4);
    const { user, system } = process.cpuUsage();
    return expect(Math.abs((usage?.cpuMs ?? 0) - (user + system) / 1000)).toBeLessThan(1_000);
  });

  test("tells nothing of a process that is not there", () => {
    expect(processUsage(2 ** 30)).toBeUndefined();
    expect(processUsage(undefined)).toBeUndefined();
  });
});
