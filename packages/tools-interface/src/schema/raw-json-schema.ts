import { truncate } from "../error/describe-received.ts";
import type { Issue } from "../error/issue.ts";
import { InvalidToolError, thrownMessage } from "../error/tool-error.ts";
import type { JsonSchema } from "../json/json.ts";
import type { Checked, SourceSchema } from "./compiled-schema.ts";
import { checkRawJsonSchema } from "./raw-json-schema-check.ts";
import { requirePackage } from "./require-package.ts";
import { copyJsonSchema } from "./schema-copy.ts";

/**
 * Prepares a plain JSON Schema of draft 7, 2019-09 or 2020-12, the last unless its `$schema` says otherwise. Validated
 * by an interpreter (@cfworker/json-schema), so it also works where code may not be generated at run time.
 */
export function compileRawJsonSchema(source: JsonSchema, role: string): SourceSchema {
  const { Validator, dereference } = requirePackage("@cfworker/json-schema", role);
  try {
    const draft = draftOf(source);
    const jsonSchema = copyJsonSchema(source, draft === "7");
    // A copy of its own, because the validator writes into what it is given.
    const own = withSafeFormats(structuredClone(jsonSchema));
    const { hasUniqueItems } = checkRawJsonSchema(own, dereference(own));
    const validator = new Validator(own, draft, false);
    return { jsonSchema, validate: (value) => check(validator, value, hasUniqueItems) };
  } catch (cause) {
    throw new InvalidToolError(`Cannot use the ${role}: not a JSON Schema, ${truncate(thrownMessage(cause), 300)}`, {
      cause,
    });
  }
}

type Draft = "7" | "2019-09" | "2020-12";

function draftOf({ $schema }: JsonSchema): Draft {
  if (typeof $schema !== "string") return "2020-12";
  if (/draft-0[1-4]\b/.test($schema))
    throw new TypeError(`${$schema} is too old, allowed are draft 7, 2019-09 and 2020-12`);
  return /draft-0[67]\b/.test($schema) ? "7" : $schema.includes("2019-09") ? "2019-09" : "2020-12";
}

/**
 * The validator's own format `url` takes time exponential in the length of a text (150 ms for 33 characters), which a
 * model may choose: it is checked as `uri`, which does not.
 */
function withSafeFormats<T>(schema: T): T {
  if (typeof schema !== "object" || schema === null) return schema;
  if (!Array.isArray(schema) && (schema as JsonSchema)["format"] === "url") Object.assign(schema, { format: "uri" });
  for (const inner of Object.values(schema)) withSafeFormats(inner);
  return schema;
}

/** So many items can be compared with each other: objects take 0.15 s, and four times that for twice as many. */
const MAX_UNIQUE_ITEMS = 2_000;

interface RawValidator {
  validate(instance: unknown): { readonly valid: boolean; readonly errors: OutputUnit[] };
}

function check(validator: RawValidator, value: unknown, hasUniqueItems: boolean): Checked {
  try {
    if (hasUniqueItems && hasLongArray(value)) {
      return { issues: [{ path: [], message: `expected arrays of at most ${MAX_UNIQUE_ITEMS} items` }] };
    }
    const sent = withoutUndefined(value);
    const { valid, errors } = validator.validate(sent);
    return valid ? { value: sent } : { issues: toIssues(errors) };
  } catch (error) {
    // Nested deeper than the stack, or with what JSON does not have.
    const why = error instanceof RangeError ? "it is nested too deeply" : thrownMessage(error);
    return { issues: [{ path: [], message: `cannot be checked, ${truncate(why, 200)}` }] };
  }
}

/** The value without fields that hold `undefined`, which JSON leaves out; the same value where there are none. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutUndefined);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const kept = withoutUndefined(inner);
    if (kept === inner && kept !== undefined) continue;
    changed ??= { ...value };
    if (kept === undefined) delete changed[key];
    else Object.defineProperty(changed, key, { value: kept, enumerable: true, configurable: true, writable: true });
  }
  return changed ?? value;
}

function hasLongArray(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) && value.length > MAX_UNIQUE_ITEMS) return true;
  return Object.values(value).some(hasLongArray);
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
