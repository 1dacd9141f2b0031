import type { JsonSchema } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { toOpenAiTools } from "../openai.ts";

function strict(properties: JsonSchema, required: readonly string[] = []) {
  const parameters = { type: "object", properties, required };
  return toOpenAiTools([{ name: "t", description: "d", parameters }], { strict: true });
}

const text = { type: "string" };
const nullable = { type: ["string", "null"] };

describe("decode()", () => {
  it("drops a null that stands for an absent field and keeps one that the schema allows", () => {
    const wire = strict({ absent: text, kept: nullable, both: { anyOf: [text, { type: "null" }] } }, ["kept"]);
    expect(wire.decode("t", { absent: null, kept: null, both: null })).toEqual({ kept: null, both: null });
  });

  it("keeps a null that one of several fitting branches allows, whichever comes first", () => {
    const dropping = { type: "object", properties: { b: text, a: text }, required: ["a"] };
    const keeping = { type: "object", properties: { a: text, b: nullable }, required: ["a", "b"] };
    for (const anyOf of [
      [dropping, keeping],
      [keeping, dropping],
    ]) {
      const wire = strict({ x: { anyOf } }, ["x"]);
      expect(wire.decode("t", { x: { a: "1", b: null } })).toEqual({ x: { a: "1", b: null } });
    }
  });

  it("drops nulls by the branch that a value is of", () => {
    const first = { type: "object", properties: { kind: { const: "a" }, x: text }, required: ["kind"] };
    const second = { type: "object", properties: { kind: { const: "b" }, x: nullable }, required: ["kind", "x"] };
    const wire = strict({ list: { type: "array", items: { oneOf: [first, second] } } });
    const list = [
      { kind: "a", x: null },
      { kind: "b", x: null },
    ];
    expect(wire.decode("t", { list })).toEqual({ list: [{ kind: "a" }, { kind: "b", x: null }] });
  });
});

describe("the report", () => {
  it("says where and why a subset cannot say a schema", () => {
    const why = (schema: unknown) => strict({ x: schema }).report[0]?.notStrict?.replace(/^.*schema: /, "");
    expect(why({ type: "object", properties: {}, required: ["y"] })).toBe(
      '#/properties/x requires "y" and does not say what it is',
    );
    expect(why({ type: "object", properties: { "a/b": {} } })).toBe("#/properties/x/properties/a~1b names no type");
    expect(why({ type: "string", allOf: [{ type: "number" }] })).toBe("#/properties/x allows no value at all");
    expect(why({ type: "text" })).toBe("#/properties/x names a type that JSON has not");
    expect(why({ $ref: "https://example.com/schema" })).toBe(
      "#/properties/x refers to https://example.com/schema, which is not in the schema",
    );
  });
});
