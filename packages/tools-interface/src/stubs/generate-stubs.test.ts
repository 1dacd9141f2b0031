import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, type AnyTool, type Schema } from "../index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stubs-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles source under `tsc --strict` and answers its complaints. */
function compile(source: string): string {
  const file = path.join(folder, "stubs.ts");
  writeFileSync(file, `${source}\nexport {};`);
  const require = createRequire(import.meta.url);
  const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const flags = [
    "--strict",
    "--noEmit",
    "--target",
    "es2023",
    "--module",
    "esnext",
    "--types",
    "",
    "--ignoreConfig",
    file,
  ];
  try {
    execFileSync(process.execPath, [tsc, ...flags], { encoding: "utf8" });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}

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
    const memory = z.object({
      query: z.string(),
      limit: z.number().default(5),
      tier: z.enum(["core", "working"]).optional(),
    });
    const source = stubs(tool("memory_read", memory), tool("clock", z.object({}), z.object({ now: z.string() })));
    expect(source).toContain(
      'async function memory_read(params: { query: string; limit?: number; tier?: "core" | "working" }): Promise<unknown> {\n' +
        '  return __callTool__("memory_read", params);\n}',
    );
    expect(source).toContain(
      "async function clock(params: { [key: string]: unknown } = {}): Promise<{ now: string }> {",
    );
    expect(source.match(/async function /g)).toHaveLength(2);
  });

  test("leaves out what it is told to", () => {
    const registry = createToolRegistry().register([tool("a", z.object({})), tool("b", z.object({}))]);
    expect(registry.generateStubs({ exclude: ["b"] })).not.toContain("function b");
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
          "odd-key": z.literal("x*/y"),
        }),
      ),
    );
    expect(source).toContain("both: (string | number)[]");
    expect(source).toContain("maybe: string | null");
    expect(source).toContain("pair: [string, number]");
    expect(source).toContain("table: { [key: string]: number }");
    expect(source).toContain('either: { kind: "a" } | { kind: "b"; n: number }');
    expect(source).toContain('"odd-key": "x*/y"');
  });

  test("compiles under tsc --strict for schemas of every kind, hostile ones included", () => {
    const hostile = "ends */ function evil() { return 1 } /* \u2028 evil2() //";
    const tools = [
      tool("tree", z.object({ root: tree }), tree),
      tool("self", { type: "object", properties: { next: { $ref: "#" } } }),
      tool("nowhere", {
        type: "object",
        properties: { a: { $ref: "#/$defs/missing" }, b: { $ref: "https://example.com/x" } },
      }),
      tool("circle", {
        type: "object",
        properties: { a: { $ref: "#/$defs/a" } },
        $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
      }),
      tool("knot", {
        type: "object",
        properties: { b: { $ref: "#/$defs/b" }, all: { allOf: [{ $ref: "#/$defs/a" }, { properties: { x: {} } }] } },
        $defs: {
          a: { anyOf: [{ $ref: "#/$defs/b" }, { type: "string" }] },
          b: { anyOf: [{ type: "object", properties: { p: { $ref: "#/$defs/a" } } }, { $ref: "#/$defs/a" }] },
        },
      }),
      tool("map", {
        type: "object",
        properties: { m: { $ref: "#/$defs/m" } },
        $defs: { m: { type: "object", additionalProperties: { $ref: "#/$defs/m" } } },
      }),
      tool("draft7", {
        type: "object",
        properties: { pair: { type: "array", items: [{ type: "string" }, { type: "null" }], additionalItems: false } },
      }),
      tool("loose", {
        type: "object",
        properties: { any: true, none: false, odd: { type: "wat" }, mixed: { type: ["string", "null"] } },
      }),
      tool("values", {
        type: "object",
        properties: { e: { enum: [1, "two", null, { deep: [true] }, -0.5] }, c: { const: {} } },
      }),
      tool("keys", {
        type: "object",
        properties: { "*/": { type: "string" }, "a\nb": {}, class: {}, "1": {}, "": {}, __proto__x: {} },
        required: ["*/"],
      }),
      tool("mixed", {
        type: "object",
        properties: { known: { type: "string" } },
        additionalProperties: { type: "number" },
      }),
      tool("closed", { type: "object", properties: {}, additionalProperties: false }),
      tool("hostile", z.object({ a: z.string().describe(hostile) }), undefined, hostile),
      ...[
        "class",
        "await",
        "get-weather",
        "get_weather",
        "get.weather",
        "9lives",
        "a/b",
        "console",
        "Tree",
        "TreeParamsSchema0",
      ].map((name) => tool(name, z.object({ n: z.number() }))),
    ];
    const source = stubs(...tools);
    expect(compile(source)).toBe("");
    expect(compile(`${source}\nvoid tree({ root: { name: "a", children: [{ name: "b", children: [] }] } });`)).toBe("");
    const wrong = compile(`${source}\nvoid tree({ root: { name: "a", children: [{ name: 1, children: [] }] } });`);
    expect(wrong).toContain("Type 'number' is not assignable to type 'string'");
    expect(compile(`${source}\nevil();`)).toContain("Cannot find name 'evil'");
  }, 60_000);

  test("gives the same source for the same tools", () => {
    const make = () => stubs(tool("a-b", z.object({ root: tree })), tool("a_b", z.object({})));
    expect(make()).toBe(make());
    expect(make()).toMatch(/function a_b_2\(.*\n {2}return __callTool__\("a-b"/);
  });
});
