import type { ToolEvent } from "@dispatch/tools-interface";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgressReporter } from "./progress-reporter.ts";

const update = (done: number, parentCallId?: string): ToolEvent => ({
  type: "call-progress",
  callId: "1",
  parentCallId,
  name: "x",
  update: { message: "reads\u001B[2J", done, total: 9 },
});
const nested: ToolEvent = {
  type: "call-start",
  callId: "2",
  parentCallId: "1",
  name: "read_file",
  arguments: { path: "a" },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("createProgressReporter()", () => {
  test("counts up whatever the tool says, leaves out what comes too fast, and is heard of while nothing happens", () => {
    const told: [number, string][] = [];
    const { onEvent, close } = createProgressReporter((...report) => told.push(report));
    for (const event of [update(5), update(6), nested]) onEvent(event);
    vi.advanceTimersByTime(1_000);
    for (const event of [update(2), nested]) onEvent(event);
    vi.advanceTimersByTime(30_000);
    close();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([
      [1, "reads\uFFFD[2J 5/9"],
      [2, "reads\uFFFD[2J 2/9"],
      [3, "read_file path: a"],
      [4, "read_file path: a"],
    ]);
  });
});
