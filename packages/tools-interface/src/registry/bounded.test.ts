import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool, type ToolEvent } from "../index.ts";

const never = (): Promise<never> => new Promise(() => {});
const define = (spec: { parameters?: z.ZodType; output?: z.ZodType; context?: z.ZodType; execute?: () => unknown }) =>
  defineTool({
    name: "probe",
    description: "P.",
    parameters: z.object({}),
    timeoutMs: 50,
    execute: () => "ran",
    ...spec,
  } as never);
const stuck = z.object({ a: z.string().optional() }).refine(never);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets all time pass that anything waits for. */
async function ended<T>(pending: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(60_000);
  const open = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("still waiting after a minute")), 1);
  });
  const first = Promise.race([pending, open]);
  await vi.advanceTimersByTimeAsync(1);
  return first;
}

describe("a call ends in bounded time", () => {
  test("when the check of its parameters never settles", async () => {
    const execute = vi.fn();
    const result = await ended(define({ parameters: stuck, execute }).call({}));
    expect(result).toMatchObject({ code: "timeout", stopped: true, effects: "none" });
    expect(String(result)).toContain("probe was not started");
    expect(execute).not.toHaveBeenCalled();
  });

  test("when the check of its context never settles", async () => {
    expect(await ended(define({ context: stuck }).call({}, { context: {} }))).toMatchObject({
      code: "timeout",
      effects: "none",
    });
  });

  test("when the check of what it answers never settles, also for a tool that answers at once", async () => {
    expect(await ended(define({ output: z.string().refine(never) }).call({}))).toMatchObject({
      code: "timeout",
      effects: "possible",
    });
  });

  test("when it is cancelled while its parameters are checked", async () => {
    const controller = new AbortController();
    const pending = define({ parameters: stuck }).call({}, { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ code: "cancelled", effects: "none" });
  });

  test("when its approver never answers", async () => {
    vi.useRealTimers();
    const tool = defineTool({
      name: "p",
      description: "P.",
      parameters: z.object({}),
      needsApproval: true,
      execute: () => "",
    });
    expect(await tool.call({}, { approve: never, approvalTimeoutMs: 10 })).toMatchObject({ code: "denied" });
  });

  test("when its transcript never settles, which observers hear", async () => {
    const events: ToolEvent[] = [];
    const registry = createToolRegistry().register(define({}));
    const options = { transcript: { append: never }, onEvent: (event: ToolEvent) => void events.push(event) };
    expect(await ended(registry.dispatch({ name: "probe" }, options))).toMatchObject({ success: true });
    expect(events.map(({ type }) => type)).toEqual(["call-start", "call-end", "transcript-error"]);
  });

  test("when the transcript of a hundred calls never settles: it is waited for once", async () => {
    const registry = createToolRegistry().register(define({}));
    const calls = Array.from({ length: 100 }, () => ({ name: "probe" }));
    const pending = registry.dispatchAll(calls, { transcript: { append: never } });
    expect(await ended(pending)).toHaveLength(100);
  });

  test("when the transcript never says whether the call is recorded", async () => {
    const registry = createToolRegistry().register(define({}));
    const result = await ended(
      registry.dispatch({ id: "1", name: "probe" }, { transcript: { append: () => {}, find: never } }),
    );
    expect(result).toMatchObject({ success: false });
  });

  test("when the tool answers with a thenable of its own making", async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- a tool may answer with such an object
    const key = "then";
    type Then = (yes: (value: string) => void, no: (why: string) => void) => void;
    const thenable = (then: Then): object => Object.defineProperty({}, key, { value: then });
    const broken = (): never => {
      throw new Error("no");
    };
    const own = Object.defineProperty(Promise.resolve("own"), key, { value: broken });
    const both: Then = (yes, no) => {
      yes("first");
      no("second");
      yes("third");
    };
    const thenables = [thenable(() => {}), thenable(broken), thenable(both), own];
    const results = await ended(Promise.all(thenables.map((answer) => define({ execute: () => answer }).call({}))));
    expect(results.map((result) => (result.success ? result.output : result.code))).toEqual([
      "timeout",
      "execution_failed",
      "first",
      "own",
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("cancelled and timed-out calls", () => {
  test("say what they may have done", async () => {
    const call = async (annotations: object, execute: () => unknown) => {
      const tool = defineTool({
        name: "t",
        description: "T.",
        parameters: z.object({}),
        timeoutMs: 20,
        annotations,
        execute,
      });
      const transcript = createTranscript();
      const result = await ended(createToolRegistry().register(tool).dispatch({ name: "t" }, { transcript }));
      expect(JSON.parse(JSON.stringify(transcript))).toMatchObject([
        { result: { effects: result.success ? undefined : result.effects } },
      ]);
      return result;
    };
    expect(await call({}, never)).toMatchObject({ code: "timeout", stopped: false, effects: "possible" });
    const read = await call({ readOnly: true }, never);
    expect(read).toMatchObject({ code: "timeout", stopped: false, effects: "none" });
    expect(String(read)).toContain("it changes nothing. You may call it again");
  });
});
