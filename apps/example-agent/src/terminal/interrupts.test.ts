import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import type { Host } from "../setup/host.ts";
import { listenForInterrupts } from "./interrupts.ts";

function createHost(): { host: Host; exit: ReturnType<typeof vi.fn> } {
  const exit = vi.fn();
  const streams = { stdout: new EventEmitter(), stderr: new EventEmitter(), exit };
  return { host: Object.assign(new EventEmitter(), streams) as unknown as Host, exit };
}
afterEach(() => vi.useRealTimers());

test("Ctrl-C stops what is being done, and twice ends the process, in order for ten seconds", async () => {
  const { host, exit } = createHost();
  vi.useFakeTimers();
  const interrupts = listenForInterrupts(host);
  await interrupts.during(async (signal) => {
    host.emit("SIGINT");
    expect(signal.reason).toEqual(new Error("stopped by Ctrl-C"));
    expect(exit).not.toHaveBeenCalled();
    host.emit("SIGINT");
    expect([exit.mock.calls, interrupts.exitCode]).toEqual([[], 130]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(exit).toHaveBeenCalledWith(130);
  });
  await interrupts.during(async (signal) => expect(signal.aborted).toBe(true));
});

test("Ctrl-C before there is anything to stop stops the first thing that is done", async () => {
  const { host } = createHost();
  const interrupts = listenForInterrupts(host);
  host.emit("SIGINT");
  await interrupts.during(async (signal) => expect(signal.aborted).toBe(true));
  await interrupts.during(async (signal) => expect(signal.aborted).toBe(false));
});
