import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema as Effect } from "effect";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { createToolRegistry, defineTool, type RepairPolicy, type Schema } from "../index.ts";

type Meaning = "allows" | "drops" | "forbids";
const json = (rest: object): Schema => ({
  type: "object",
  properties: { path: { type: "string" }, dry_run: { type: "boolean" } },
  required: ["path"],
  ...rest,
});

/** An Effect schema as a Standard Schema with JSON Schema. */
const effect = (schema: Effect.Codec<unknown>) => Effect.toStandardSchemaV1(Effect.toStandardJSONSchemaV1(schema));
const struct = Effect.Struct({ path: Effect.String, dry_run: Effect.optionalKey(Effect.Boolean) });

/** Each source's rule for a field that it does not name. */
const sources: readonly (readonly [string, Meaning, Schema])[] = [
  ["z.object", "drops", z.object({ path: z.string(), dry_run: z.boolean().optional() })],
  ["z.strictObject", "forbids", z.strictObject({ path: z.string(), dry_run: z.boolean().optional() })],
  ["z.looseObject", "allows", z.looseObject({ path: z.string(), dry_run: z.boolean().optional() })],
  ["z.object().catchall", "allows", z.object({ path: z.string() }).catchall(z.unknown())],
  [
    "an intersection of Zod",
    "drops",
    z.object({ path: z.string() }).and(z.object({ dry_run: z.boolean().optional() })),
  ],
  ["zod/mini object", "drops", mini.object({ path: mini.string(), dry_run: mini.optional(mini.boolean()) })],
  ["zod/mini strictObject", "forbids", mini.strictObject({ path: mini.string() })],
  ["zod/mini looseObject", "allows", mini.looseObject({ path: mini.string() })],
  ["Zod 3 object", "drops", z3.object({ path: z3.string(), dry_run: z3.boolean().optional() })],
  ["Zod 3 strict", "forbids", z3.object({ path: z3.string(), dry_run: z3.boolean().optional() }).strict()],
  ["Zod 3 passthrough", "allows", z3.object({ path: z3.string() }).passthrough()],
  ["v.object", "drops", toStandardJsonSchema(v.object({ path: v.string(), dry_run: v.optional(v.boolean()) }))],
  ["v.strictObject", "forbids", toStandardJsonSchema(v.strictObject({ path: v.string() }))],
  ["v.looseObject", "allows", toStandardJsonSchema(v.looseObject({ path: v.string() }))],
  ["ArkType", "allows", type({ path: "string", "dry_run?": "boolean" })],
  ["ArkType delete", "drops", type({ path: "string", "dry_run?": "boolean" }).onUndeclaredKey("delete")],
  ["ArkType reject", "forbids", type({ path: "string", "dry_run?": "boolean" }).onUndeclaredKey("reject")],
  ["Effect Struct", "drops", effect(struct)],
  [
    "Effect StructWithRest",
    "allows",
    effect(Effect.StructWithRest(struct, [Effect.Record(Effect.String, Effect.Unknown)])),
  ],
  ["TypeBox", "allows", Type.Object({ path: Type.String() })],
  ["TypeBox closed", "forbids", Type.Object({ path: Type.String() }, { additionalProperties: false })],
  ["JSON Schema", "allows", json({})],
  ["additionalProperties: true", "allows", json({ additionalProperties: true })],
  ["additionalProperties: {}", "allows", json({ additionalProperties: {} })],
  ["additionalProperties with a schema", "allows", json({ additionalProperties: { type: "number" } })],
  ["additionalProperties: false", "forbids", json({ additionalProperties: false })],
  ["unevaluatedProperties: false", "forbids", json({ unevaluatedProperties: false })],
  [
    "patternProperties",
    "allows",
    json({ patternProperties: { "^e": { type: "number" } }, additionalProperties: false }),
  ],
];

const removal = { path: "a", extra: 1 };
const received: unknown[] = [];

async function call(parameters: Schema, repair: RepairPolicy | undefined, rest: object = {}) {
  received.length = 0;
  const remove = defineTool({
    name: "remove",
    description: "Removes a file.",
    parameters,
    ...(repair && { repair }),
    ...rest,
    execute: (params) => {
      received.push(params);
      return "removed";
    },
  });
  return createToolRegistry()
    .register(remove)
    .dispatch({ name: "remove", arguments: removal }, { approve: () => true });
}

describe.each(sources.filter(([, meaning]) => meaning === "allows"))(
  "a field that %s lets in",
  (_, _meaning, schema) => {
    test.each(["safe", "lenient", "off"] as const)("reaches the tool whose repair is %s", async (repair) => {
      expect(await call(schema, repair)).toMatchObject({ success: true, output: "removed", repairs: [], ignored: [] });
      expect(received).toEqual([removal]);
    });
  },
);

describe.each(sources.filter(([, meaning]) => meaning !== "allows"))("a field that %s %s", (_, meaning, schema) => {
  test("is left out where the schema or the policy says so, which is listed and told", async () => {
    for (const repair of meaning === "drops" ? (["safe", "lenient"] as const) : (["lenient"] as const)) {
      const result = await call(schema, repair);
      expect(received).toEqual([{ path: "a" }]);
      expect(result).toMatchObject({ success: true, repairs: [], ignored: [{ path: ["extra"] }] });
      expect(String(result)).toBe('removed\nIgnored, because the tool has no such field: "extra"');
      expect(result.toJSON().ignored).toEqual(result.ignored);
    }
  });

  test("is refused anywhere else", async () => {
    for (const repair of meaning === "drops" ? (["off"] as const) : (["safe", "off"] as const)) {
      const result = await call(schema, repair);
      expect(result).toMatchObject({ success: false, code: "invalid_params", ignored: [] });
      expect(String(result)).toContain('received "extra"');
    }
    expect(await call(schema, undefined, { annotations: { destructive: true } })).toMatchObject({
      success: false,
      code: "invalid_params",
    });
    expect(received).toEqual([]);
  });
});

