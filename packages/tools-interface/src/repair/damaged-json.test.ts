import { expect, test } from "vitest";
import { readDamagedJson } from "./damaged-json.ts";

test.each([
  ["{a: 1, $b_2: 2}", { a: 1, $b_2: 2 }, ["a key without quotes"]],
  [`{'a': 'it\\'s "so"', "b": "it's"}`, { a: 'it\'s "so"', b: "it's" }, ["single quotes"]],
  ["{'a': True, 'b': [False, None]}", { a: true, b: [false, null] }, ["single quotes", "a word of Python"]],
  ['{"a": "x\ty\r\nz"}', { a: "x\ty\r\nz" }, ["a raw line break or tab in a string"]],
  ['{"a": [1, 2,], }', { a: [1, 2] }, ["a trailing comma"]],
  [
    '{"a": "// no /* comment */", /* one */ "b": -1.5e3 // two\n}',
    { a: "// no /* comment */", b: -1500 },
    ["a comment"],
  ],
  ['```\n{"a":1}\n```', { a: 1 }, ["a code fence"]],
  ['<tool>{"a":1}</tool>', { a: 1 }, ["text around it"]],
  ['{"a":1}}', { a: 1 }, ["a closing bracket too many"]],
  ['"{"a":1}"', { a: 1 }, ["text around it"]],
  ['<|tool_call|>\narguments: {"a":1}\n</tool_call>', { a: 1 }, ["text around it"]],
  ['JSON\n{"a":1}', { a: 1 }, ["text around it"]],
  ['{"a":"\\u00e9\\n\\\\"}.', { a: "é\n\\" }, ["text around it"]],
  ['{\u00a0"a":1}', { a: 1 }, ["white space that JSON does not know"]],
])("readDamagedJson() reads %j", (text, value, faults) => {
  expect(readDamagedJson(text)).toEqual({ value, faults });
});

test.each([
  ["no braces", "it holds no object"],
  ['{"a": "b', "it ends inside a string: it was cut off"],
  ['{"a": "b\\u00', "it ends inside a string: it was cut off"],
  ['{"a": 1', "it ends inside a number: it was cut off"],
  ['{"a": 1,', "it ends before the object does: it was cut off"],
  ['{"a": tr', "it ends before the object does: it was cut off"],
  ['{"a": 1 /* and', 'at position 8 it holds "/* and"'],
  ['{"a": .5}', 'at position 6 it holds ".5}"'],
  ['{"a": 01}', 'at position 6 it holds "01}"'],
  ['{"a": undefined}', 'at position 6 it holds "undefined}"'],
  ['{"a": "\\x41"}', 'at position 7 it holds "\\\\x41\\"}"'],
  ['{"a" 1}', 'at position 5 it holds "1}"'],
  ['{"a": 1 "b": 2}', 'at position 8 it holds "\\"b\\": 2}"'],
  ['{"a":1,,}', 'at position 7 it holds ",}"'],
  ["{,}", 'at position 1 it holds ",}"'],
  ['{"a": 1e999,}', "it holds the number 1e999"],
  ['{"a": 1, "a": 2,}', 'it holds the field "a" twice'],
  ['{"a": "\u0000"}', "it holds a control character"],
  ['```json\n{"a":1}}', 'after the object it holds "}"'],
  ['Do not run this: {"a":1}', 'before the object it holds "Do not run this:"'],
  ['{"a":1} is what I would send if I were sure', 'after the object it holds "is what I would send"'],
  ['Ask the user first, then: ```json\n{"a":1}\n```', 'before the object it holds "first, then: ```json"'],
  ['delete_all: {"a":1}', 'before the object it holds "delete_all:"'],
  ['input_not {"a":1}', 'before the object it holds "input_not"'],
  ['```jsonless {"a":1}', 'before the object it holds "```jsonless"'],
  ['不要执行 {"a":1}', 'before the object it holds "不要执行"'],
  ['{"a":1} ≠', 'after the object it holds "≠"'],
  ['{"a":1}]', 'after the object it holds "]"'],
  ['{"a":1}, "b":2', 'after the object it holds ", \\"b\\":2"'],
  ['x: [{"a":1}', 'before the object it holds "x: ["'],
  [`${"<a>".repeat(100)}{"a":1}`, 'before the object it holds "a><a><a><a><a><a><a>"'],
])("readDamagedJson() does not read %j", (text, reason) => {
  expect(readDamagedJson(text)).toEqual({ reason });
});

test("readDamagedJson() takes no field for a label", () => {
  expect(readDamagedJson("options: {a: 1}")).toMatchObject({ value: { a: 1 } });
  for (const text of ["options: {a: 1}", "'options' = {a: 1}", "b, `options`: {a: 1}"]) {
    expect(readDamagedJson(text, ["options"])).toHaveProperty("reason");
  }
});

test("readDamagedJson() keeps the prototype out", () => {
  for (const key of ["__proto__", '"__proto__"', '"\\u005f_proto__"']) {
    const read = readDamagedJson(`{${key}: {"polluted": true}, "a": 1,}`);
    expect(read).toEqual({ reason: "__proto__: no field may have this name: leave it out" });
  }
});

test("readDamagedJson() refuses deep nesting and comes to an end of long texts", () => {
  expect(readDamagedJson(`{"a":${"[".repeat(100_000)}`)).toMatchObject({ reason: "it is nested deeper than 200" });
  for (const part of ["'", '"', "\\", "/*", "//", " ", "{", "a", "1,", "\n", "```", "`"]) {
    expect(readDamagedJson(`{"a":${part.repeat(200_000)}`)).toHaveProperty("reason");
    expect(readDamagedJson(`${part.repeat(200_000)}{`)).toHaveProperty("reason");
  }
});

test.each([
  [
    '{"a": [1, {"b": "c"}',
    { a: [1, { b: "c" }] },
    [
      { path: ["a"], fields: undefined },
      { path: [], fields: ["a"] },
    ],
  ],
  ['{"a": 12 ', { a: 12 }, [{ path: [], fields: ["a"] }]],
  [
    '{"a": [{"b": {"c": 1 ',
    { a: [{ b: { c: 1 } }] },
    [
      { path: ["a", 0, "b"], fields: ["c"] },
      { path: ["a", 0], fields: ["b"] },
      { path: ["a"], fields: undefined },
      { path: [], fields: ["a"] },
    ],
  ],
])("readDamagedJson() reads %j, and says what it ends within", (text, value, unclosed) => {
  expect(readDamagedJson(text)).toEqual({ value, faults: ["a missing closing bracket"], unclosed });
});
