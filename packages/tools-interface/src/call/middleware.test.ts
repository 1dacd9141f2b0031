import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  success,
  type MiddlewareCall,
  type ToolMiddleware,
} from "../index.ts";

const parameters = z.object({ n: z.number().default(1) });
const double = (execute: (params: { n: number }) => unknown = ({ n }) => ({ doubled: n * 2 }), timeoutMs = 1_000) =>
  defineTool({
    name: "double",
    description: "Doubles.",
    parameters,
    output: z.object({ doubled: z.number() }),
    timeoutMs,
    execute: execute as (params: { n: number }) => { doubled: number },
  });
const withLayers = (...middleware: ToolMiddleware[]) => createToolRegistry({ middleware }).register(double());

describe("createToolRegistry({ middleware })", () => {
  test("runs layers around the tool, first outside, with validated parameters", async () => {
    const log: string[] = [];
    const calls: MiddlewareCall[] = [];
    const layer =
      (name: string): ToolMiddleware =>
      async (call, next) => {
        calls.push(call);
        log.push(`+${name}`);
        const result = await next();
        log.push(`-${name}`);
        return result;
      };
    const registry = withLayers(layer("a"), layer("b"));
    const result = await registry.dispatch({ id: "c1", name: "double", arguments: "{}" }, { context: { user: 7 } });
    expect(result).toMatchObject({ success: true, data: { doubled: 2 } });
    expect(log).toEqual(["+a", "+b", "-b", "-a"]);
    expect(calls[0]).toMatchObject({ callId: "c1", name: "double", params: { n: 1 }, context: { user: 7 } });
    expect(calls[0]?.signal).toBeInstanceOf(AbortSignal);
  });

  test("is not asked about calls that do not run", async () => {
    const layer = vi.fn<ToolMiddleware>((_, next) => next());
    const registry = withLayers(layer);
    await registry.dispatch("double", { n: "x" } as never);
    await registry.dispatch({ name: "nope" });
    await registry.dispatch("double", {}, { signal: AbortSignal.abort() });
    expect(layer).not.toHaveBeenCalled();
  });

  test("can refuse, so that the tool does not run", async () => {
    const execute = vi.fn(() => ({ doubled: 0 }));
    const registry = createToolRegistry({ middleware: [() => failure("Not on Sundays", { code: "closed" })] });
    expect(await registry.register(double(execute)).dispatch("double", {})).toMatchObject({ code: "closed" });
    expect(execute).not.toHaveBeenCalled();
  });

  test("runs the tool once however often next is called", async () => {
    const execute = vi.fn(() => ({ doubled: 4 }));
    const registry = createToolRegistry({ middleware: [async (_, next) => (await next(), await next())] });
    expect(await registry.register(double(execute)).dispatch("double", {})).toMatchObject({ data: { doubled: 4 } });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  test("holds a result of its own to the tool's output schema", async () => {
    const registry = withLayers(() => success("four", { data: { doubled: "four" } }));
    expect(await registry.dispatch("double", {})).toMatchObject({ success: false, code: "invalid_output" });
    const fine = withLayers(async (_, next) => success(`${String(await next())}!`, { data: { doubled: 9 } }));
    expect(await fine.dispatch("double", {})).toMatchObject({ output: '{"doubled":2}!', data: { doubled: 9 } });
  });

  test("does not check the tool's own data a second time", async () => {
    const tool = defineTool({
      name: "length",
      description: "Counts.",
      parameters: z.object({}),
      output: z
        .string()
        .transform((text) => text.length)
        .pipe(z.number()),
      execute: () => "abc",
    });
    const registry = createToolRegistry({
      middleware: [
        async (_, next) => {
          const result = await next();
          return result.success ? success(`<${result.output}>`, { data: result.data }) : result;
        },
      ],
    });
    expect(await registry.register(tool).dispatch("length", {})).toMatchObject({ output: "<abc>", data: 3 });
  });

  test.each([
    [
      "throws",
      () => Promise.reject(new Error("disk full")),
      "was not run: it was stopped by the host's middleware: disk full",
    ],
    ["answers nothing", () => undefined as never, "something that is no tool result"],
    [
      "loses the result",
      async (_: unknown, next: () => Promise<unknown>) => void (await next()),
      "its result was lost",
    ],
  ] as const)("becomes a failure when it %s", async (_, layer, text) => {
    const result = await withLayers(layer as ToolMiddleware).dispatch("double", {});
    expect(result).toMatchObject({ success: false, code: "execution_failed" });
    expect(String(result)).toContain(text);
  });

  test("sees what a layer further inside threw as a failure", async () => {
    let seen: unknown;
    const outer: ToolMiddleware = async (_, next) => {
      const result = await next();
      seen = result;
      return result;
    };
    await withLayers(outer, () => Promise.reject(new Error("inner"))).dispatch("double", {});
    expect(seen).toMatchObject({ success: false, code: "execution_failed" });
  });

  test("is bounded by the tool's timeout", async () => {
    const registry = createToolRegistry({ middleware: [() => new Promise(() => {})] });
    const transcript = createTranscript();
    const result = await registry.register(double(undefined, 20)).dispatch("double", {}, { transcript });
    expect(result).toMatchObject({ code: "timeout", stopped: false });
    expect(transcript.entries).toHaveLength(1);
  });

  test("stands around nested calls too, naming their parent, and is kept by subset()", async () => {
    const seen: [string, string | undefined][] = [];
    const outer = defineTool({
      name: "outer",
      description: "Calls.",
      parameters: z.object({}),
      execute: (_, run) => run.dispatch?.({ name: "double", arguments: {} }),
    });
    const layer: ToolMiddleware = ({ name, parentCallId }, next) => (seen.push([name, parentCallId]), next());
    const registry = createToolRegistry({ middleware: [layer] }).register([outer, double()]);
    await registry.subset("outer", "double").dispatch({ id: "p", name: "outer" });
    expect(seen).toEqual([
      ["outer", undefined],
      ["double", "p"],
    ]);
  });

  test("refuses what is no function", () => {
    expect(() => createToolRegistry({ middleware: [{}] as never })).toThrow(TypeError);
  });
});
