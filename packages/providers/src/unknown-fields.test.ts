import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { toOpenAiTools } from "./openai.ts";

const base = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

test.each<[what: string, parameters: unknown, strict: boolean, changes: string]>([
  ["does not say", base, true, "narrowed"],
  ["lets in", { ...base, additionalProperties: true }, false, ""],
  ["refuses", { ...base, additionalProperties: false }, true, ""],
  ["of Zod drops", z.object({ a: z.string() }), true, ""],
  ["of Zod refuses", z.strictObject({ a: z.string() }), true, ""],
  ["of Zod lets in", z.looseObject({ a: z.string() }), false, ""],
  ["of Zod 3 drops", z3.object({ a: z3.string() }), true, ""],
  ["without fields lets in", { type: "object", properties: {} }, false, ""],
])("a field that a schema %s is in a strict schema what it is for the tool", (_, parameters, strict, changes) => {
  const tool = defineTool({ name: "t", description: "T.", parameters: parameters as never, execute: () => "" });
  const [report] = toOpenAiTools(createToolRegistry().register(tool), { strict: true }).report;
  expect([report?.strict, report?.changes.map(({ kind }) => kind).join()]).toEqual([strict, changes]);
});
