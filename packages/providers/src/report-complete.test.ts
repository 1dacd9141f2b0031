import { type JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import { toMcpTools } from "@dispatch/tools-interface/mcp";
import { describe, expect, it } from "vitest";
// @boundaries-ignore schemas of other libraries and servers, which stubs are tested with too
import { schemaCorpus, toolTaking } from "../../tools-interface/src/schema/__fixtures__/schema-corpus.ts";
import { toAnthropicTools } from "./anthropic.ts";
import { toGeminiTools } from "./gemini.ts";
import { toOpenAiChatTools, toOpenAiTools, type SourceTool, type ToolReport } from "./openai.ts";
import { at } from "./wire/format-report.ts";

type Sent = readonly [ToolReport | undefined, unknown];
const targets: readonly (readonly [string, (tools: readonly SourceTool[]) => Sent])[] = [
  ...([false, true].flatMap((strict) => [
    [`Anthropic, strict: ${strict}`, (tools) => anthropic(tools, strict)] as const,
    [`OpenAI, strict: ${strict}`, (tools) => openai(tools, strict)] as const,
    [`Chat Completions, strict: ${strict}`, (tools) => chat(tools, strict)] as const,
  ]) as (readonly [string, (tools: readonly SourceTool[]) => Sent])[]),
  ["Gemini", gemini],
  ["MCP", mcp],
];

function anthropic(source: readonly SourceTool[], strict: boolean): Sent {
  const { tools, report } = toAnthropicTools(source, { strict });
  return [report[0], tools[0]?.input_schema];
}

function openai(source: readonly SourceTool[], strict: boolean): Sent {
  const { tools, report } = toOpenAiTools(source, { strict });
  return [report[0], tools[0]?.parameters];
}

function chat(source: readonly SourceTool[], strict: boolean): Sent {
  const { tools, report } = toOpenAiChatTools(source, { strict });
  return [report[0], tools[0]?.function.parameters];
}

function gemini(source: readonly SourceTool[]): Sent {
  const { tools, report } = toGeminiTools(source);
  return [report[0], tools[0]?.functionDeclarations[0]?.parametersJsonSchema ?? {}];
}

function mcp(source: readonly SourceTool[]): Sent {
  const { tools } = toMcpTools(source);
  return [{ name: "t", wireName: "t", strict: false, notStrict: undefined, changes: [] }, tools[0]?.inputSchema];
}

const MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const SCHEMAS = new Set(["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"]);

/** Every schema within a schema, by its JSON Pointer. */
function nodesOf(node: unknown, path = "#"): readonly (readonly [string, JsonSchema])[] {
  if (!isJsonObject(node)) return [];
  const within = Object.entries(node).flatMap(([keyword, value]) => {
    const isMap = (MAPS.has(keyword) && isJsonObject(value)) || (LISTS.has(keyword) && Array.isArray(value));
    if (isMap) return Object.entries(value as object).flatMap(([key, one]) => nodesOf(one, at(path, keyword, key)));
    return SCHEMAS.has(keyword) ? nodesOf(value, at(path, keyword)) : [];
  });
  return [[path, node], ...within];
}

/** The keywords of a schema that did not go out as they are and that the report does not name, nor a schema around them. */
function unsaid(schema: JsonSchema, [report, sent]: Sent): readonly string[] {
  const told = new Set(report?.changes.map(({ path }) => path));
  const out = new Map(nodesOf(sent));
  const isTold = (path: string): boolean =>
    told.has(path) || (path.includes("/") && isTold(path.slice(0, path.lastIndexOf("/"))));
  return nodesOf(schema).flatMap(([path, node]) =>
    Object.entries(node)
      .filter(([keyword, value]) => !isTold(at(path, keyword)) && !isKept(keyword, value, node, out.get(path)))
      .map(([keyword, value]) => `${at(path, keyword)}: ${JSON.stringify(value)}`),
  );
}

/** Whether a keyword went out, as it is or by other words for the same. */
function isKept(keyword: string, value: unknown, node: JsonSchema, sent: JsonSchema | undefined): boolean {
  if (sent === undefined) return false;
  const own = sent[keyword];
  if (JSON.stringify(own) === JSON.stringify(value)) return true;
  // Schemas within are compared by themselves.
  if (own !== undefined && (MAPS.has(keyword) || LISTS.has(keyword) || SCHEMAS.has(keyword))) return true;
  if (keyword === "description") return String(own).startsWith(String(value));
  if (keyword === "const") return JSON.stringify(sent["enum"]) === JSON.stringify([value]);
  if (keyword === "type") return sent["anyOf"] !== undefined || [own].flat().includes(value);
  // An optional field is sent as null, which the report says of the field.
  if (keyword === "required") return [own].flat().length >= [value].flat().length;
  // `maxItems` says the same.
  return keyword === "items" && value === false && node["maxItems"] === sent["maxItems"];
}

describe.each(targets)("the report of tools for %s", (_, send) => {
  it.each(schemaCorpus)("names all that does not go out as it is: $name", (entry) => {
    const tool = toolTaking(entry);
    expect(unsaid(tool.parameters, send([tool]))).toEqual([]);
  });

  it.each([
    { title: "Nothing", description: "There is nothing to say" },
    { properties: {}, required: [], additionalProperties: false, examples: [{}] },
    { additionalProperties: { type: "number", minimum: 3 } },
  ])("names all that does not go out of a tool without parameters: %j", (more) => {
    const parameters = { type: "object", ...more };
    const missed = unsaid(parameters, send([{ name: "t", description: "d", parameters }]));
    expect(missed.filter((one) => !/^#\/(?:type|properties|required):|additionalProperties: false/.test(one))).toEqual(
      [],
    );
  });
});