describe("a field that a schema does not name", () => {
  const tool = (parameters: unknown, rest: object = {}) =>
    defineTool({
      name: "t",
      description: "T.",
      parameters: parameters as typeof z.object.prototype,
      execute: (params: unknown) => JSON.stringify(params),
      ...rest,
    });

  test.each<[string, object, object]>([
    [
      "in an object without named fields",
      { properties: { inputs: { type: "object", properties: {} } } },
      { inputs: { a: { b: 1 } } },
    ],
    ["that is required", { required: ["a"] }, { a: 1 }],
    ["and counts", { properties: { b: {} }, minProperties: 2 }, { b: 1, c: 1 }],
    ["and another field depends on", { properties: { b: {} }, dependentRequired: { b: ["c"] } }, { b: 1, c: 1 }],
    ["in a constant", { properties: { a: { const: { b: 1 }, properties: {} } } }, { a: { b: 1 } }],
    ["in a listed value", { properties: { a: { type: "object", enum: [{ b: 1 }], properties: {} } } }, { a: { b: 1 } }],
    [
      "named like what every object has",
      {},
      JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":2}') as object,
    ],
    ["in the items of a list", { properties: { a: { items: { properties: { b: {} } } } } }, { a: [{ c: 1 }] }],
  ])("reaches the tool %s", async (_, schema, sent) => {
    const result = await tool({ type: "object", ...schema }).call(sent);
    expect(result).toMatchObject({ success: true, output: JSON.stringify(sent), ignored: [] });
  });

  test.each<[string, object, object]>([
    ["one too many", { properties: { a: {} }, maxProperties: 1 }, { a: 1, b: 1 }],
    ["of a name that is not allowed", { properties: { a: {} }, propertyNames: { maxLength: 1 } }, { a: 1, bb: 1 }],
    ["that must not be there", { properties: { a: {} }, not: { required: ["b"] } }, { a: 1, b: 1 }],
    ["of a type that is not allowed", { properties: { a: {} }, additionalProperties: { type: "string" } }, { b: 1 }],
  ])("is refused when it is %s", async (_, schema, sent) => {
    expect(await tool({ type: "object", ...schema }).call(sent)).toMatchObject({ code: "invalid_params" });
  });

  test("is listed with its place and the field that was probably meant", async () => {
    const parameters = z.object({ edits: z.array(z.object({ old: z.string(), count: z.number().optional() })) });
    const result = await tool(parameters).call({
      edits: [{ old: "a", cuont: 2, [`sk-live-${"0a1b2c3d".repeat(4)}`]: 1 }],
    });
    expect(result.ignored).toEqual([
      { path: ["edits", 0, "cuont"], meant: "count" },
      { path: ["edits", 0, `sk-live-${"0a1b2c3d".repeat(4)}`] },
    ]);
    expect(String(result).split("\n")[1]).toContain('fields: "edits[0].cuont" (did you mean "count"), ');
    expect(String(result)).not.toContain("0a1b2c3d0a1b2c3d");
  });

  test("may be read by a function that stands before the schema", async () => {
    const parameters = z.preprocess(
      (sent) => ({ path: (sent as { readonly file: unknown }).file }),
      z.object({ path: z.string() }),
    );
    expect(await tool(parameters).call({ file: "a" })).toMatchObject({ output: '{"path":"a"}', ignored: [] });
  });

  test("is reported beside content too, and kept in the record of a call", async () => {
    const content = [{ type: "text" as const, text: "x" }];
    const { success } = await import("../index.ts");
    const result = await tool(z.object({}), { execute: () => success("x", { content }) }).call({ a: 1 });
    expect(result).toMatchObject({ output: expect.stringMatching(/^x\nIgnored/) as string });
    expect(result.success && result.content?.[1]).toMatchObject({ text: expect.stringMatching(/^Ignored/) as string });
  });

  test("is what stubs say it is", () => {
    const shown = (parameters: unknown) => {
      const registry = createToolRegistry().register(tool(parameters) as never);
      return /t\(params: (.*?)(?: = \{\})?\): Promise/.exec(registry.generateStubs())?.[1];
    };
    const text = { a: { type: "string" } };
    const base = { type: "object", properties: text, required: ["a"] };
    expect(shown(base)).toBe("{ a: string; [key: string]: unknown }");
    expect(shown({ ...base, additionalProperties: true })).toBe("{ a: string; [key: string]: unknown }");
    expect(shown({ ...base, additionalProperties: false })).toBe("{ a: string }");
    expect(shown(z.object({ a: z.string() }))).toBe("{ a: string }");
    expect(shown(z.strictObject({ a: z.string() }))).toBe("{ a: string }");
    expect(shown(z.looseObject({ a: z.string() }))).toBe("{ a: string; [key: string]: unknown }");
    expect(shown(z3.object({ a: z3.string() }))).toBe("{ a: string }");
    expect(shown({ type: "object", properties: {} })).toBe("{ [key: string]: unknown }");
  });
});
