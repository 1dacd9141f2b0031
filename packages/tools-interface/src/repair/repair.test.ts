import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createToolRegistry, createTranscript, defineTool, failure, type RepairKind } from "../index.ts";

const zod4 = z.object({
  query: z.string(),
  start_line: z.number().int(),
  limit: z.number().optional(),
  deep: z.boolean().optional(),
  tags: z.array(z.string()).default([]),
  filter: z.object({ min_size: z.number() }).optional(),
});
const zod3 = z3.object({
  query: z3.string(),
  start_line: z3.number().int(),
  limit: z3.number().optional(),
  deep: z3.boolean().optional(),
  tags: z3.array(z3.string()).default([]),
  filter: z3.object({ min_size: z3.number() }).optional(),
});
const json = {
  type: "object",
  properties: {
    query: { type: "string" },
    start_line: { type: "integer" },
    limit: { type: "number" },
    deep: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    filter: { type: "object", properties: { min_size: { type: "number" } }, required: ["min_size"] },
  },
  required: ["query", "start_line"],
} as const;

/** A tool that answers the parameters it was given. */
const search = {
  name: "search",
  description: "Searches.",
  execute: (params: unknown) => JSON.stringify(params),
};

const q = { query: "q", start_line: 3 };
const damages: readonly (readonly [string, unknown, object, readonly RepairKind[]])[] = [
  ["null for an optional field", { ...q, limit: null }, q, ["null_dropped"]],
  ["a number as text", { query: "q", start_line: "3" }, q, ["to_number"]],
  ["an array as text", { ...q, tags: '["a"]' }, { ...q, tags: ["a"] }, ["decoded"]],
  ["an object as text", { ...q, filter: '{"min_size":1}' }, { ...q, filter: { min_size: 1 } }, ["decoded"]],
  ["a single item for an array", { ...q, tags: "a" }, { ...q, tags: ["a"] }, ["to_array"]],
  ["a trailing comma", '{"query":"q","start_line":3,}', q, ["json_text"]],
  ["a code fence", '```json\n{"query":"q","start_line":3}\n```', q, ["json_text"]],
  ["a double encoding", JSON.stringify(JSON.stringify(q)), q, ["decoded"]],
  ["a key in another case", { query: "q", startLine: 3 }, q, ["key_renamed"]],

  ["a key with a slip beside a missing one", { query: "q", start_lin: 3 }, q, ["key_renamed"]],
  ["a key that is a part of a missing one", { query: "q", line: 3 }, q, ["key_renamed"]],
  ["a longer key than a missing one", { search_query: "q", start_line: 3 }, q, ["key_renamed"]],
  [
    "longer keys than a missing one and an optional one",
    { search_query: "q", start_line: 3, max_limit: 4 },
    { ...q, limit: 4 },
    ["key_renamed", "key_renamed"],
  ],

  ["a boolean as text", { ...q, deep: "true" }, { ...q, deep: true }, ["to_boolean"]],
  ["tags around it", '<tool_call>\n{"query":"q","start_line":3}\n</tool_call>', q, ["json_text"]],
  [
    "single quotes and Python's words",
    "{'query': 'q', 'start_line': 3, 'deep': True}",
    { ...q, deep: true },
    ["json_text"],
  ],
  ["comments", '{"query":"q", // what\n/* where */"start_line":3}', q, ["json_text"]],
  [
    "missing last brackets after all fields",
    '{"query":"q","start_line":3,"limit":1,"deep":true,"tags":[],"filter":{"min_size":1 ',
    { ...q, limit: 1, deep: true, tags: [], filter: { min_size: 1 } },
    ["json_text"],
  ],
  ["a decimal of zero", { ...q, limit: "5.0", start_line: "3.0" }, { ...q, limit: 5 }, ["to_number", "to_number"]],
  ["a capital boolean", { ...q, deep: "True" }, { ...q, deep: true }, ["to_boolean"]],
  [
    "all keys in another case",
    { Query: "q", startLine: 3, Limit: 4, filter: { minSize: 1 } },
    { ...q, limit: 4, filter: { min_size: 1 } },
    ["key_renamed", "key_renamed", "key_renamed", "key_renamed"],
  ],
  ["a list as Python prints it", { ...q, tags: "['a', 'b',]" }, { ...q, tags: ["a", "b"] }, ["decoded"]],
  ["a closing bracket too many", '{"query":"q","start_line":3}}', q, ["json_text"]],
  ["a wrapper", { arguments: q }, q, ["unwrapped"]],
  ["a wrapper as text", { input: JSON.stringify(q) }, q, ["unwrapped"]],
  ["a wrapper that names the tool", { name: "search", arguments: q }, q, ["unwrapped"]],
  ["a wrapper in a wrapper", { arguments: { input: q } }, q, ["unwrapped"]],
  ["wrappers as text", { arguments: JSON.stringify({ parameters: { input: q } }) }, q, ["unwrapped"]],
  ["a wrapper named like the tool", { search: q }, q, ["unwrapped"]],
  ["a whole call", { type: "tool_use", name: "search", input: q }, q, ["unwrapped"]],
  [
    "a whole call of a function",
    { type: "function", function: { name: "search", arguments: JSON.stringify(q) } },
    q,
    ["unwrapped"],
  ],
  ["damage in a wrapper", { parameters: { ...q, limit: "4" } }, { ...q, limit: 4 }, ["unwrapped", "to_number"]],
  ["a raw line break", '{"query":"a\nb","start_line":3}', { query: "a\nb", start_line: 3 }, ["json_text"]],
  ["three encodings", JSON.stringify(JSON.stringify(JSON.stringify(q))), q, ["decoded"]],
  [
    "text inside text",
    { ...q, filter: '{"min_size":"1"}' },
    { ...q, filter: { min_size: 1 } },
    ["decoded", "to_number"],
  ],
  [
    "a damaged text with damaged values",
    '{"query":"q","startLine":"3",}',
    q,
    ["json_text", "key_renamed", "to_number"],
  ],
];

