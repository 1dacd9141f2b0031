import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool, success, type Schema } from "../index.ts";

const items = Array.from({ length: 20_000 }, (_, index) => ({ b: index }));

function toolOf(parameters: Schema) {
  return defineTool({ name: "t", description: "T.", parameters, execute: () => "ran" });
}

describe("dispatch() with a long array that is wrong in every item", () => {
  test.each<[string, Schema]>([
    ["Zod", z.object({ a: z.array(z.object({ b: z.string() })) })],
    ["Valibot", toStandardJsonSchema(v.object({ a: v.array(v.object({ b: v.string() })) }))],
    [
      "JSON Schema",
      {
        type: "object",
        properties: { a: { type: "array", items: { type: "object", properties: { b: { type: "string" } } } } },
      },
    ],
  ])("tells the first issues of a schema of %s, and counts the others", async (_, parameters) => {
    const transcript = createTranscript();
    const registry = createToolRegistry().register(toolOf(parameters));
    const result = await registry.dispatch({ id: "c1", name: "t", arguments: { a: items } }, { transcript });
    expect(result).toMatchObject({ code: "invalid_params" });
    expect("issues" in result && result.issues).toHaveLength(100);
    expect(String(result)).toMatch(/- a\[0\]\.b: expected string, received 0\n[^]*\n- and 199\d\d more\nCorrect them/);
    expect(String(result).length).toBeLessThanOrEqual(1_200);
    const again = await toolOf(parameters).validate({ a: items });
    expect(!again.success && again.error.issues.length).toBe(100);
  });

  test("repairs nothing, because not all of it was looked at", async () => {
    const tool = toolOf(z.object({ a: z.array(z.number()) }));
    const texts = Array.from({ length: 101 }, (_, index) => `${index}`);
    expect(await tool.call({ a: texts })).toMatchObject({ code: "invalid_params", repairs: [] });
    expect(await tool.call({ a: texts.slice(1) })).toMatchObject({ success: true });
  });

  test("says so when the library cannot hold that many", async () => {
    const many = Array.from({ length: 300_000 }, (_, index) => index);
    const result = await toolOf(z.object({ a: z.array(z.string()) })).call({ a: many });
    expect(result).toMatchObject({ code: "invalid_params" });
    expect(String(result)).toContain("cannot be checked, it is nested too deeply or wrong in too many places");
  });

  test("counts the issues of an output too", async () => {
    const output = z.object({ a: z.array(z.string()) });
    const execute = () => success("x", { data: { a: items.map(({ b }) => b) as never } });
    const tool = defineTool({ name: "t", description: "T.", parameters: z.object({}), output, execute });
    expect(String(await tool.call({}))).toMatch(/does not fit the output it declares[^]*- and 199\d\d more\n/);
  });

  test("counts the fields that a tool without repair refuses", async () => {
    const parameters = z.object({ a: z.string().optional() });
    const tool = defineTool({ name: "t", description: "T.", parameters, repair: "off", execute: () => "ran" });
    const fields = Object.fromEntries(items.map(({ b }) => [`x${b}`, b]));
    const result = await tool.call(fields);
    expect(result).toMatchObject({ code: "invalid_params" });
    expect("issues" in result && result.issues?.length).toBeLessThanOrEqual(100);
  });
});
