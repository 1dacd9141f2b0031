import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { defineTool } from "../define/define-tool.ts";
import { createToolRegistry } from "../registry/create-tool-registry.ts";

const sources = {
  "Zod 4": z.object({ path: z.string(), n: z.number().optional() }),
  "Zod 4, loose": z.looseObject({ path: z.string(), n: z.number().optional() }),
  "Zod 4, strict": z.strictObject({ path: z.string(), n: z.number().optional() }),
  "Zod 3": z3.object({ path: z3.string(), n: z3.number().optional() }),
  "Zod 3, loose": z3.object({ path: z3.string(), n: z3.number().optional() }).passthrough(),
  "Standard Schema": toStandardJsonSchema(v.looseObject({ path: v.string(), n: v.optional(v.number()) })),
  "JSON Schema": {
    type: "object" as const,
    properties: { path: { type: "string" as const }, n: { type: "number" as const } },
    required: ["path"],
    additionalProperties: false,
  },
  "JSON Schema, loose": {
    type: "object" as const,
    properties: { path: { type: "string" as const }, n: { type: "number" as const } },
  },
};

const toolOf = (parameters: object, more: object = {}) =>
  defineTool({
    name: "t",
    description: "T.",
    parameters: parameters as never,
    execute: (params: unknown) => JSON.stringify(params),
    ...more,
  });

describe.each(Object.entries(sources))("A tool with %s", (_, parameters) => {
  const registry = createToolRegistry().register(toolOf(parameters));
  const send = (text: string) => registry.dispatch({ name: "t", arguments: text });

  test.each([
    ['{"path":"a","path":"b"}', ["path"]],
    ['{"path":"a","n":9007199254740993}', ["n"]],
    ['{"path":"a","n":1e400}', ["n"]],
    ['{"path":"a","__proto__":{"n":1}}', ["__proto__"]],
    ['{"path":"a","\\u005f_proto__":1}', ["__proto__"]],
    ['{"path":{"a":1,"a":2}}', ["path", "a"]],
  ])("refuses %s", async (text, path) => {
    const result = await send(text);
    expect(result).toMatchObject({ success: false, code: "invalid_params", effects: "none" });
    expect(result).toHaveProperty("issues.0.path", path);
  });

  test("is given the digits of an integer where it takes text, and a field that was sent twice alike", async () => {
    expect(await send('{"path":12345678901234567890}')).toMatchObject({
      output: '{"path":"12345678901234567890"}',
      repairs: [{ path: ["path"], kind: "to_string" }],
    });
    expect(await send('{"path":"a", "path":"a"}')).toMatchObject({
      output: '{"path":"a"}',
      repairs: [{ path: ["path"], kind: "repeat_dropped" }],
    });
  });

  test("is given none of them without repair", async () => {
    const strict = createToolRegistry().register(toolOf(parameters, { repair: "off" }));
    for (const text of ['{"path":12345678901234567890}', '{"path":"a", "path":"a"}']) {
      expect(await strict.dispatch({ name: "t", arguments: text })).toMatchObject({ code: "invalid_params" });
    }
  });
});

test.each([
  '```json\n{"path":"a","p\\u0061th":"b"}\n```',
  '{"path":"a","n":9007199254740993,}',
  '{"path":"a","n":1e400,}',
  "{path:'a',__proto__:{n:1}}",
  JSON.stringify('{"path":"a","path":"b"}'),
  '{"arguments":"{\\"path\\":\\"a\\",\\"path\\":\\"b\\"}"}',
])("Damaged or wrapped text is refused: %s", async (text) => {
  const registry = createToolRegistry().register(toolOf(sources["Zod 4"]));
  expect(await registry.dispatch({ name: "t", arguments: text })).toHaveProperty("success", false);
});