describe.each([
  ["Zod 4", zod4],
  ["Zod 3", zod3],
  ["raw JSON Schema", json],
])("dispatch() with %s parameters", (source, parameters) => {
  const registry = createToolRegistry().register(defineTool({ ...search, parameters: parameters as typeof zod4 }));
  const defaults = source === "raw JSON Schema" ? {} : { tags: [] };

  test.each(damages)("runs a call with %s, and lists every repair", async (_, sent, params, kinds) => {
    const before = structuredClone(sent);
    const transcript = createTranscript();
    const result = await registry.dispatch({ name: "search", arguments: sent }, { transcript });
    expect(String(result)).toSatisfy((text: string) => text.startsWith("{"));
    expect(JSON.parse(String(result))).toEqual({ ...defaults, ...params });
    expect(result.repairs.map(({ kind }) => kind)).toEqual(kinds);
    expect(transcript.entries[0]?.arguments).toEqual(before);
    expect(result.toJSON().repairs).toEqual(kinds.length === 0 ? undefined : result.repairs);
    expect(sent).toEqual(before);
  });
});

const registry = createToolRegistry().register(defineTool({ ...search, parameters: zod4 }));

describe("result.repairs", () => {
  test("says where, what and why, in words without secrets", async () => {
    const { repairs } = await registry.dispatch("search", {
      query: "q",
      startLine: "3",
      limit: null,
      tags: "sk-live-0123456789abcdef",
    } as never);
    expect(repairs).toEqual([
      { path: ["start_line"], kind: "key_renamed", message: '"startLine" was taken for "start_line"' },
      { path: ["limit"], kind: "null_dropped", message: "null was left out: the field is optional" },
      { path: ["tags"], kind: "to_array", message: '"[secret]" was taken for ["[secret]"]' },
      { path: ["start_line"], kind: "to_number", message: '"3" was taken for 3' },
    ]);
    expect(Object.isFrozen(repairs)).toBe(true);
  });

  test("is also there when the tool then fails, with the tool's own text unchanged", async () => {
    const failing = createToolRegistry().register(
      defineTool({ ...search, parameters: zod4, execute: () => failure("no such index", { code: "gone" }) }),
    );
    const result = await failing.dispatch({ name: "search", arguments: '{"query":"q","start_line":"3",}' });
    expect(result).toMatchObject({ success: false, error: "no such index", code: "gone" });
    expect(result.repairs.map(({ kind }) => kind)).toEqual(["json_text", "to_number"]);
  });

  test("lists no repair that did not help: the failure describes the first fault", async () => {
    const result = await registry.dispatch("search", { query: 7, start_line: "3" } as never);
    expect(result.repairs).toEqual([]);
    expect(result).toMatchObject({ code: "invalid_params", issues: [{ path: ["query"] }, { path: ["start_line"] }] });
    expect(String(result)).toContain('- start_line: expected integer, received "3"; send 3');
  });

  test("is shown to nobody who approves: a person decides about what will run", async () => {
    const asked: unknown[] = [];
    const guarded = createToolRegistry().register(defineTool({ ...search, parameters: zod4, needsApproval: true }));
    const approve = ({ params }: { readonly params: unknown }) => asked.push(params) > 0;
    const result = await guarded.dispatch("search", { query: "q", start_line: "3" } as never, { approve });
    expect(asked).toEqual([{ query: "q", start_line: 3, tags: [] }]);
    expect(result).toMatchObject({ success: true, repairs: [{ kind: "to_number" }] });
  });
});

