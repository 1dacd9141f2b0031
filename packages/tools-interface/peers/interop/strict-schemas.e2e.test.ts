import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { toAnthropicTools } from "@dispatch/providers/anthropic";
import { toOpenAiTools } from "@dispatch/providers/openai";
import { toStrictJsonSchema } from "openai/lib/transform";
import { describe, expect, it } from "vitest";
import { schemaCorpus, toolTaking } from "../../src/schema/__fixtures__/schema-corpus.ts";

/** Without the order of keywords, the type beside an enum, and defaults with their place in the description. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "default" && key !== "description" && !(key === "type" && "enum" in value))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, essence(inner)]),
  );
}

describe("a schema that goes out strict", () => {
  it.each(schemaCorpus)("leaves OpenAI's own helper nothing to change or refuse: $name", (entry) => {
    const [tool] = toOpenAiTools([toolTaking(entry)], { strict: true }).tools;
    if (tool?.strict !== true) return;
    expect(toStrictJsonSchema(tool.parameters)).toEqual(tool.parameters);
  });

  // The helper moves defaults into descriptions, although the API takes them where they are.
  it.each(schemaCorpus)("leaves Anthropic's own helper nothing to change but defaults: $name", (entry) => {
    const [tool] = toAnthropicTools([toolTaking(entry)], { strict: true }).tools;
    if (tool?.strict !== true) return;
    expect(essence(transformJSONSchema(tool.input_schema))).toEqual(essence(tool.input_schema));
  });
});
