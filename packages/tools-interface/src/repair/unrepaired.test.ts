import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createToolRegistry, defineTool } from "../index.ts";

const shape = (s: typeof z) =>
  s.object({
    path: s.string().default("p"),
    count: s.number().default(1),
    line: s.number().int().default(1),
    flag: s.boolean().default(false),
    tags: s.array(s.string()).default([]),
    numbers: s.array(s.number()).default([]),
    edits: s.array(s.object({ old: s.string() })).default([]),
    options: s.object({ depth: s.number(), deep_copy: s.boolean().optional() }).optional(),
    text_or_number: s.union([s.string().min(2), s.number()]).optional(),
    number_or_tags: s.union([s.number(), s.array(s.string())]).optional(),
    flag_or_tags: s.union([s.boolean(), s.array(s.string())]).optional(),
    shape: s
      .union([
        s.object({ kind: s.literal("box"), size: s.number() }),
        s.object({ kind: s.literal("name"), size: s.string().min(5) }),
      ])
      .optional(),
    either: s.union([s.object({ a: s.number() }), s.object({ b: s.number() })]).optional(),
    mode: s.enum(["text", "bytes"]).default("text"),
    limits: s.record(s.string(), s.number()).default({}),
  });
const rest = { start_line: 3, name: "n" };
const required = (lib: typeof z) => lib.object({ start_line: lib.number(), name: lib.string() });

const wrong: readonly (readonly [string, object])[] = [
  ["words for a number", { count: "3 apples" }],
  ["a hexadecimal numeral", { count: "0x10" }],
  ["a numeral that overflows", { count: "1e999" }],
  ["a numeral after a space", { count: " 3" }],
  ["a numeral before a line break", { count: "3\n" }],
  ["a numeral with a plus", { count: "+3" }],
  ["a numeral with zeros in front", { count: "007" }],
  ["a numeral with zeros behind its decimals and in front", { count: "03.0" }],
  ["a numeral of a minus zero", { count: "-0.0" }],
  ["a numeral of more decimals than a number has", { count: "0.10000000000000000001" }],
  ["a numeral with thousands", { count: "1,000" }],
  ["a numeral that a number cannot hold", { count: "9007199254740993" }],
  ["the word for infinity", { count: "Infinity" }],
  ["the word for no number", { count: "NaN" }],
  ["an empty text for a number", { count: "" }],
  ["a fraction for an integer", { line: "3.5" }],
  ["a boolean for a number", { count: true }],
  ["a list for a number", { count: [3] }],
  ["a number for a text", { path: 7 }],
  ["a boolean for a text", { path: true }],
  ["a list for a text", { path: ["p"] }],
  ["a number for a boolean", { flag: 1 }],
  ["a word for a boolean", { flag: "yes" }],
  ["a boolean in a sentence", { flag: "True." }],
  ["a numeral for a boolean", { flag: "1" }],
  ["a number for a list of texts", { tags: 3 }],
  ["a list in one text", { tags: "a, b" }],
  ["lines in one text", { tags: "a\nb" }],
  ["an empty text for a list", { tags: "" }],
  ["the word null for a list", { tags: "null" }],
  ["broken JSON for a list", { tags: '["a"' }],
  ["JSON of the wrong items for a list", { tags: "[1]" }],
  ["JSON of an object for a list", { tags: '{"a":1}' }],
  ["a numeral for a list of numbers", { numbers: "3" }],
  ["an object for a list of objects", { edits: { old: "a" } }],
  ["a text for a list of objects", { edits: "a" }],
  ["a list of objects for a number", { count: [{ n: 3 }] }],
  ["a list of objects for a list of texts", { tags: [{ tag: "a" }] }],
  ["a list for an object", { options: [{ depth: 1 }] }],
  ["null for a required field of an object", { options: { depth: null } }],
  ["null for a value of a record", { limits: { a: null } }],
  ["null for an item of a list", { tags: ["a", null] }],
  ["a text that its union allows but its check does not", { text_or_number: "3" }],
  ["a numeral that may be a number or an item", { number_or_tags: "3" }],
  ["a word that may be a boolean or an item", { flag_or_tags: "true" }],
  ["a numeral where the branch wants a text", { shape: { kind: "name", size: "3" } }],
  ["a branch of no kind", { shape: { kind: "circle", size: "3" } }],
  ["an object of which no branch is likelier", { either: { a: "1", b: "2" } }],
  ["a longer text than an enum value", { mode: "text mode" }],
  ["an enum value with a slip", { mode: "txet" }],
  ["a record of words", { limits: { a: "many" } }],
];

const keys: readonly (readonly [string, object])[] = [
  ["two keys that could be meant", { startLine: 3, StartLine: 4, name: "n" }],
  ["two keys with slips that could be meant", { start_lin: 3, tart_line: 4, name: "n" }],
  ["a key with a letter of another script", { "start_l\u0456ne": 3, name: "n" }],
  ["a key of other words", { first: 3, name: "n" }],
  ["null for a required field", { start_line: null, name: "n" }],
  ["undefined for a required field", { start_line: undefined, name: "n" }],
  ["a renamed key of the wrong type", { startLine: "three", name: "n" }],
];

