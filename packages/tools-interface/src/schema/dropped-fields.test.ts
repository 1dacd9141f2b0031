import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { Schema as Effect } from "effect";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { defineTool, type Schema } from "../index.ts";

const tool = (parameters: unknown, rest: object = {}) =>
  defineTool({
    name: "t",
    description: "T.",
    parameters: parameters as typeof z.object.prototype,
    execute: (params: unknown) => JSON.stringify(params),
    ...rest,
  });
const effect = (schema: Effect.Codec<unknown>, onExcessProperty?: "error") => {
  const options = onExcessProperty && { parseOptions: { onExcessProperty } };
  return Effect.toStandardSchemaV1(Effect.toStandardJSONSchemaV1(schema), options);
};
const struct = Effect.Struct({ path: Effect.String, dry_run: Effect.optionalKey(Effect.Boolean) });

describe("a field that a schema's library drops", () => {
  test("is refused under every policy where Effect refuses it, which its JSON Schema does not show", async () => {
    for (const repair of ["safe", "lenient", "off"] as const) {
      const result = await tool(effect(struct, "error"), { repair }).call({ path: "a", extra: 1 });
      expect(result).toMatchObject({ code: "invalid_params", issues: [{ path: ["extra"] }] });
      expect(String(result)).toContain("- extra: Expected no excess property");
    }
  });

  test("is dropped by an Effect struct within, and listed", async () => {
    const parameters = effect(Effect.Struct({ a: Effect.Array(struct), by: Effect.Record(Effect.String, struct) }));
    const sent = { a: [{ path: "x", extra: 1 }], by: { k: { path: "y", more: 2 } } };
    expect(await tool(parameters).call(sent)).toMatchObject({
      output: expect.stringContaining('{"a":[{"path":"x"}],"by":{"k":{"path":"y"}}}') as string,
      ignored: [{ path: ["a", 0, "extra"] }, { path: ["by", "k", "more"] }],
    });
  });

  const chain = z.object({
    get a() {
      return chain.optional();
    },
  });
  const strict = z.strictObject({
    get a() {
      return strict.optional();
    },
  });
  const deep = (stray: object) => Array.from({ length: 50 }).reduce<object>((value) => ({ a: value }), stray);
  test.each<[string, number, (stray: object) => object, object]>([
    ["at the root", 200_000, (stray) => stray, {}],
    ["far within", 3_921, deep, {}],
    ["and forbidden", 3_921, deep, { repair: "lenient", parameters: strict }],
  ])("is refused before the tool runs where a result cannot list all: %s", async (_, most, wrap, more) => {
    let runs = 0;
    const one = tool(chain, { execute: () => `ran ${(runs += 1)}`, ...more });
    const stray = Object.fromEntries(Array.from({ length: most }, (__, index) => [`k${index}`, index]));
    const listed = await one.call(wrap(stray));
    expect(listed).toMatchObject({ success: true, output: expect.stringMatching(/^ran 1\n/) as string });
    expect(listed.ignored).toHaveLength(most);
    const refused = await one.call(wrap({ ...stray, last: 1 }));
    expect(refused).toMatchObject({ success: false, code: "invalid_params", ignored: [] });
    expect(await one.validate(wrap({ ...stray, last: 1 }))).toMatchObject({ success: false });
    expect(runs).toBe(1);
  });

  test.each<[string, Schema]>([
    ["a record", z.object({ by: z.record(z.string(), z.object({ path: z.string() })) })],
    [
      "a catchall",
      z.object({ n: z.number().optional() }).catchall(z.record(z.string(), z.object({ path: z.string() }))),
    ],
    ["a record of Zod 3", z3.object({ by: z3.record(z3.string(), z3.object({ path: z3.string() })) })],
    [
      "a record of Valibot",
      toStandardJsonSchema(v.object({ by: v.record(v.string(), v.object({ path: v.string() })) })),
    ],
    ["a recursive record", z.object({ by: z.lazy(() => z.record(z.string(), z.object({ path: z.string() }))) })],
  ])("is listed where it stands in the values of %s", async (_, parameters) => {
    const result = await tool(parameters).call({ by: { k: { path: "a", extra: 1 } } });
    expect(result.ignored).toEqual([{ path: ["by", "k", "extra"] }]);
    expect(String(result)).toBe('{"by":{"k":{"path":"a"}}}\nIgnored, because the tool has no such field: "by.k.extra"');
  });

  const branches = (objects: readonly [z.ZodObject, z.ZodObject]) => z.object({ a: z.union(objects) });
  test.each<[string, Schema, object, object, readonly (string | number)[]]>([
    [
      "of another branch of a discriminated union",
      z.object({
        a: z.discriminatedUnion("t", [
          z.object({ t: z.literal("x"), n: z.number() }),
          z.object({ t: z.literal("y"), s: z.string() }),
        ]),
      }),
      { t: "x", n: 1, s: "lost" },
      { t: "x", n: 1 },
      ["a", "s"],
    ],
    [
      "of a later branch of a union",
      branches([z.object({ n: z.number() }), z.object({ n: z.number(), m: z.number() })]),
      { n: 1, m: 2 },
      { n: 1 },
      ["a", "m"],
    ],
    [
      "of another variant of Valibot",
      toStandardJsonSchema(
        v.object({
          a: v.variant("t", [v.object({ t: v.literal("x") }), v.object({ t: v.literal("y"), s: v.string() })]),
        }),
      ),
      { t: "x", s: "lost" },
      { t: "x" },
      ["a", "s"],
    ],
    [
      "behind a tuple of Valibot",
      toStandardJsonSchema(v.object({ a: v.tuple([v.string()]) })),
      ["x", "lost"],
      ["x"],
      ["a", 1],
    ],
  ])("is listed when it is %s", async (_, parameters, sent, given, path) => {
    const result = await tool(parameters).call({ a: sent });
    expect(result).toMatchObject({ success: true, ignored: [{ path }] });
    expect(String(result).split("\n")[0]).toBe(JSON.stringify({ a: given }));
    expect(await tool(parameters, { repair: "off" }).call({ a: sent })).toMatchObject({ code: "invalid_params" });
    expect(await tool(parameters).call({ a: given })).toMatchObject({ success: true, ignored: [] });
  });

  test("is listed where a function makes something else of its object", async () => {
    const parameters = z.object({ a: z.object({ k: z.string() }).transform(({ k }) => k) });
    expect(await tool(parameters).call({ a: { k: "x", extra: 1 } })).toMatchObject({
      success: true,
      ignored: [{ path: ["a", "extra"] }],
    });
  });

  test.each<[string, Schema]>([
    [
      "Zod",
      z.object({ a: z.preprocess((sent) => ({ k: (sent as { old: string }).old }), z.object({ k: z.string() })) }),
    ],
    [
      "Zod 3",
      z3.object({ a: z3.preprocess((sent) => ({ k: (sent as { old: string }).old }), z3.object({ k: z3.string() })) }),
    ],
  ])("may be read by a function within a schema of %s", async (_, parameters) => {
    for (const repair of ["safe", "off"] as const) {
      const result = await tool(parameters, { repair }).call({ a: { old: "x" } });
      expect(result).toMatchObject({ success: true, output: '{"a":{"k":"x"}}', ignored: [] });
    }
  });

  test("keeps its name where it would not fit under the one that differs in case alone", async () => {
    const parameters = { type: "object", properties: { A: { type: "string" } } };
    const result = await tool(parameters).call({ a: null });
    expect(result).toMatchObject({ success: true, output: '{"a":null}', repairs: [] });
  });
});