test("a field of a strict object is renamed, not copied", async () => {
  const tool = defineTool({ ...search, parameters: z.strictObject({ start_line: z.number() }) });
  expect(await tool.call({ startLine: 3 } as never)).toMatchObject({ success: true, output: '{"start_line":3}' });
});

test.each([
  ["a discriminated union", z.discriminatedUnion],
  ["a union", (_: string, branches: readonly [z.ZodObject, z.ZodObject]) => z.union(branches)],
])("the branch of %s that is meant says what is damaged", async (_, union) => {
  const branches = [
    z.object({ kind: z.literal("box"), size: z.number() }),
    z.object({ kind: z.literal("name"), size: z.string() }),
  ] as const;
  const tool = defineTool({ ...search, parameters: z.object({ shape: union("kind", branches) }) });
  const result = await tool.call({ shape: { kind: "box", size: "3" } });
  expect(result).toMatchObject({ output: '{"shape":{"kind":"box","size":3}}', repairs: [{ path: ["shape", "size"] }] });
});

test("a schema whose check is asynchronous is repaired too", async () => {
  const parameters = z.object({ n: z.number().refine(async (n) => n < 5, "n must be below 5") });
  const tool = defineTool({ ...search, parameters });
  expect(await tool.call({ n: "3" } as never)).toMatchObject({ output: '{"n":3}', repairs: [{ kind: "to_number" }] });
  expect(await tool.call({ n: "7" } as never)).toMatchObject({ code: "invalid_params", repairs: [] });
});

describe("defineTool({ repair })", () => {
  const annotations = { destructive: true };
  const define = (extra: object) =>
    createToolRegistry().register(defineTool({ ...search, parameters: zod4, ...extra }));

  test.each([
    ["a destructive tool", { annotations }],
    ["a tool that turns repairs off", { repair: "off" }],
  ])("leaves calls of %s alone, and says what would have been accepted", async (_, extra) => {
    const registered = define(extra);
    const params = { query: "q", startLine: 3, limit: null, tags: "a", filter: '{"min_size":1}' };
    const result = await registered.dispatch("search", params as never);
    expect(result).toMatchObject({ success: false, code: "invalid_params", repairs: [] });
    for (const advice of [
      'rename "startLine" to "start_line"',
      "leave it out",
      'send ["a"]',
      "send the value itself",
    ]) {
      expect(String(result)).toContain(advice);
    }
    const text = await registered.dispatch({ name: "search", arguments: '{"query":"q","start_line":3,}' });
    expect(text).toMatchObject({ success: false, code: "invalid_call", repairs: [] });
    expect(String(text)).toContain("a trailing comma");
  });

  test("repairs calls of a destructive tool that asks for it", async () => {
    const result = await define({ annotations, repair: "safe", needsApproval: false }).dispatch("search", {
      ...q,
      limit: null,
    } as never);
    expect(result).toMatchObject({ success: true, repairs: [{ kind: "null_dropped" }] });
  });

  test("shows what was decided, and refuses anything else", () => {
    const tool = (extra: object) => defineTool({ ...search, parameters: zod4, ...extra });
    expect([tool({}).repair, tool({ annotations }).repair, tool({ repair: "off" }).repair]).toEqual([
      "safe",
      "off",
      "off",
    ]);
    expect(() => tool({ repair: "full" })).toThrow('repair is "full", allowed are "safe", "lenient" and "off"');
  });

  test("never starts a tool whose call was cancelled while it was repaired", async () => {
    const controller = new AbortController();
    const parameters = z.object({
      n: z.number().refine(() => {
        controller.abort();
        return true;
      }),
    });
    const tool = defineTool({ ...search, parameters });
    const result = await tool.call({ n: "3" } as never, { signal: controller.signal });
    expect(result).toMatchObject({ success: false, code: "cancelled" });
  });
});

test("Tool.validate() judges parameters as they are", async () => {
  const tool = defineTool({ ...search, parameters: zod4 });
  expect(await tool.validate({ query: "q", start_line: "3" })).toMatchObject({ success: false });
});
