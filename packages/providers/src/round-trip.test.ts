import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { type JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, resolvePointer } from "@dispatch/tools-interface/internal";
import { toMcpTools, type McpTool } from "@dispatch/tools-interface/mcp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
// @boundaries-ignore schemas of other libraries and servers, which stubs are tested with too
import { schemaCorpus } from "../../tools-interface/src/schema/__fixtures__/schema-corpus.ts";
import { toAnthropicTools } from "./anthropic.ts";
import { toGeminiTools, type GeminiTool } from "./gemini.ts";
import { toOpenAiChatTools, toOpenAiTools } from "./openai.ts";
import type { WireTools } from "./wire/wire-tools.ts";

/** Each schema as a field that must be there, and as one that may be left out. */
const cases = schemaCorpus.flatMap((entry) =>
  [true, false].map((isRequired) => {
    const { schema, defs } = entry;
    const required = isRequired ? ["value"] : [];
    const parameters: JsonSchema = {
      type: "object",
      properties: { value: schema },
      required,
      ...(defs && { $defs: defs }),
    };
    return { ...entry, parameters, title: `${entry.name}, ${isRequired ? "required" : "optional"}` };
  }),
);

type Case = (typeof cases)[number];

/** Values of a schema: those that a model may mean to pass. A validator removes those that do not fit after all. */
function valuesOf(node: unknown, entry: Case, depth = 0): fc.Arbitrary<unknown> {
  const inner = (child: unknown): fc.Arbitrary<unknown> => valuesOf(child, entry, depth + 1);
  if (!isJsonObject(node)) return fc.jsonValue({ maxDepth: 1 });
  const { $ref, anyOf, oneOf, allOf, const: constant, enum: values, ...own } = node;
  if (typeof $ref === "string") {
    const target = inner(resolvePointer(entry.parameters, $ref));
    return Object.keys(own).some((key) => key !== "description") ? together([target, inner(own)]) : target;
  }
  if (Array.isArray(allOf)) return together(allOf.map(inner));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) {
    // Deep down only the first branch, which in the corpus leads no deeper.
    const one = fc.oneof(...(depth > 8 ? branches.slice(0, 1) : branches).map(inner));
    return own["type"] === undefined ? one : together([inner(own), one]);
  }
  if (Object.hasOwn(node, "const")) return fc.constant(constant);
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  const types = [node["type"] ?? (node["properties"] ? "object" : "any")].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, node, entry, depth)));
}

function together(parts: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(...parts)
    .map((values) => (values.every(isJsonObject) ? Object.assign({}, ...values) : values.at(-1)) as unknown);
}

function valuesOfType(type: unknown, node: JsonSchema, entry: Case, depth: number): fc.Arbitrary<unknown> {
  const inner = (child: unknown): fc.Arbitrary<unknown> => valuesOf(child, entry, depth + 1);
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: -20, max: 60 });
    case "number":
      return fc.oneof(
        fc.integer({ min: -20, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }).map((n) => n + 0),
      );
    case "string":
      if (entry.samples) return fc.constantFrom(...entry.samples);
      if (typeof node["pattern"] === "string") return fc.stringMatching(new RegExp(node["pattern"]));
      return fc.string({ maxLength: 6 });
    case "array": {
      const { items, prefixItems } = node;
      const places = (Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : []) as unknown[];
      const isOpen = places.length === 0 || isJsonObject(items);
      const rest = isOpen && depth < 6 ? fc.array(inner(items ?? true), { maxLength: 3 }) : fc.constant([]);
      return fc.tuple(fc.tuple(...places.map(inner)), rest).map(([first, after]) => [...first, ...after]);
    }
    case "object":
      return objectsOf(node, depth, inner);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function objectsOf(node: JsonSchema, depth: number, inner: (child: unknown) => fc.Arbitrary<unknown>) {
  const { properties, propertyNames, additionalProperties, required } = node;
  const keys = isJsonObject(propertyNames) ? propertyNames["enum"] : undefined;
  const named = isJsonObject(properties)
    ? Object.entries(properties)
    : Array.isArray(keys)
      ? keys.map((key) => [String(key), additionalProperties] as const)
      : [];
  const isRequired = (key: string): boolean => Array.isArray(required) && required.includes(key);
  const kept = named.filter(([key, child]) => child !== false && (depth < 6 || isRequired(key)));
  const all = fc.record(Object.fromEntries(kept.map(([key, child]) => [key, inner(child)])), {
    requiredKeys: kept.map(([key]) => key).filter(isRequired),
    noNullPrototype: true,
  });
  const isOpen = keys === undefined && (isJsonObject(additionalProperties) || properties === undefined);
  return isOpen
    ? together([fc.dictionary(fc.constantFrom("x1", "x2"), inner(additionalProperties ?? true)), all])
    : all;
}

const validators = new WeakMap<JsonSchema, Validator>();

/** A schema is always checked by the same draft, so its validator is made once. */
function fits(value: unknown, schema: JsonSchema, draft: "7" | "2020-12" = "2020-12"): boolean {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new Validator(structuredClone(schema), draft, true);
    validators.set(schema, validator);
  }
  return validator.validate(value).valid;
}

const branchesWithDefinitions = new WeakMap<JsonSchema, JsonSchema>();

/** A branch of a union that can be checked on its own: with the definitions of the root. */
function withDefinitions(branch: JsonSchema, { $defs = {} }: JsonSchema): JsonSchema {
  let whole = branchesWithDefinitions.get(branch);
  if (whole === undefined) branchesWithDefinitions.set(branch, (whole = { ...branch, $defs }));
  return whole;
}

