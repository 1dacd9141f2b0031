import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createToolRegistry, defineTool } from "../index.ts";

const shape = (s: typeof z) =>
  s.object({
    city: s.string(),
    days: s.number().int().min(1).max(14).optional(),
    unit: s.enum(["celsius", "fahrenheit"]).optional(),
    tags: s.array(s.string()).min(1).optional(),
    deep: s.boolean().optional(),
    share: s.number().gt(0).lt(1).optional(),
    step: s.number().multipleOf(5).optional(),
    code: s.string().min(2).max(5).optional(),
    mail: s.string().email().optional(),
    id: s
      .string()
      .regex(/^[a-z]+$/)
      .optional(),
    pair: s.tuple([s.string(), s.number()]).optional(),
    limits: s.record(s.string(), s.number()).optional(),
    window: s.object({ start_line: s.number(), end_line: s.number().optional() }).optional(),
    edits: s.array(s.object({ old_text: s.string(), new_text: s.string() })).optional(),
    area: s
      .union([
        s.object({ kind: s.literal("circle"), radius: s.number() }),
        s.object({ kind: s.literal("box"), width: s.number(), height: s.number() }),
      ])
      .optional(),
    at: s.union([s.string(), s.number()]).optional(),
    note: s.string().nullable().optional(),
    fixed: s.literal("yes").optional(),
  });
const zod4 = shape(z);
const describer = defineTool({ name: "t", description: "T.", parameters: zod4, execute: () => "" });

const city = "Oslo";
/** The arguments, and the path, the expected and the received that its text must hold. */
const corruptions: readonly (readonly [string, object, string, string, string])[] = [
  ["a missing field", {}, "city", "string", "nothing"],
  ["a number for a text", { city: 7 }, "city", "string", "7"],
  ["null for a required field", { city: null }, "city", "string", "null"],
  ["a text for a number", { city, days: "many" }, "days", "integer from 1 to 14", '"many"'],
  ["a number above its bound", { city, days: 99 }, "days", "integer from 1 to 14", "99"],
  ["a number below its bound", { city, days: 0 }, "days", "integer from 1 to 14", "0"],
  ["a fraction", { city, days: 1.5 }, "days", "integer from 1 to 14", "1.5"],
  ["a number at an open bound", { city, share: 1 }, "share", "number above 0 below 1", "1"],
  ["a number between steps", { city, step: 7 }, "step", "in steps of 5", "7"],
  ["a value outside an enum", { city, unit: "kelvin" }, "unit", 'one of "celsius", "fahrenheit"', '"kelvin"'],
  ["another value than the only one", { city, fixed: "no" }, "fixed", '"yes"', '"no"'],
  ["a word for a boolean", { city, deep: "yes" }, "deep", "boolean", '"yes"'],
  ["an object for a list", { city, tags: { a: 1 } }, "tags", "array of string of at least 1 item", "an object with a"],
  ["a wrong item", { city, tags: ["a", 2] }, "tags[1]", "string", "2"],
  ["too few items", { city, tags: [] }, "tags", "array of string of at least 1 item", "an array of 0 items"],
  ["a text that is too short", { city, code: "a" }, "code", "string of 2 to 5 characters", '"a"'],
  ["a text that is too long", { city, code: "abcdef" }, "code", "string of 2 to 5 characters", '"abcdef"'],
  ["a text in the wrong form", { city, mail: "nobody" }, "mail", "string in the form of an email", '"nobody"'],
  ["a text that does not match", { city, id: "A1" }, "id", "string matching /^[a-z]+$/", '"A1"'],
  ["a wrong place of a tuple", { city, pair: ["a", "b"] }, "pair[1]", "number", '"b"'],
  ["a wrong value of a record", { city, limits: { cpu: "all" } }, "limits.cpu", "number", '"all"'],
  ["a missing field inside", { city, window: {} }, "window.start_line", "number", "nothing"],
  ["a text for an object", { city, window: "top" }, "window", "object { start_line, end_line? }", '"top"'],
  ["a wrong field in a list", { city, edits: [{ old_text: 1, new_text: "b" }] }, "edits[0].old_text", "string", "1"],
  ["a wrong field in a branch", { city, area: { kind: "circle", radius: "big" } }, "area.radius", "number", '"big"'],
  ["a missing field in a branch", { city, area: { kind: "box", width: 1 } }, "area.height", "number", "nothing"],
  ["a branch that is none", { city, area: { kind: "cone" } }, "area.kind", 'one of "circle", "box"', '"cone"'],
  ["a kind no branch has", { city, at: true }, "at", "string or number", "true"],
  ["a kind that is not even null", { city, note: 7 }, "note", "string or null", "7"],
];

describe.each([
  ["Zod 4", zod4],
  ["Zod 3", shape(z3 as never)],
  ["raw JSON Schema", describer.parameters as never],
])("a refused call with %s parameters", (_source, parameters) => {
  const tool = defineTool({
    name: "forecast",
    description: "F.",
    parameters,
    execute: () => "",
  });

  test.each(corruptions)("says of %s where, what was expected and what was received", async (_, sent, ...said) => {
    const [path, expected, received] = said;
    const result = await tool.call(sent as never);
    if (result.success) throw new Error("Expected a failure");
    const lines = result.error.split("\n").filter((line) => line.startsWith("- "));
    expect(lines).toHaveLength(1);
    const [line = ""] = lines;
    expect(line.startsWith(`- ${path}: expected `)).toBe(true);
    expect(line).toContain(expected);
    expect(line).toContain(`received ${received}`);
    expect(result.error.length).toBeLessThanOrEqual(300);
    expect(result.issues?.[0]).toMatchObject({ received });
    expect(result.issues?.[0]?.expected).toContain(expected);
  });
});

