import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool } from "../index.ts";
import { toPromise } from "./thenable.ts";

/** Resolves to itself: waited for as it is, it would keep the event loop for ever. */
const endless = {
  // oxlint-disable-next-line unicorn/no-thenable -- the subject of the test
  then(resolve: (value: unknown) => void) {
    resolve(endless);
  },
};
/** Resolves to a new one of its kind each time. */
const chain = (): object => ({
  // oxlint-disable-next-line unicorn/no-thenable -- the subject of the test
  then: (resolve: (value: unknown) => void) => resolve(chain()),
});
const thenable = (...values: readonly unknown[]) => ({
  // oxlint-disable-next-line unicorn/no-thenable -- the subject of the test
  then(resolve: (value: unknown) => void, reject: (reason: unknown) => void) {
    for (const value of values) resolve(value);
    reject(new Error("late"));
    throw new Error("later still");
  },
});
const spec = { name: "probe", description: "P.", parameters: z.object({}) } as const;

describe("toPromise()", () => {
  test("settles once, as the innermost thenable does first", async () => {
    await expect(toPromise(thenable(thenable(Promise.resolve(1)), 2))).resolves.toBe(1);
    await expect(toPromise(thenable())).rejects.toThrow("late");
    await expect(toPromise("plain")).resolves.toBe("plain");
  });

  test.each([
    ["itself", endless],
    ["others without end", chain()],
  ])("rejects a thenable that resolves to %s", async (_, value) => {
    await expect(toPromise(value)).rejects.toThrow("over 32 promises of promises");
  });
});

describe("a thenable that resolves to itself", () => {
  const failed = { success: false, code: "execution_failed" };

  test.each([
    ["of a tool", {}],
    ["of a tool that is tried again", { annotations: { readOnly: true }, retries: 1 }],
    ["of a tool with output", { output: z.object({}) }],
  ])("is a failure as the answer %s", async (_, more) => {
    const tool = defineTool({ ...spec, ...more, execute: () => endless as never });
    expect(await tool.call({})).toMatchObject(failed);
    const registry = createToolRegistry({ middleware: [(_call, next) => next()] }).register(tool);
    expect(await registry.dispatch({ name: "probe" })).toMatchObject(failed);
  });

  test("is a failure as the answer of middleware, a denial as that of an approver, a change not made as that of a rule", async () => {
    const tool = defineTool({ ...spec, needsApproval: true, execute: () => "ran" });
    expect(await tool.call({}, { approve: () => endless as never })).toMatchObject({ code: "denied" });
    const unruled = defineTool({ ...spec, needsApproval: () => endless as never, execute: () => "ran" });
    expect(await unruled.call({}, { approve: () => true })).toMatchObject({ success: false });
    const registry = createToolRegistry({ middleware: [() => endless as never] });
    expect(
      await registry.register(defineTool({ ...spec, execute: () => "ran" })).dispatch({ name: "probe" }),
    ).toMatchObject(failed);
  });

  test("loses only the entry as the answer of a transcript", async () => {
    const events: string[] = [];
    const registry = createToolRegistry().register(defineTool({ ...spec, execute: () => "ran" }));
    const transcript = { ...createTranscript(), append: () => endless as never };
    const result = await registry.dispatch({ name: "probe" }, { transcript, onEvent: ({ type }) => events.push(type) });
    expect([result.success, events.at(-1)]).toEqual([true, "transcript-error"]);
  });
});

describe("parameters that cannot be read", () => {
  const unreadable = Object.defineProperty({}, "city", {
    enumerable: true,
    get() {
      throw new Error("no such luck");
    },
  });

  test.each([
    ["Zod", z.object({ city: z.string() })],
    ["an asynchronous Zod schema", z.object({ city: z.string().refine(() => Promise.resolve(true)) })],
    ["JSON Schema", { type: "object", properties: { city: { type: "string" } } }],
    ["a schema with another name", z.object({ town: z.string().optional() })],
  ])("are invalid input for %s", async (_, parameters) => {
    const registry = createToolRegistry().register(
      defineTool({ ...spec, parameters: parameters as never, execute: () => "ran" }),
    );
    const result = await registry.dispatch({ name: "probe", arguments: unreadable });
    expect(result).toMatchObject({ success: false, code: "invalid_params" });
    expect(String(result)).toContain("Cannot call probe");
  });

  test("are told from a check that throws", async () => {
    const parameters = z.object({ city: z.string() }).refine(() => {
      throw new Error("broken check");
    });
    const registry = createToolRegistry().register(defineTool({ ...spec, parameters, execute: () => "ran" }));
    expect(await registry.dispatch({ name: "probe", arguments: { city: "a" } })).toMatchObject({
      code: "execution_failed",
    });
  });
});
