import { type JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
// @boundaries-ignore schemas of other libraries and servers, which stubs are tested with too
import { schemaCorpus, toolTaking } from "../../../tools-interface/src/schema/__fixtures__/schema-corpus.ts";
import { toAnthropicTools } from "../anthropic.ts";
import { toOpenAiTools } from "../openai.ts";

/** A provider's documentation of its strict subset, written down once more and apart from the compiler. */
interface Subset {
  readonly keywords: ReadonlySet<string>;
  readonly formats: ReadonlySet<unknown>;
  /** The violations of one node. */
  against(node: JsonSchema): readonly string[];
}

const COMMON = ["type", "description", "properties", "required", "additionalProperties", "items", "anyOf", "enum"];
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"];

const openai: Subset = {
  keywords: new Set([...COMMON, ...BOUNDS, "$ref", "$defs", "pattern", "format"]),
  formats: new Set(FORMATS),
  against: ({ type, properties = {}, required = [], anyOf, pattern }) => [
    ...(type === "object" && JSON.stringify(Object.keys(properties as object)) !== JSON.stringify(required)
      ? ["not every field is required"]
      : []),
    ...(Array.isArray(anyOf) && hasRepeated(anyOf.map(firstField)) ? ["branches share their first field"] : []),
    ...(typeof pattern === "string" && pattern.includes("(?") ? ["a pattern looks around"] : []),
  ],
};

const anthropic: Subset = {
  keywords: new Set([...COMMON, "$ref", "$defs", "format", "minItems", "default"]),
  formats: new Set([...FORMATS, "uri"]),
  against: ({ minItems = 0 }) => (minItems === 0 || minItems === 1 ? [] : ["minItems is neither 0 nor 1"]),
};

function firstField(branch: unknown): string | undefined {
  const properties = isJsonObject(branch) ? branch["properties"] : undefined;
  const [first] = isJsonObject(properties) ? Object.entries(properties) : [];
  return first && JSON.stringify(first);
}

function hasRepeated(values: readonly (string | undefined)[]): boolean {
  const named = values.filter((value) => value !== undefined);
  return new Set(named).size < named.length;
}

function faults(schema: JsonSchema, subset: Subset): readonly string[] {
  const found: string[] = schema["type"] === "object" ? [] : ["the root is no object"];
  const defs = isJsonObject(schema["$defs"]) ? schema["$defs"] : {};
  const walk = (node: unknown, path: string): void => {
    if (!isJsonObject(node)) return void found.push(`${path} is no schema`);
    const say = (text: string): void => void found.push(`${path}: ${text}`);
    for (const keyword of Object.keys(node)) if (!subset.keywords.has(keyword)) say(`${keyword} is not in the subset`);
    const { $ref, type, properties, items, anyOf, additionalProperties, format, enum: values } = node;
    const kinds = ["$ref", "type", "anyOf"].filter((keyword) => Object.hasOwn(node, keyword));
    if (kinds.length !== 1) say(`says what it is by ${kinds.join(" and ") || "nothing"}`);
    if ($ref !== undefined && Object.keys(node).length > 1) say("something stands beside $ref");
    if ($ref !== undefined && $ref !== "#" && !Object.hasOwn(defs, JSON.stringify($ref).slice('"#/$defs/'.length, -1)))
      say("dangles");
    if (type === "object" && additionalProperties !== false) say("is open");
    if (type === "object" && !isJsonObject(properties)) say("has no fields");
    if (type === "array" && !isJsonObject(items)) say("has no items");
    if (format !== undefined && !subset.formats.has(format)) say(`format ${JSON.stringify(format)} is unknown`);
    if (Array.isArray(values) && (values.length === 0 || values.some((value) => isJsonObject(value)))) say("bad enum");
    for (const text of subset.against(node)) say(text);
    for (const [key, child] of Object.entries(isJsonObject(properties) ? properties : {}))
      walk(child, `${path}.${key}`);
    if (items !== undefined) walk(items, `${path}[]`);
    if (Array.isArray(anyOf)) for (const [index, branch] of anyOf.entries()) walk(branch, `${path}|${index}`);
  };
  const { $defs: _, ...root } = schema;
  walk(root, "#");
  for (const [name, definition] of Object.entries(defs)) walk(definition, name);
  return found;
}

function isRecursive(schema: JsonSchema): boolean {
  const defs = isJsonObject(schema["$defs"]) ? schema["$defs"] : {};
  const leadsTo = (node: unknown, seen: ReadonlySet<string>): boolean =>
    [...JSON.stringify(node).matchAll(/"\$ref":"#(?:\/\$defs\/(?<name>[^"]*))?"/g)].some(({ groups }) => {
      const name = groups?.["name"] ?? "#";
      return seen.has(name) || leadsTo(defs[name], new Set([...seen, name]));
    });
  const { $defs: _, ...root } = schema;
  return leadsTo(root, new Set(["#"]));
}

describe("toOpenAiTools()", () => {
  it.each(schemaCorpus)("keeps to OpenAI's strict subset for $name", (entry) => {
    const source = [toolTaking(entry)];
    const { tools, report } = toOpenAiTools(source, { strict: true });
    const [tool] = tools;
    expect(tool?.strict).toBe(report[0]?.strict);
    if (tool?.strict) expect(faults(tool.parameters, openai)).toEqual([]);
    else expect(report[0]?.notStrict).toMatch(/^OpenAI strict cannot say the schema: #/);
  });
});

describe("toAnthropicTools()", () => {
  it.each(schemaCorpus)("keeps to Anthropic's strict subset for $name", (entry) => {
    const source = [toolTaking(entry)];
    const { tools, report } = toAnthropicTools(source, { strict: true });
    const [tool] = tools;
    expect(tool?.strict ?? false).toBe(report[0]?.strict);
    if (!tool?.strict) expect(report[0]?.notStrict).toMatch(/^Anthropic strict cannot say the schema: #/);
    else expect([...faults(tool.input_schema, anthropic), isRecursive(tool.input_schema)]).toEqual([false]);
  });

  it("makes a strict subset or says why not, whatever the schema", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "items",
      "anyOf",
      "allOf",
      "$ref",
      "enum",
      "required",
      "const",
    );
    const node = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("object", "string", "#", "#/properties/needed", null, true, false, 3),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(keyword, fc.constant("__proto__")), tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(node, (schema) => {
        const source = [toolTaking({ schema })];
        const { tools } = toOpenAiTools(source, { strict: true });
        if (tools[0]?.strict) expect(faults(tools[0].parameters, openai)).toEqual([]);
        expect(() => toAnthropicTools(source, { strict: true })).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