const forecast = defineTool({ name: "forecast", description: "F.", parameters: zod4, execute: () => "" });

describe("the text of a refused call", () => {
  test("reads like this for one problem", async () => {
    expect(String(await forecast.call({ city, unit: "Celcius" } as never))).toMatchInlineSnapshot(`
      "Cannot call forecast with these parameters:
      - unit: expected one of "celsius", "fahrenheit", received "Celcius"; did you mean "celsius"
      Correct them and call it again, for example with {"city":"text"}"
    `);
  });

  test("reads like this for several", async () => {
    const sent = { cty: "Oslo", days: "soon", area: { kind: "box", width: "1", height: 2 }, edits: [{ oldText: "a" }] };
    expect(String(await forecast.call(sent as never))).toMatchInlineSnapshot(`
      "Cannot call forecast with these parameters:
      - city: expected string, received nothing; rename "cty" to "city"
      - days: expected integer from 1 to 14, received "soon"
      - edits[0].old_text: expected string, received nothing; rename "oldText" to "old_text"
      - edits[0].new_text: expected string, received nothing
      - area.width: expected number, received "1"; send 1
      Correct them and call it again, for example with {"city":"text"}"
    `);
  });

  test("reads like this for a strict object and a check of the tool's own", async () => {
    const parameters = z
      .strictObject({ first: z.number(), last: z.number().refine((last) => last < 100, "Give a last line below 100") })
      .refine(({ first, last }) => first <= last, { message: "first must not be after last", path: ["first"] });
    const lines = defineTool({ name: "lines", description: "L.", parameters, execute: () => "" });
    expect(String(await lines.call({ first: 1, last: 100, frist: 2 } as never))).toMatchInlineSnapshot(`
      "Cannot call lines with these parameters:
      - last: Give a last line below 100, received 100
      - (root): expected only the fields first, last, received "frist"; leave out "frist"
      Correct them and call it again, for example with {"first":1,"last":1}"
    `);
    expect(await lines.call({ first: 3, last: 2 })).toMatchObject({
      issues: [{ path: ["first"], message: "first must not be after last, received 3" }],
    });
  });

  test("keeps the tool author's own words beside those of the schema", async () => {
    const parameters = z.object({ city: z.string({ error: "Name the city in English" }) });
    const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "" });
    expect(String(await tool.call({ city: 7 } as never))).toContain(
      "- city: Name the city in English; expected string, received 7",
    );
  });

  test("counts what does not fit and stays short, whatever was sent", async () => {
    const parameters = z.object({ numbers: z.array(z.number()), text: z.string() });
    const tool = defineTool({ name: "n".repeat(128), description: "T.", parameters, execute: () => "" });
    const many = await tool.call({ numbers: Array.from({ length: 5_000 }, () => "x".repeat(500)), text: "" } as never);
    expect(String(many).length).toBeLessThanOrEqual(1_200);
    expect(String(many)).toMatch(/\n- and 49\d\d more\nCorrect them/);
    expect(many).toMatchObject({ issues: { length: 100 }, repairs: [] });
    const one = await tool.call({ numbers: [], text: { ["k".repeat(9_000)]: "x".repeat(9_000) } } as never);
    expect(String(one).length).toBeLessThanOrEqual(420);
  });

  test("names the fields that plain JSON Schema forbids, and what was meant", async () => {
    const parameters = {
      type: "object",
      properties: { start_line: { type: "integer" } },
      anyOf: [{ type: "object" }],
      additionalProperties: false,
    };
    const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "" });
    const result = await tool.call({ startLine: 1, end: 2 });
    expect(String(result)).toContain(
      '- (root): expected only the fields start_line, received "startLine", "end"; rename "startLine" to "start_line"',
    );
  });

  test("never holds a secret that stands in the wrong place", async () => {
    const secrets = [
      "sk-live-0123456789abcdef",
      "Bearer abcdef0123456789",
      "ghp_0123456789abcdefABCDEF0123456789abcd",
      "AKIAIOSFODNN7EXAMPLE",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
      "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE2KEY",
    ];
    for (const secret of secrets) {
      const sent = { city, days: secret, unit: `token ${secret}`, window: { [secret]: 1 }, tags: [secret, 1] };
      const result = await forecast.call(sent as never);
      const text = JSON.stringify(result);
      expect(text).toContain("[secret]");
      for (let start = 8; start + 8 <= secret.length; start += 1) {
        expect(text).not.toContain(secret.slice(start, start + 8));
      }
    }
  });
});

test("a call of an unknown tool gets the nearest name first", async () => {
  const make = (name: string) => defineTool({ name, description: "T.", parameters: zod4, execute: () => "" });
  const registry = createToolRegistry().register([make("list_files"), make("read_file")]);
  for (const name of ["raed_file", "READ_FILE", "readFile"]) {
    expect(String(await registry.dispatch({ name }))).toBe(
      `Cannot find tool "${name}": did you mean read_file? The available tools are list_files, read_file. Call one of these instead`,
    );
  }
  expect(String(await registry.dispatch({ name: "paint" }))).toContain("no tool has that name");
});

test("an answer names a field that its schema says is never there", async () => {
  const parameters = { type: "object", properties: { a: {}, b: false } };
  const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "" });
  const result = await createToolRegistry()
    .register(tool)
    .dispatch({ name: "t", arguments: { b: 1 } });
  expect(String(result)).toContain('- (root): expected only the fields a, received "b"; leave out "b"');
});
