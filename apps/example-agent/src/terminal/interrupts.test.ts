import { afterEach, expect, test, vi } from "vitest";
import { listenForInterrupts } from "./interrupts.ts";

const HEARD = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException"];
const before = new Set(HEARD.flatMap((event) => process.rawListeners(event)));
afterEach(() => {
  for (const event of HEARD) {
    for (const listener of process.rawListeners(event)) {
      if (!before.has(listener)) process.off(event, listener as () => void);
    }
  }
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("Ctrl-C stops what is being done, and twice ends the process, in order for ten seconds", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation((() => {}) as () => never);
  vi.useFakeTimers();
  const interrupts = listenForInterrupts();
  await interrupts.during(async (signal) => {
    process.emit("SIGINT");
    expect(signal.reason).toEqual(new Error("stopped by Ctrl-C"));
    expect(exit).not.toHaveBeenCalled();
    process.emit("SIGINT");
    expect([exit.mock.calls, interrupts.exitCode]).toEqual([[], 130]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(exit).toHaveBeenCalledWith(130);
  });
  await interrupts.during(async (signal) => expect(signal.aborted).toBe(true));
});

test("Ctrl-C before there is anything to stop stops the first thing that is done", async () => {
  const interrupts = listenForInterrupts();
  process.emit("SIGINT");
  await interrupts.during(async (signal) => expect(signal.aborted).toBe(true));
  await interrupts.during(async (signal) => expect(signal.aborted).toBe(false));
});
