import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, InvalidToolError, ToolError, type ToolAnnotations } from "../index.ts";

function flaky(
  failures: number,
  options: { retries?: number; annotations?: ToolAnnotations; timeoutMs?: number } = {},
) {
  let left = failures;
  const execute = vi.fn(async () => {
    left -= 1;
    if (left >= 0) throw new Error("connection reset");
    return "there";
  });
  const tool = defineTool({
    name: "fetch_page",
    description: "Fetches.",
    parameters: z.object({}),
    annotations: { readOnly: true },
    retries: 2,
    ...options,
    execute,
  });
  return { tool, execute };
}

describe("defineTool({ retries })", () => {
  test("tries again when the tool throws, and tells how it goes", async () => {
    const { tool, execute } = flaky(2);
    const messages: string[] = [];
    const result = await tool.call({}, { onProgress: ({ message }) => messages.push(message) });
    expect(result).toMatchObject({ success: true, output: "there" });
    expect(execute).toHaveBeenCalledTimes(3);
    expect(messages).toEqual(["attempt 1 of 3 failed: connection reset", "attempt 2 of 3 failed: connection reset"]);
  });

  test("gives each attempt the dates, maps, sets and bytes that a schema made", async () => {
    const seen: string[] = [];
    const made = { at: new Date(0), map: new Map([["k", [1]]]), set: new Set([1]), bytes: new Uint8Array(2) };
    const tool = defineTool({
      name: "changing",
      description: "Changes its parameters.",
      parameters: z.object({}).transform(() => structuredClone(made)),
      annotations: { readOnly: true },
      retries: 1,
      execute({ at, map, set, bytes }) {
        seen.push(JSON.stringify([at, [...map], [...set], [...bytes]]));
        at.setTime(5);
        map.get("k")?.push(2);
        set.add(2);
        bytes.fill(7);
        throw new Error("again");
      },
    });
    await tool.call({});
    expect(seen).toEqual([seen[0], seen[0]]);
  });

  test("gives each attempt the parameters that were validated", async () => {
    const seen: string[] = [];
    const tool = defineTool({
      name: "changing",
      description: "Changes what it gets.",
      parameters: z.object({ items: z.array(z.object({ id: z.number() })), at: z.string().default("now") }),
      annotations: { readOnly: true },
      retries: 2,
      execute: (params) => {
        seen.push(JSON.stringify(params));
        params.items.pop();
        (params.items[0] as { id: number }).id = 9;
        params.at = "later";
        throw new Error("not yet");
      },
    });
    await tool.call({ items: [{ id: 1 }, { id: 2 }] });
    expect(seen).toEqual(Array(3).fill('{"items":[{"id":1},{"id":2}],"at":"now"}'));
  });

  test("gives up after so many", async () => {
    const { tool, execute } = flaky(9);
    expect(String(await tool.call({}))).toBe("fetch_page failed: connection reset");
    expect(execute).toHaveBeenCalledTimes(3);
  });

  test("takes a ToolError for an answer", async () => {
    const execute = vi.fn(() => Promise.reject(new ToolError("No such page", { code: "not_found" })));
    const tool = defineTool({
      name: "fetch_page",
      description: "Fetches.",
      parameters: z.object({}),
      annotations: { idempotent: true },
      retries: 5,
      execute,
    });
    expect(await tool.call({})).toMatchObject({ code: "not_found" });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  test("also tries a tool again that throws at once", async () => {
    let calls = 0;
    const tool = defineTool({
      name: "odd",
      description: "Throws first.",
      parameters: z.object({}),
      annotations: { readOnly: true },
      retries: 1,
      execute: () => {
        calls += 1;
        if (calls === 1) throw new Error("not yet");
        return "now";
      },
    });
    expect(await tool.call({})).toMatchObject({ output: "now" });
  });

  test("stops when the call is cancelled or out of time", async () => {
    const cancelled = flaky(9, { retries: 10 });
    const controller = new AbortController();
    const pending = cancelled.tool.call({}, { signal: controller.signal, onProgress: () => controller.abort() });
    expect(await pending).toMatchObject({ code: "cancelled", stopped: true, effects: "none" });
    const tries = cancelled.execute.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(cancelled.execute).toHaveBeenCalledTimes(tries);
    expect(await flaky(99, { retries: 10, timeoutMs: 60 }).tool.call({})).toMatchObject({ code: "timeout" });
  });

  test("never tries twice what would act twice", () => {
    expect(() => flaky(0, { annotations: {} })).toThrow(
      /retries, allowed only where the annotations say readOnly or idempotent/,
    );
    expect(() => flaky(0, { retries: 11 })).toThrow(InvalidToolError);
    expect(() => flaky(0, { retries: 0.5 })).toThrow("retries is 0.5, allowed are 0 to 10");
  });

  test("leaves no timer and no listener behind", async () => {
    const { tool } = flaky(1);
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const added = vi.spyOn(signal, "addEventListener");
    await createToolRegistry().register(tool).dispatch("fetch_page", {}, { signal });
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});
