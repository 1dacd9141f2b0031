import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../index.ts";
import { exampleOf } from "./example-params.ts";

test.each([
  [z.object({ a: z.string(), b: z.number().optional() }), { a: "text" }],
  [z.object({ a: z.string().min(8), b: z.string().max(2) }), { a: "text----", b: "te" }],
  [
    z.object({ a: z.number().min(3), b: z.int().gt(3), c: z.number().max(-1), d: z.number().multipleOf(5) }),
    { a: 3, b: 4, c: -1, d: 5 },
  ],
  [
    z.object({ a: z.enum(["x", "y"]), b: z.literal(2), c: z.boolean(), d: z.null() }),
    { a: "x", b: 2, c: true, d: null },
  ],
  [
    z.object({ a: z.array(z.string()), b: z.array(z.number()).min(2), c: z.tuple([z.string()]) }),
    { a: [], b: [1, 1], c: ["text"] },
  ],
  [z.object({ a: z.union([z.object({ b: z.string() }), z.string()]) }), { a: { b: "text" } }],
  [
    z.object({ a: z.email(), b: z.iso.datetime(), c: z.url() }),
    { a: "name@example.com", b: "2030-01-31T12:00:00Z", c: "https://example.com" },
  ],
])("exampleOf() a schema is a valid example", (parameters, example) => {
  const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "" });
  expect(exampleOf(tool.parameters)).toEqual(example);
  expect(parameters.safeParse(example).success).toBe(true);
});

test("an example that the tool's own check refuses is not shown", async () => {
  const parameters = z.object({ a: z.string().refine((text) => text === "only the author knows") });
  const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "" });
  expect(String(await tool.call({ a: "x" }))).toMatch(/call it again$/);
});

test("exampleOf() ends for a schema that refers to itself", () => {
  const schema = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
  expect(exampleOf(schema)).toBeUndefined();
});
