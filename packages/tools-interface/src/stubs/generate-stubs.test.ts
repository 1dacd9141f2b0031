import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type AnyTool, createToolRegistry, defineTool, type Schema } from "../index.ts";
import { typeErrors } from "./__fixtures__/type-check.ts";
import { generateStubs } from "./generate-stubs.ts";

function tool(name: string, parameters: Schema, output?: Schema, description = `The tool ${name}.`): AnyTool {
  return defineTool({ name, description, parameters, output, execute: () => "" } as never);
}
const stubs = (...tools: AnyTool[]): string => createToolRegistry().register(tools).generateStubs();

interface Tree {
  readonly name: string;
  readonly children: Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(tree) }));

describe("generateStubs()", () => {
  test("writes one function for each tool that calls the bridge", () => {
    const memory = z.object({ query: z.string(), limit: z.number().optional(), tier: z.enum(["core", "working"]) });
    expect(stubs(tool("memory_read", memory), tool("clock", z.object({}), z.object({ now: z.string() })))).toBe(
      [
        "declare function __callTool__<T>(name: string, params: unknown): Promise<T>;",
        "/** The tool memory_read. */",
        'async function memory_read(params: { query: string; limit?: number; tier: "core" | "working" }): Promise<unknown> {',
        '  return __callTool__("memory_read", params);',
        "}",
        "/** The tool clock. */",
        "async function clock(params: { [key: string]: never } = {}): Promise<{ now: string }> {",
        '  return __callTool__("clock", params);',
        "}",
        "",
      ].join("\n"),
    );
  });

  test("says of each field what its type does not", () => {
    const parameters = z.object({
      city: z.string().min(1).describe("Name of the city"),
      unit: z.enum(["celsius", "fahrenheit"]).default("celsius"),
      days: z.array(z.int().max(14)).describe("Which days\n@deprecated */ evil()").optional(),
      place: z.object({ zip: z.string().regex(/^\d+$/) }).nullable(),
    });
    const output = z.object({ degrees: z.number().describe("In that unit") });
    expect(generateStubs([tool("weather", parameters, output, "Looks up.\n\n- one")], { declarations: true })).toBe(
      [
        "/**",
        " * Looks up.",
        " *",
        " * - one",
        " */",
        "declare function weather(params: {",
        "  /** Name of the city (minLength 1) */",
        "  city: string;",
        '  /** default "celsius" */',
        '  unit?: "celsius" | "fahrenheit";',
        "  /**",
        "   * Which days",
        "   * \\@deprecated *\\/ evil() (items: integer, items: maximum 14)",
        "   */",
        "  days?: number[];",
        "  place: {",
        '    /** pattern "^\\\\d+$" */',
        "    zip: string;",
        "  } | null;",
        "}): Promise<{",
        "  /** In that unit */",
        "  degrees: number;",
        "}>;",
        "",
      ].join("\n"),
    );
  });

  test("leaves out the excluded tools, and names the others as before", () => {
    const registry = createToolRegistry().register([tool("a_b", z.object({})), tool("a-b", z.object({}))]);
    const source = registry.generateStubs({ exclude: ["a_b"] });
    expect(source).not.toContain("function a_b(");
    expect(source).toMatch(/function a_b_2\(.*\n {2}return __callTool__\("a-b"/);
  });

  test("prints types that are right where others print wrong ones", () => {
    const source = stubs(
      tool(
        "odd",
        z.object({
          both: z.array(z.union([z.string(), z.number()])),
          maybe: z.string().nullable(),
          pair: z.tuple([z.string(), z.number()]),
          table: z.record(z.string(), z.number()),
          either: z.discriminatedUnion("kind", [
            z.object({ kind: z.literal("a") }),
            z.object({ kind: z.literal("b"), n: z.number() }),
          ]),
          open: z.looseObject({ a: z.string() }),
          "odd-key": z.literal("x*/y"),
        }),
      ),
    );
    expect(source).toContain("both: (string | number)[]");
    expect(source).toContain("maybe: string | null");
    expect(source).toContain("pair: [string, number]");
    expect(source).toContain("table: { [key: string]: number }");
    expect(source).toContain('either: { kind: "a" } | { kind: "b"; n: number }');
    expect(source).toContain("open: { a: string; [key: string]: unknown }");
    expect(source).toContain('"odd-key": "x*/y"');
  });

  test.each<[string, unknown, string]>([
    ["says what a validator ignores", { type: "string", nullable: true }, "string"],
    [
      "has fields that hold anything",
      { properties: { a: {} } },
      "{ a?: unknown; [key: string]: unknown } | unknown[] | string",
    ],
    [
      "has an optional field that every object inherits",
      { type: "object", properties: { valueOf: {} } },
      "valueOf?: unknown",
    ],
    [
      "may be an object with one of two fields",
      { type: "object", properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      "{ a?: string; [key: string]: unknown } & ({ a: unknown } | { b: unknown })",
    ],
    [
      "has conditions",
      { type: "object", properties: { a: true }, if: {}, else: {} },
      "{ a?: unknown; [key: string]: unknown }",
    ],
    [
      "has an alternative that takes anything",
      { properties: { a: { type: "string" } }, type: "object", anyOf: [{ properties: { b: true } }, {}] },
      "{ a?: string; [key: string]: unknown }",
    ],
    [
      "refers to a document of its own",
      { $id: "https://example.com/y", type: "array", items: { $ref: "#" } },
      "value?: unknown[]; [key: string]: unknown }",
    ],
    ["lists values of another type", { type: "string", enum: ["a", 1] }, 'value?: "a"; [key: string]: unknown }'],
    [
      "lists many objects",
      { enum: Array.from({ length: 40 }, (_, a) => ({ a })) },
      "{ a: 38 } | { a: 39 }; [key: string]: unknown }",
    ],
    [
      "lists field names",
      { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: { type: "null" }, required: ["a"] },
      "{ a: null; b?: null }",
    ],
    [
      "has typed fields beside named ones",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
      "{ a?: string; [key: string]: number | string | undefined }",
    ],
  ])("is exact or wider for a schema that %s", (_, value, expected) => {
    const parameters = { type: "object", properties: { value } };
    expect(stubs(tool("x", parameters as Schema))).toContain(expected);
  });

  test("follows recursion into the values of a call", () => {
    const source = stubs(tool("tree", z.object({ root: tree }), tree));
    expect(
      typeErrors(`${source}\nvoid tree({ root: { name: "a", children: [{ name: "b", children: [] }] } });`),
    ).toEqual(new Map());
    const wrong = typeErrors(`${source}\nvoid tree({ root: { name: "a", children: [{ name: 1, children: [] }] } });`);
    expect([...wrong.values()].join()).toContain("Type 'number' is not assignable to type 'string'");
  });

  test("types the answer by the output, and as unknown without one", () => {
    const source = stubs(
      tool("now", z.object({}), z.object({ at: z.string().default("x") })),
      tool("any", z.object({})),
    );
    expect(typeErrors(`${source}\n(await now()).at.trim();`).size).toBe(0);
    expect(typeErrors(`${source}\n(await now()).to;`).size).toBe(1);
    expect(typeErrors(`${source}\n(await any()).at;`).size).toBe(1);
  });

  test("demands parameters of which one is required by a reference", () => {
    const parameters = {
      type: "object",
      allOf: [{ $ref: "#/$defs/a" }],
      $defs: { a: { required: ["a"], type: "object" } },
    };
    expect(stubs(tool("x", parameters))).toContain(
      "async function x(params: { [key: string]: unknown } & XParamsA): Promise<unknown> {",
    );
  });

  test("gives the same source for the same tools", () => {
    const make = () => stubs(tool("a-b", z.object({ root: tree })), tool("a_b", z.object({})));
    expect(make()).toBe(make());
  });
});

describe("registry.generateStub()", () => {
  const tools = [
    tool("tree-a", z.object({ root: tree })),
    tool("tree_a", z.object({ root: tree })),
    tool("b", z.object({})),
  ];

  test.each([false, true])("gives the stub of one tool as it stands among all, declarations: %s", (declarations) => {
    const all = generateStubs(tools, { declarations });
    const parts = tools.map(({ name }) => createToolRegistry().register(tools).generateStub(name, { declarations }));
    expect(all.endsWith(parts.join(""))).toBe(true);
    expect(typeErrors(parts[0] ?? "").size).toBe(declarations ? 0 : 1);
  });

  test("answers nothing for a tool that is not there", () => {
    expect(createToolRegistry().register(tools).generateStub("c")).toBeUndefined();
  });
});
