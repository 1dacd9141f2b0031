import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import * as mini3 from "zod3/v4-mini";
import { defineTool, InvalidToolError } from "../index.ts";

const spec = { name: "t", description: "T.", execute: () => "" } as const;
/** The error of defining a tool with these parameters. */
function refusal(parameters: unknown): string {
  try {
    defineTool({ ...spec, parameters: parameters as never });
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidToolError);
    return (error as Error).message;
  }
  return "nothing was thrown";
}
const standard = { version: 1, vendor: "homemade", validate: (value: unknown) => ({ value }) };
const converting = (answer: unknown) => ({ "~standard": { ...standard, jsonSchema: { input: () => answer } } });

describe("defineTool() says what was found and what to write for", () => {
  class Fields {
    city = "";
  }
  test.each([
    ["nothing", undefined, /found undefined.*give the schema itself/],
    ["null", null, /found null/],
    ["JSON as text", '{"type":"object"}', /found a string.*JSON\.parse\(text\)/],
    ["a number", 7, /found a number/],
    ["a function", () => z.object({}), /found the function "".*call it/],
    ["a maker of schemas", z.object, /found the function ".*call it/],
    ["a class", Fields, /found the class "Fields"/],
    ["an instance", new Fields(), /object of a class of its own/],
    ["an array", [z.string()], /found an array/],
    ["a promise", Promise.resolve(z.object({})), /found a promise.*await it/],
    ["a map", new Map(), /object of a class of its own/],
    ["an object of Zod fields", { a: z.string() }, /found an object with schemas in "a".*z\.object\(\{ … \}\)/],
    ["an object of Zod 3 fields", { a: z3.string(), b: z3.number() }, /schemas in "a", "b".*z\.object/],
    ["an object of zod/mini fields", { a: mini.string() }, /schemas in "a".*z\.object/],
    ["an object of Valibot fields", { a: v.string() }, /schemas in "a".*toStandardJsonSchema\(v\.object/],
    ["an object of ArkType fields", { a: type("string") }, /schemas in "a".*type\(\{ … \}\)/],
    ["Zod fields in a JSON Schema", { type: "object", properties: { a: z.string() } }, /schemas in "a".*z\.object/],
    ["fields of JSON Schema alone", { a: { type: "string" } }, /found schemas under a.*properties/],
    ["a bare Valibot schema", v.object({}), /valibot schema has no .*toStandardJsonSchema\(schema\)/],
    ["a bare library", { "~standard": standard }, /this homemade schema has no "~standard"\.jsonSchema\.input/],
    ["a contract of version 2", { "~standard": { ...standard, version: 2 } }, /allowed is \{ version: 1/],
    ["a contract without validate", { "~standard": { version: 1, vendor: "x" } }, /allowed is \{ version: 1/],
    ["a contract that is null", { "~standard": null }, /allowed is \{ version: 1/],
    ["a contract whose validate is no function", { "~standard": { ...standard, validate: 1 } }, /version: 1/],
  ])("%s", (_, parameters, message) => {
    expect(refusal(parameters)).toMatch(message);
    expect(refusal(parameters)).toMatch(/^Cannot use the parameters of t: /);
  });

  test.each([
    ["a string", z.string(), /found type "string" at the root, allowed is an object schema; put it in a field/],
    ["a JSON Schema of a string", { type: "string" }, /found type "string" at the root/],
    ["an array", z.array(z.string()), /found type "array"/],
    ["a union", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), /found a union at the root/],
    ["a tagged union", z.discriminatedUnion("t", [z.object({ t: z.literal("a") })]), /found a union/],
    ["an object or null", z.object({}).nullable(), /at the root/],
    ["an intersection", { allOf: [{ type: "object" }, { type: "object" }] }, /an intersection.*extend/],
    ["any value", z.any(), /allows any value/],
    ["no value", z.never(), /allows nothing/],
    ["an empty JSON Schema", {}, /allows any value/],
    ["properties without a type", { properties: {} }, /no "type".*add type: "object"/],
    ["a field that no value fits", z.object({ a: z.never() }), /field "a" is required and allows no value/],
    ["a Zod 3 union", z3.union([z3.object({}), z3.string()]), /found a union/],
  ])("a root that is %s", (_, parameters, message) => {
    expect(refusal(parameters)).toMatch(message);
  });

  test.each([
    ["a Date", z.object({ when: z.date() }), /its field when: Date cannot.*z\.iso\.datetime\(\)/],
    ["a Date inside", z.object({ a: z.array(z.object({ when: z.date().optional() })) }), /its field a\[\]\.when: Date/],
    ["a BigInt", z.object({ n: z.bigint() }), /its field n: BigInt/],
    ["a Map", z.object({ m: z.map(z.string(), z.string()) }), /its field m: Map/],
    ["a Set", z.object({ s: z.set(z.string()) }), /its field s: Set/],
    ["a class instance", z.object({ u: z.instanceof(URL) }), /its field u: /],
    ["a Date beside zod/mini", z.object({ a: mini.string(), when: z.date() }), /its field when: Date/],
    ["a Date of zod/mini", mini.object({ when: mini.date() }), /its field when: Date/],
    ["a Date of Zod 3", z3.object({ a: z3.object({ when: z3.date() }) }), /its field a\.when is a ZodDate/],
    ["a BigInt of Zod 3", z3.object({ n: z3.bigint() }), /its field n is a ZodBigInt/],
    ["a Map of Zod 3", z3.object({ m: z3.map(z3.string(), z3.string()) }), /its field m is a ZodMap/],
    ["a Date of ArkType", type({ when: "Date" }), /date cannot/],
    ["a Map of ArkType", type({ m: "Map" }), /Map cannot/],
    ["a BigInt of ArkType", type({ n: "bigint" }), /bigint cannot/],
    ["a Date of Valibot", toStandardJsonSchema(v.object({ when: v.date() })), /"date" schema cannot/],
  ])("%s, which JSON cannot hold", (_, parameters, message) => {
    expect(refusal(parameters)).toMatch(message);
  });

  test.each([
    ["a Zod 3 field in a Zod 4 object", z.object({ a: z3.string() as never }), /its field a: found a Zod 3 schema/],
    [
      "a Zod 3 field deep inside",
      z.object({ q: z.object({ a: z3.string() as never }) }),
      /its field q\.a: found a Zod 3/,
    ],
    ["a Zod 4 field in a Zod 3 object", z3.object({ a: z.string() as never }), /"a" that is no Zod 3 schema/],
    ["a zod/mini field in a Zod 3 object", z3.object({ a: mini.string() as never }), /"a" that is no Zod 3 schema/],
    ["a Zod 4 item in a Zod 3 array", z3.object({ a: z3.array(z.string() as never) }), /its field a is no Zod 3/],
    ["zod/v4-mini inside zod 3.25", mini3.object({ a: mini3.string() }), /zod\/mini 4\.0\.0.*allowed are 4\.2/],
  ])("%s", (_, parameters, message) => {
    expect(refusal(parameters)).toMatch(message);
  });

  test("a Zod schema that is newer than the converter beside it", () => {
    const schema = mini.object({ a: mini.string() });
    schema._zod.version = { major: 4, minor: 999, patch: 0 } as never;
    expect(refusal(schema)).toMatch(/schema of Zod 4\.999\.0 and a converter of Zod 4\.\d+\.\d+.*install one zod/);
  });
});

describe("defineTool() throws nothing but InvalidToolError for a schema that", () => {
  const cycle: Record<string, unknown> = { type: "object" };
  cycle["properties"] = { self: cycle };
  const shared = Array.from({ length: 60 }).reduce((inner) => ({ allOf: [inner, inner] }), { type: "object" });
  const deep = Array.from({ length: 100_000 }).reduce((inner) => ({ type: "object", properties: { a: inner } }), {});
  const huge = {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`p${i}`, {}])),
  };
  const endless = (): unknown => new Proxy({ not: 0 }, { get: (_, key) => (key === "not" ? endless() : undefined) });
  const throwing = new Proxy(
    {},
    {
      get() {
        throw new Error("trap");
      },
      has: () => true,
      ownKeys() {
        throw new Error("trap");
      },
    },
  );
  test.each([
    [
      "throws when its contract is read",
      Object.defineProperty({}, "~standard", { get: () => JSON.parse("{") as never }),
    ],
    ["throws something odd", converting(throwing)],
    ["is a proxy that throws at every turn", throwing],
    ["converts itself to nothing", converting(undefined)],
    ["converts itself to text", converting('{"type":"object"}')],
    ["converts itself to a promise", converting(Promise.resolve({ type: "object" }))],
    ["converts itself to a boolean", converting(true)],
    ["converts itself to a circular object", converting(cycle)],
    ["converts itself to what stands for endlessly much", converting(shared)],
    ["converts itself to something very deep", converting(deep)],
    ["converts itself to something huge", converting(huge)],
    ["converts itself to functions", converting({ type: "object", properties: { a: () => 1 } })],
    ["has no function to convert itself", { "~standard": { ...standard, jsonSchema: { input: {} } } }],
    [
      "has a converter that throws",
      { "~standard": { ...standard, jsonSchema: { input: () => JSON.parse("{") as never } } },
    ],
    ["is frozen before Zod has completed it", Object.freeze(z.object({}))],
    ["is circular", cycle],
    ["stands for endlessly much", shared],
    ["is very deep", deep],
    ["is huge", huge],
    ["holds a function", { type: "object", default: () => 1 }],
    ["is deep without end", endless()],
  ])("%s", (_, parameters) => {
    const message = refusal(parameters);
    expect(message).toMatch(/^Cannot (?:use the parameters of|define) t: /);
    expect(message.length).toBeLessThan(600);
  });

  test("is the output or the context, too", () => {
    const parameters = z.object({});
    const output = z.object({ n: z.string().transform(Number) });
    expect(() => defineTool({ ...spec, parameters, output } as never)).toThrow(
      /output of t: its field n: .*\.pipe\(z\.number\(\)\)/,
    );
    const output3 = z3.object({ n: z3.string().transform(Number) });
    expect(() => defineTool({ ...spec, parameters, output: output3 } as never)).toThrow(
      /output of t: its field n is a transform/,
    );
    for (const context of [{ a: z.string() }, { "~standard": { ...standard, version: 2 } }, () => 1, "x"]) {
      expect(() => defineTool({ ...spec, parameters, context: context as never })).toThrow(InvalidToolError);
    }
  });
});

describe("defineTool() takes", () => {
  const checkedText = v.pipe(v.string(), v.trim(), v.check((text) => text !== "2"), v.brand("Text")); // prettier-ignore
  const value = { a: "1" };
  test.each([
    ["an intersection", z.object({ a: z.string() }).and(z.object({ b: z.string().optional() }))],
    ["a frozen schema", toStandardJsonSchema(Object.freeze(v.object({ a: v.string() })))],
    ["checks and small changes of Valibot", toStandardJsonSchema(v.object({ a: checkedText }))],
    ["an asynchronous schema of Valibot", toStandardJsonSchema(v.objectAsync({ a: v.string() }) as never)],
    ["a narrowed type of ArkType", type({ a: type("string").narrow((text) => text !== "2") })],
    ["a frozen JSON Schema", Object.freeze({ type: "object", properties: Object.freeze({ a: { type: "string" } }) })],
    ["a proxied schema", new Proxy(z.object({ a: z.string() }), {})],
    ["a proxied JSON Schema", new Proxy({ type: "object", properties: { a: { type: "string" } } }, {})],
    ["a transform at the root", z.object({ a: z.string() }).transform((given) => given)],
    ["a pipe at the root", z.object({ a: z.string() }).pipe(z.object({ a: z.string() }))],
    ["a Zod 3 transform at the root", z3.object({ a: z3.string() }).transform((given) => given)],
    ["zod/mini in Zod 4", z.object({ a: mini.string() })],
    ["a named root", z.object({ a: z.string() }).meta({ id: "Named" })],
    ["a lazy root", z.lazy(() => z.object({ a: z.string() }))],
    ["a branded schema", z.object({ a: z.string().brand("A") })],
    ["a null-prototype JSON Schema", Object.assign(Object.create(null), { type: "object", properties: { a: {} } })],
  ])("%s", async (_, parameters) => {
    const tool = defineTool({ ...spec, parameters, execute: (params) => JSON.stringify(params) });
    expect(tool.parameters).toMatchObject({ type: "object", properties: { a: {} } });
    expect(String(await tool.call(value as never))).toBe('{"a":"1"}');
  });

  test("a recursive schema by a name", async () => {
    const node = z.object({ a: z.string(), get next() { return node.optional(); } }).meta({ id: "Node" }); // prettier-ignore
    const tool = defineTool({ ...spec, parameters: node, execute: (params) => JSON.stringify(params) });
    expect(tool.parameters).toMatchObject({ type: "object", required: ["a"] });
    expect(String(await tool.call({ a: "1", next: { a: "2" } }))).toBe('{"a":"1","next":{"a":"2"}}');
    expect(String(await tool.call({ a: "1", next: { a: 2 } } as never))).toContain(
      "- next.a: expected string, received 2",
    );
  });
});
