import type { CompiledSchema } from "./compiled-schema.ts";
import type { Issue } from "./issue.ts";
import { isJsonObject, type JsonSchema } from "./json.ts";
import { requirePackage } from "./require-package.ts";
import { InvalidToolError, thrownMessage } from "./tool-error.ts";

/**
 * Prepares a plain JSON Schema. Validated by an interpreter (@cfworker/json-schema), so it also works where code may
 * not be generated at run time.
 */
export function compileRawJsonSchema(source: JsonSchema, role: string): CompiledSchema {
  const { Validator } = requirePackage("@cfworker/json-schema", role);
  let schema: JsonSchema;
  let validator: InstanceType<typeof Validator>;
  try {
    schema = structuredClone(source);
    // A copy of its own, because it writes into what it is given.
    validator = new Validator(structuredClone(source), "2020-12", false);
  } catch (cause) {
    throw new InvalidToolError(`Cannot use the ${role}: not a JSON Schema, ${thrownMessage(cause)}`, { cause });
  }
  return {
    jsonSchema: schema,
    validate(value) {
      const known = withoutUnknownFields(value, schema);
      const { valid, errors } = validator.validate(known);
      return valid ? { value: known } : { issues: toIssues(errors) };
    },
  };
}

type OutputUnit = { keyword: string; keywordLocation: string; instanceLocation: string; error: string };

/** The validator also reports every schema around a problem; only the innermost say what is wrong. */
const SURROUNDING = new Set([
  "properties",
  "additionalProperties",
  "patternProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "$ref",
  "allOf",
  "if",
]);
/** A union is one problem, however many its branches have. */
const UNION = new Set(["anyOf", "oneOf"]);

function toIssues(errors: readonly OutputUnit[]): Issue[] {
  const unions = errors.filter(({ keyword }) => UNION.has(keyword)).map(({ keywordLocation }) => `${keywordLocation}/`);
  const innermost = errors.filter(
    ({ keyword, keywordLocation }) =>
      !SURROUNDING.has(keyword) && !unions.some((union) => keywordLocation.startsWith(union)),
  );
  return (innermost.length > 0 ? innermost : errors).map(toIssue);
}

function toIssue({ keyword, instanceLocation, error }: OutputUnit): Issue {
  const path = toPath(instanceLocation);
  const key = path.at(-1);
  if (keyword === "false" && typeof key === "string") {
    return { path: path.slice(0, -1), message: `Unrecognized key: ${JSON.stringify(key)}` };
  }
  return {
    path: [...path, ...(keyword === "required" ? missingField(error) : [])],
    message: error.replace(/\.$/, "").replace(/^Instance /, ""),
  };
}

function toPath(location: string): Issue["path"] {
  return location
    .split("/")
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
}

/** The validator tells of a missing field at the object it is missing in, and names it in its words alone. */
function missingField(error: string): Issue["path"] {
  const name = /^Instance does not have required property "(.*)"\.$/s.exec(error)?.[1];
  return name === undefined ? [] : [name];
}

/** Keywords that can make a field known which `properties` does not list. */
const COMPOSING = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "patternProperties",
  "dependentSchemas",
  "unevaluatedProperties",
];

/**
 * The value without the fields its schema does not know. What is dropped cannot reach the tool, so an extra field in
 * a model's call is no reason to refuse it. Left alone wherever the schema composes or says what extra fields hold.
 */
function withoutUnknownFields(value: unknown, schema: unknown): unknown {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutUnknownFields(item, schema["items"]));
  if (!isJsonObject(value)) return value;
  const { properties, additionalProperties } = schema;
  if (!isJsonObject(properties) || COMPOSING.some((keyword) => keyword in schema)) return value;
  if (additionalProperties === true || isJsonObject(additionalProperties)) return value;
  const known: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(properties, key)) continue;
    known[key] = withoutUnknownFields(value[key], properties[key]);
  }
  return known;
}