/**
 * The arguments of a model that obeys the wire schema: every field the schema asks for, with placeholders for those
 * left out.
 */
function encode(value: unknown, node: unknown, root: JsonSchema): unknown {
  if (!isJsonObject(node)) return value;
  if (typeof node["$ref"] === "string") return encode(value, resolvePointer(root, node["$ref"]), root);
  if (Array.isArray(node["anyOf"])) {
    const encoded = node["anyOf"].map((branch: JsonSchema) => ({ branch, sent: encode(value, branch, root) }));
    return encoded.find(({ branch, sent }) => fits(sent, withDefinitions(branch, root)))?.sent ?? value;
  }
  if (Array.isArray(value)) return value.map((item) => encode(item, node["items"], root));
  if (!isJsonObject(value) || !isJsonObject(node["properties"])) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, encode(inner, property(node, key), root)] as const);
  const sent = new Set(entries.map(([key]) => key));
  const missing = ((node["required"] ?? []) as string[]).filter((key) => !sent.has(key));
  const absent = missing.map((key) => [key, absenceOf(property(node, key))] as const);
  return Object.fromEntries([...entries, ...absent]);
}

function absenceOf(schema: unknown): unknown {
  const marker = { leave_out: true };
  const branches = isJsonObject(schema) && Array.isArray(schema["anyOf"]) ? (schema["anyOf"] as JsonSchema[]) : [];
  return branches.some((branch) => branch["type"] === "object" && fits(marker, branch)) ? marker : null;
}

function property(node: JsonSchema, key: string): unknown {
  const properties = node["properties"] as JsonSchema;
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}

interface Target {
  readonly tools: (entry: Case) => WireTools;
  readonly schema: (tool: never) => JsonSchema;
  readonly strict: (entry: Case) => boolean;
}

/** MCP takes every schema, and values stay as they are. */
const AS_IT_IS = {
  report: [{ name: "tool", wireName: "tool", strict: false, notStrict: undefined, changes: [] }],
  decode: (_: string, params: unknown) => params,
};
const source = ({ parameters }: Case) => [{ name: "tool", description: "d", parameters }];
const targets: Readonly<Record<string, Target>> = {
  "openai strict": {
    tools: (entry) => toOpenAiTools(source(entry), { strict: true }),
    schema: (tool: { parameters: JsonSchema }) => tool.parameters,
    strict: ({ openai }) => openai,
  },
  "openai chat strict": {
    tools: (entry) => toOpenAiChatTools(source(entry), { strict: true }),
    schema: (tool: { function: { parameters: JsonSchema } }) => tool.function.parameters,
    strict: ({ openai }) => openai,
  },
  openai: {
    tools: (entry) => toOpenAiTools(source(entry)),
    schema: (tool: { parameters: JsonSchema }) => tool.parameters,
    strict: () => false,
  },
  "anthropic strict": {
    tools: (entry) => toAnthropicTools(source(entry), { strict: true }),
    schema: (tool: { input_schema: JsonSchema }) => tool.input_schema,
    strict: ({ anthropic }) => anthropic,
  },
  anthropic: {
    tools: (entry) => toAnthropicTools(source(entry)),
    schema: (tool: { input_schema: JsonSchema }) => tool.input_schema,
    strict: () => false,
  },
  gemini: {
    tools: (entry) => toGeminiTools(source(entry)),
    schema: (tool: GeminiTool) => tool.functionDeclarations[0]?.parametersJsonSchema ?? {},
    strict: () => false,
  },
  mcp: {
    tools: (entry) => ({ ...toMcpTools(source(entry)), ...AS_IT_IS }),
    schema: (tool: McpTool) => tool.inputSchema,
    strict: () => false,
  },
};

describe.each(Object.entries(targets))("%s", (_, { tools: make, schema: schemaOf, strict }) => {
  it.each(cases)("compiles $title strictly exactly when the subset can say it", (entry) => {
    const { report } = make(entry);
    expect({ strict: report[0]?.strict, why: report[0]?.notStrict }).toMatchObject({ strict: strict(entry) });
  });

  it.each(cases.filter(({ unsatisfiable }) => unsatisfiable !== true))("decodes every value of $title", (entry) => {
    const wire = make(entry);
    const schema = schemaOf(wire.tools[0] as never);
    const { parameters, draft } = entry;
    const isEncoded = wire.report[0]?.strict === true;
    fc.assert(
      fc.property(
        // A key `__proto__` is dropped from JSON text, like everywhere else.
        valuesOf(parameters, entry).filter(
          (value) => fits(value, parameters, draft) && !JSON.stringify(value).includes("__proto__"),
        ),
        (value) => {
          const sent = isEncoded ? encode(value, schema, schema) : value;
          // A model that keeps to the wire schema can send everything the tool takes.
          assert.ok(fits(sent, schema, isEncoded ? undefined : draft));
          const decoded = wire.decode("tool", JSON.parse(JSON.stringify(sent)));
          assert.ok(fits(decoded, parameters, draft));
          const same = JSON.parse(JSON.stringify(value)) as unknown;
          if (entry.absentIsNull) assert.deepEqual(withoutNulls(decoded), withoutNulls(same));
          else assert.deepEqual(decoded, same);
        },
      ),
      { numRuns: 25 },
    );
  });
});
