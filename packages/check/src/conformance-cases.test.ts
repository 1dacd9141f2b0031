import { homedir } from "node:os";
import path from "node:path";
import { defineTool, success, ToolError, type AnyTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { conformanceCases } from "./conformance-cases.ts";
import type { ConformanceOptions } from "./conformance-options.ts";

const notes = new Map([["today", "buy milk"]]);
const spec = {
  name: "read_note",
  description: "Reads a note.",
  parameters: z.object({
    title: z.string().describe("Title of the note"),
    lines: z.number().int().min(1).optional().describe("Lines to read. Default all"),
  }),
  output: z.object({ text: z.string() }),
  context: z.object({ notes: z.instanceof(Map) }),
  annotations: { readOnly: true },
} as const;
const good = defineTool({
  ...spec,
  async execute({ title }, { context }) {
    const text: unknown = context.notes.get(title);
    if (typeof text !== "string") throw new Error("no such note, list them first");
    return success(text, { data: { text } });
  },
});
const options = { params: [{ title: "today" }, { title: "today", lines: 1 }], context: { notes }, seed: 7 };

async function failuresOf(tool: AnyTool, given: ConformanceOptions = options): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const { name, run } of conformanceCases(tool, given)) {
    await run().catch((error: Error) => failures.push(error.message.startsWith(name) ? name : error.message));
  }
  return failures.map((name) => name.replace(tool.name, "").trim());
}

describe("conformanceCases() of a good tool", () => {
  test.each(conformanceCases(good, options))("$name", ({ run }) => expect(run()).resolves.toBeUndefined());

  test("do not run it when told so", async () => {
    let runs = 0;
    const tool = defineTool({ ...spec, execute: () => ((runs += 1), { text: "" }) });
    expect(await failuresOf(tool, { ...options, execute: false })).toEqual([]);
    expect(runs).toBe(0);
  });

  test("run it with the examples alone when told so", async () => {
    const titles = new Set<string>();
    const tool = defineTool({ ...spec, execute: ({ title }) => (titles.add(title), { text: "" }) });
    expect(await failuresOf(tool, { ...options, execute: "examples" })).toEqual([]);
    expect([...titles]).toEqual(["today"]);
  });

  test("throw when there is no example", () => {
    expect(() => conformanceCases(good, { context: { notes }, params: [] })).toThrow("params is empty");
  });

  test("accept findings that are known", async () => {
    const parameters = z.object({ title: z.string() });
    const tool = defineTool({ ...spec, parameters, execute: () => ({ text: "" }) });
    expect(await failuresOf(tool)).toEqual(["describes itself and each of its parameters"]);
    expect(await failuresOf(tool, { ...options, accepts: ({ path: at }) => at === "#/properties/title" })).toEqual([]);
  });
});

const text = { text: "" };
let looks = 0;

const EVERY_RUN = [
  "answers example 1 as it promises",
  "answers example 2 as it promises",
  "ends when its call is cancelled",
  "answers any parameters with a result",
];

const bad: readonly (readonly [what: string, tool: AnyTool, fails: readonly string[]])[] = [
  [
    "a name that providers refuse",
    defineTool({ ...spec, name: "notes.read", execute: () => text }),
    ["has a name that every provider takes as it is"],
  ],
  [
    "a schema that providers refuse",
    defineTool({
      ...spec,
      parameters: z.object({
        title: z.string().describe("Title"),
        "in what way?": z.string().optional().describe("-"),
      }),
      execute: () => text,
    }),
    ["has a schema that every provider takes as it is"],
  ],
  [
    "a schema that its examples do not fit",
    defineTool({
      ...spec,
      parameters: spec.parameters.extend({ title: z.number().describe("-") }),
      execute: () => text,
    }),
    ["accepts example 1", "accepts example 2", "answers example 1 as it promises", "answers example 2 as it promises"],
  ],
  [
    "a text that is too long",
    defineTool({ ...spec, execute: () => success("x".repeat(40_000), { data: text }) }),
    EVERY_RUN,
  ],
  [
    "a path of the host in an error",
    defineTool({
      ...spec,
      execute({ title }) {
        if (title === "today") return text;
        throw new ToolError(`No such file '${path.join(homedir(), "notes", "x")}'`, { code: "no_file" });
      },
    }),
    ["answers any parameters with a result"],
  ],
  [
    "a value that JSON cannot hold",
    defineTool({ ...spec, output: undefined, execute: () => new Response("milk") as never }),
    EVERY_RUN,
  ],
  [
    "a promise that nobody waits for",
    defineTool({ ...spec, execute: () => (void Promise.reject(new Error("dropped")), text) }),
    EVERY_RUN,
  ],
];

/** A tool that was not made by `defineTool`, or was and then wrapped. */
function wrapped(changes: object): AnyTool {
  return { ...good, validate: good.validate.bind(good), call: good.call.bind(good), ...changes } as AnyTool;
}

const cancellable = (answer: unknown) => (params: { title: string }, given: { signal?: AbortSignal }) =>
  given.signal?.aborted === true ? good.call(params, given as never) : Promise.resolve(answer);

const byHand: readonly (readonly [what: string, tool: AnyTool, fails: readonly string[]])[] = [
  [
    "a definition that changes",
    wrapped({
      get definition() {
        return { ...good.definition, description: `Read ${(looks += 1)} times.` };
      },
    }),
    ["is defined by the same bytes each time"],
  ],
  [
    "annotations that disagree",
    wrapped({ annotations: { readOnly: true, destructive: true } }),
    ["has annotations that agree with each other"],
  ],
  [
    "a validate that rejects",
    wrapped({ validate: () => Promise.reject(new Error("broken")) }),
    ["accepts example 1", "accepts example 2", "says of any parameters whether they fit"],
  ],
  [
    "a call that rejects",
    wrapped({ call: () => Promise.reject(new Error("broken")) }),
    ["does not start once its call is cancelled", ...EVERY_RUN, "says so when the host gives it nothing"],
  ],
  [
    "a call that starts although it is cancelled",
    wrapped({ call: () => Promise.resolve(success("ran", { data: text })) }),
    ["does not start once its call is cancelled"],
  ],
  [
    "data that does not fit",
    wrapped({ call: cancellable(success("ran", { data: 7 })) }),
    ["answers example 1 as it promises", "answers example 2 as it promises"],
  ],
  [
    "a result that is none",
    wrapped({ call: cancellable({ success: true, output: "ran" }) }),
    [...EVERY_RUN, "says so when the host gives it nothing"],
  ],
];

describe("conformanceCases() of a bad tool", () => {
  test.each(bad)("fail those about %s and no others", async (_, tool, fails) => {
    expect((await failuresOf(tool)).toSorted()).toEqual(fails.toSorted());
  });

  test.each(byHand)("fail those about %s and those about what is no tool", async (_, tool, fails) => {
    const all = [...fails, "can be registered", "goes out to the AI SDK, in the same bytes each time"];
    expect((await failuresOf(tool)).toSorted()).toEqual(all.toSorted());
  });

  test("fail for a tool that goes on after its call was cancelled", async () => {
    const tool = defineTool({ ...spec, timeoutMs: 300, execute: () => new Promise<never>(() => {}) });
    const failures = await failuresOf(tool, { ...options, execute: "examples", succeeds: false });
    expect(failures).toEqual(["ends when its call is cancelled"]);
  });
});
