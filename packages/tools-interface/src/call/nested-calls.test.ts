import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool, type ToolResult } from "../index.ts";

/** A tool that calls itself until `n` is 0. */
const descend = defineTool({
  name: "descend",
  description: "Calls itself.",
  parameters: z.object({ n: z.number() }),
  execute: ({ n }, run): unknown =>
    n === 0 ? "bottom" : run.dispatch?.({ name: "descend", arguments: { n: n - 1 } }).then(String),
});

/** A tool that calls `leaf` after its own end. */
function parent(timeoutMs: number) {
  const leaves: ToolResult[] = [];
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const leaf = defineTool({
    name: "leaf",
    description: "Counts.",
    parameters: z.object({}),
    execute: () => `${(runs += 1)}`,
  });
  const tool = defineTool({
    name: "parent",
    description: "Calls leaf too late.",
    parameters: z.object({}),
    timeoutMs,
    async execute(_, run) {
      begun.resolve();
      await over.promise;
      const leafResult = await run.dispatch?.({ name: "leaf" });
      if (leafResult !== undefined) leaves.push(leafResult);
      return "ended";
    },
  });
  const registry = createToolRegistry().register([tool, leaf]);
  return { registry, leaves, count: () => runs, begun: begun.promise, goOn: over.resolve };
}

describe("run.dispatch()", () => {
  test("answers depth_exceeded beyond the limit, however synchronous the calls are", async () => {
    const registry = createToolRegistry().register(descend);
    expect(String(await registry.dispatch("descend", { n: 32 }))).toBe("bottom");
    const deep = await registry.dispatch("descend", { n: 1_000 });
    expect(String(deep)).toContain("Cannot call descend: it would be nested in 33 calls, allowed are 32");
    const shallow = createToolRegistry({ maxDepth: 1 }).register(descend);
    expect(String(await shallow.dispatch("descend", { n: 1 }))).toBe("bottom");
    expect(String(await shallow.dispatch("descend", { n: 2 }))).toContain("nested in 2 calls");
    expect(() => createToolRegistry({ maxDepth: -1 })).toThrow(RangeError);
  });

  test("starts nothing once the call around it is out of time, and records that", async () => {
    const { registry, leaves, count, goOn } = parent(20);
    const transcript = createTranscript();
    const result = await registry.dispatch({ id: "p", name: "parent" }, { transcript });
    expect(result).toMatchObject({ code: "timeout" });
    goOn();
    await expect.poll(() => leaves.length).toBe(1);
    expect(leaves[0]).toMatchObject({ code: "cancelled", effects: "none" });
    expect(count()).toBe(0);
    expect(transcript.entries.find(({ name }) => name === "leaf")).toMatchObject({
      parentCallId: "p",
      result: { code: "cancelled" },
    });
  });

  test("starts nothing once the call around it was cancelled", async () => {
    const { registry, leaves, count, begun, goOn } = parent(100_000);
    const controller = new AbortController();
    const call = registry.dispatch("parent", {}, { signal: controller.signal });
    await begun;
    controller.abort();
    expect(await call).toMatchObject({ code: "cancelled" });
    goOn();
    await expect.poll(() => leaves.length).toBe(1);
    expect(count()).toBe(0);
  });

  test("cancels what runs when the time of the call around it is over", async () => {
    let reason: unknown;
    const inner = defineTool({
      name: "inner",
      description: "Waits for its signal.",
      parameters: z.object({}),
      execute: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(new Error("stopped"));
          });
        }),
    });
    const outer = defineTool({
      name: "outer",
      description: "Calls inner.",
      parameters: z.object({}),
      timeoutMs: 30,
      execute: (_, run) => run.dispatch?.({ name: "inner" }).then(String),
    });
    const result = await createToolRegistry().register([outer, inner]).dispatch("outer", {});
    expect(result.success || result.code).not.toBe("invalid_options");
    expect(String(reason)).toContain("timed out");
  });

  test("answers a signal that is none with a failure", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls leaf.",
      parameters: z.object({}),
      execute: (_, run) =>
        run.dispatch?.({ name: "descend", arguments: { n: 0 } }, { signal: {} as never }).then(String),
    });
    const registry = createToolRegistry().register([outer, descend]);
    expect(String(await registry.dispatch("outer", {}))).toContain("unusable signal");
  });
});
