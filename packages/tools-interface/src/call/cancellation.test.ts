import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, type ToolResult, type ToolRun } from "../index.ts";

function toolOf(execute: (params: object, run: ToolRun) => unknown, timeoutMs?: number) {
  return defineTool({
    name: "probe",
    description: "Probes.",
    parameters: z.object({}),
    execute,
    ...(timeoutMs && { timeoutMs }),
  });
}
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("Tool.call() with a signal", () => {
  test("does not start when the signal is aborted already", async () => {
    const execute = vi.fn(() => "ran");
    expect(await toolOf(execute).call({}, { signal: AbortSignal.abort() })).toMatchObject({
      code: "cancelled",
      stopped: true,
    });
    expect(execute).not.toHaveBeenCalled();
  });

  test("answers cancelled and stopped when the tool listens", async () => {
    const controller = new AbortController();
    const pending = toolOf((_, run) => untilAborted(run.signal)).call({}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    expect(await pending).toMatchObject({ success: false, code: "cancelled", stopped: true });
  });

  test("answers cancelled and not stopped when the tool never settles", async () => {
    const controller = new AbortController();
    const pending = toolOf(() => new Promise(() => {})).call({}, { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ code: "cancelled", stopped: false });
  });

  test("keeps the result of a tool that succeeds after a cancellation", async () => {
    const controller = new AbortController();
    const tool = toolOf((_, run) => untilAborted(run.signal).catch(() => "partial"));
    const pending = tool.call({}, { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ success: true, output: "partial" });
  });

  test("leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const tool = toolOf(async (_, run) => {
      void run.signal.aborted;
      await new Promise((resolve) => setTimeout(resolve, 10));
      return "done";
    });
    await tool.call({}, { signal });
    expect(added).toHaveBeenCalled();
    const key = ([type, listener]: readonly unknown[]) => [type, listener];
    expect(removed.mock.calls.map(key)).toEqual(expect.arrayContaining(added.mock.calls.map(key)));
  });
});

describe("Tool.call() with a timeout", () => {
  test("answers timeout when the tool ignores it, and hears of the late result", async () => {
    let release = (_: string): void => {};
    const held = new Promise<string>((resolve) => (release = resolve));
    let heard = (_: ToolResult): void => {};
    const late = new Promise<ToolResult>((resolve) => (heard = resolve));
    const result = await toolOf(() => held, 30).call({}, { onLateResult: (after) => heard(after) });
    expect(result).toMatchObject({ success: false, code: "timeout", stopped: false });
    expect(String(result)).toContain("timed out after 30 ms");
    release("too late");
    expect(await late).toMatchObject({ success: true, output: "too late" });
  });

  test("tells the tool through its signal", async () => {
    const result = await toolOf((_, run) => untilAborted(run.signal), 30).call({});
    expect(result).toMatchObject({ code: "timeout", stopped: true });
  });

  test("gives tools that end in time their own result", async () => {
    const tool = toolOf(() => new Promise((resolve) => setTimeout(resolve, 20, "in time")), 60_000);
    const results = await Promise.all(Array.from({ length: 50 }, () => tool.call({})));
    expect(new Set(results.map(String))).toEqual(new Set(["in time"]));
  });
});

describe("Tool.call() of a tool that needs approval", () => {
  const execute = vi.fn(() => "done");
  const tool = defineTool({
    name: "drop_table",
    description: "Drops.",
    parameters: z.object({ table: z.string(), rows: z.number().default(0) }),
    annotations: { destructive: true },
    needsApproval: ({ rows }) => rows >= 10,
    execute,
  });

  test("asks with the validated parameters and runs once approved", async () => {
    const approve = vi.fn(() => true);
    expect(await tool.call({ table: "t", rows: 10 }, { approve, callId: "c1" })).toMatchObject({ success: true });
    expect(approve).toHaveBeenCalledWith(
      expect.objectContaining({
        callId: "c1",
        name: "drop_table",
        params: { table: "t", rows: 10 },
        annotations: { destructive: true },
      }),
    );
  });

  test("does not ask when the parameters need no approval", async () => {
    const approve = vi.fn(() => false);
    expect(await tool.call({ table: "t" }, { approve })).toMatchObject({ success: true });
    expect(approve).not.toHaveBeenCalled();
  });

  test.each([
    ["false", () => false, "no reason was given"],
    ["a reason", () => ({ approved: false, reason: "on Fridays never" }), "on Fridays never"],
    ["a throw", () => Promise.reject(new Error("no terminal")), "no terminal"],
    ["nothing that can be understood", () => undefined as never, "no reason was given"],
    ["an approver that is missing", undefined, "nobody can be asked"],
  ])("denies for %s and never runs", async (_, approve, text) => {
    execute.mockClear();
    const result = await tool.call({ table: "t", rows: 10 }, { approve });
    expect(result).toMatchObject({ success: false, code: "denied" });
    expect(String(result)).toContain(text);
    expect(execute).not.toHaveBeenCalled();
  });

  test("stops waiting for an answer when the call is cancelled", async () => {
    const controller = new AbortController();
    const pending = tool.call(
      { table: "t", rows: 10 },
      { approve: () => new Promise(() => {}), signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 10);
    expect(await pending).toMatchObject({ code: "cancelled" });
  });
});