/** Text is refused or reported as the JSON it is; in no case may the tool run. */
const texts: readonly (readonly [string, string])[] = [
  ["prose", "I would search for the name first"],
  ["a bare word", "search"],
  ["a cut in a string", '{"start_line":3,"name":"n'],
  ["a cut after an escape", '{"start_line":3,"name":"n\\'],
  ["a cut in a number", '{"name":"n","start_line":3'],
  ["a cut in a word", '{"start_line":3,"name":"n","x":tru'],
  ["a cut in a key", '{"start_line":3,"name":"n","co'],
  ["a cut after a key", '{"start_line":3,"name":"n","content"'],
  ["a cut after a colon", '{"start_line":3,"name":"n","content":'],
  ["a cut after a comma", '{"start_line":3,"name":"n",'],
  ["a cut in a nested string", '{"start_line":3,"name":"n","x":{"y":["z'],
  ["a cut in a single-quoted string", "{'start_line': 3, 'name': 'it"],
  ["a cut in a code fence", '```json\n{"start_line":3,"name":"n\n```'],
  ["two objects", '{"start_line":3,"name":"n"}{"start_line":4,"name":"m"}'],
  ["prose before it", 'Here you go:\n{"start_line":3,"name":"n"}'],
  ["prose after it", '{"start_line":3,"name":"n"}\nbut only once it is approved'],
  ["a word that takes it back", 'NOT {"start_line":3,"name":"n"}'],
  ["two objects with prose", '{"start_line":3,"name":"n"} or {"start_line":4,"name":"m"}'],
  ["a field twice", '{"start_line":3,"name":"n","name":"m",}'],
  ["quotes in a string", '{"start_line":3,"name":"say "hi" now"}'],
  ["a bare word as a value", '{"start_line":3,"name":n}'],
  ["a hexadecimal number", '{"start_line":0x10,"name":"n"}'],
  ["a number that overflows", '{"start_line":1e999,"name":"n",}'],
  ["an ellipsis", '{"start_line":3,"name":"n",...}'],
  ["the inner object of a broken outer one", '"name": "n", "x": {"start_line":3,"name":"n"}'],
  ["a list around it", '[{"start_line":3,"name":"n"},]'],
  ["an object after the name of a field", 'name: {"start_line":3,"name":"n"}'],
  ["a cut after a field, with others unsent", '{"name":"n"'],
  ["a bracket of the wrong kind", '{"start_line":3,"name":"n"]'],
  ["more fields after it", '{"start_line":3},"name":"n"'],
];

const raw = {
  type: "object",
  properties: { start_line: { type: "number" }, name: { type: "string" } },
  required: ["start_line", "name"],
} as const;

describe.each([
  ["Zod 4", shape(z), required(z)],
  ["Zod 3", shape(z3 as never) as never, required(z3 as never)],
  [
    "raw JSON Schema",
    defineTool({ name: "t", description: "T.", parameters: shape(z), execute: () => "" }).parameters,
    raw,
  ],
])("dispatch() with %s parameters", (_, all, few) => {
  const execute = vi.fn(() => "ran");
  const registry = createToolRegistry().register([
    defineTool({ name: "all", description: "All.", parameters: all as never, execute }),
    defineTool({ name: "few", description: "Few.", parameters: few as never, execute }),
  ]);

  test("runs what is right", async () => {
    expect(await registry.dispatch({ name: "all", arguments: {} })).toMatchObject({ success: true, repairs: [] });
    expect(await registry.dispatch({ name: "few", arguments: rest })).toMatchObject({ success: true, repairs: [] });
  });

  test.each([
    ...wrong.map(([what, sent]) => [what, "all", sent] as const),
    ...keys.map(([what, sent]) => [what, "few", sent] as const),
    ...texts.map(([what, sent]) => [what, "few", sent] as const),
  ])("does not repair %s", async (_what, name, sent) => {
    execute.mockClear();
    const result = await registry.dispatch({ name, arguments: sent });
    expect(result).toMatchObject({ success: false, repairs: [] });
    expect(execute).not.toHaveBeenCalled();
  });
});

test.each([
  ["an object that keeps fields it does not know", z.looseObject({ start_line: z.number() }), { startLine: 3 }],
  ["an object with values for any field", z.object({ start_line: z.number() }).catchall(z.number()), { startLine: 3 }],
  [
    "an object with two fields that could be meant",
    z.object({ start_line: z.number(), startline: z.number().optional() }),
    { StartLine: 3 },
  ],
])("dispatch() renames no field of %s", async (_, parameters, sent) => {
  const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "ran" });
  expect(await tool.call(sent as never)).toMatchObject({ success: false, repairs: [] });
});

test("no advice says to leave out a required field", async () => {
  const tool = defineTool({ name: "t", description: "T.", parameters: z.object({ a: z.string() }), execute: () => "" });
  expect(String(await tool.call({ a: null } as never))).toContain("- a: expected string, received null\n");
});

test("there are more than forty calls that must not be repaired", () => {
  expect(wrong.length + keys.length + texts.length).toBeGreaterThan(40);
});
