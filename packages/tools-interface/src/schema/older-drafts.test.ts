import { describe, expect, test } from "vitest";
import { defineTool, type JsonSchema } from "../index.ts";

const define = (properties: JsonSchema, more: JsonSchema = {}) =>
  defineTool({
    name: "old",
    description: "Is old.",
    parameters: { type: "object", properties, ...more },
    execute: () => "",
  });
const fits = async (properties: JsonSchema, params: unknown) => (await define(properties).validate(params)).success;

describe("defineTool() with words of older drafts", () => {
  test.for([
    [{ type: "number", minimum: 0, exclusiveMinimum: true }, 0, 0.5],
    [{ type: "number", maximum: 5, exclusiveMaximum: true }, 5, 4],
    [{ type: "number", minimum: 0, exclusiveMinimum: false, maximum: 5, exclusiveMaximum: true }, 5, 0],
    [{ type: "number", exclusiveMinimum: true }, "1", -1],
    [{ type: "array", items: { type: "integer", minimum: 1, exclusiveMinimum: true } }, [2, 1], [2, 3]],
    [{ anyOf: [{ type: "null" }, { type: "integer", minimum: 1, exclusiveMinimum: true }] }, 1, null],
    [{ type: "object", properties: { a: { type: "any", required: true } } }, {}, { a: [1] }],
  ] as const)("reads %j as it is meant", async ([field, refused, accepted]) => {
    expect([await fits({ field }, { field: refused }), await fits({ field }, { field: accepted })]).toEqual([
      false,
      true,
    ]);
  });

  test("tells models of what it read, and hosts of what it changed", () => {
    const tool = define(
      {
        "a/b": { type: "number", minimum: 0, exclusiveMinimum: true, description: "exclusiveMinimum: true" },
        c: { type: "any", required: true, default: { required: true } },
        d: { type: "string", required: false },
      },
      { required: ["a/b"] },
    );
    expect(tool.parameters).toEqual({
      type: "object",
      properties: {
        "a/b": { type: "number", exclusiveMinimum: 0, description: "exclusiveMinimum: true" },
        c: { default: { required: true } },
        d: { type: "string" },
      },
      required: ["a/b", "c"],
    });
    expect(tool.schemaChanges).toEqual([
      { path: "#/properties/a~1b/exclusiveMinimum", message: "true was read as draft 4 does: exclusiveMinimum is 0" },
      { path: "#/properties/c/type", message: '"any" was read as draft 3 does: any type' },
      { path: "#/properties/c/required", message: "true was read as draft 3 does: whether this field must be there" },
      { path: "#/properties/d/required", message: "false was read as draft 3 does: whether this field must be there" },
    ]);
  });

  test("reads a schema that says it is of draft 4", async () => {
    const tool = define(
      { n: { type: "number", maximum: 5, exclusiveMaximum: true } },
      {
        $schema: "http://json-schema.org/draft-04/schema#",
      },
    );
    expect((await tool.validate({ n: 5 })).success).toBe(false);
  });

  test("changes nothing of what is sound, and refuses what no draft knows", () => {
    const properties = { required: { type: "boolean" }, exclusiveMinimum: { const: true }, any: { enum: ["any"] } };
    expect(define(properties).schemaChanges).toEqual([]);
    expect(define(properties).parameters).toEqual({ type: "object", properties, required: [] });
    expect(() => define({ a: { minimum: 0, exclusiveMinimum: true, type: "text" } })).toThrow(/type stands "text"/);
    expect(() => define({ a: { exclusiveMinimum: "1" } })).toThrow(/exclusiveMinimum stands "1", allowed is a number/);
  });
});
