import type { CompiledSchema } from "./compiled-schema.ts";
import { deepFreeze, isJsonObject, type JsonSchema } from "./json.ts";
import { compileRawJsonSchema } from "./raw-json-schema.ts";
import { compileStandardSchema, isStandardSchema, standardValidate, type StandardSchema } from "./standard-schema.ts";
import { InvalidToolError } from "./tool-error.ts";
import { compileZod3, isZod3 } from "./zod3-schema.ts";

/**
 * What parameters, outputs and context can be described with: Zod 4.2 or later, Zod 3.24 or later, any other
 * Standard Schema that also converts itself to JSON Schema, or a plain JSON Schema.
 */
export type Schema = StandardSchema | JsonSchema;

/** The type a schema accepts. `Record<string, unknown>` for a plain JSON Schema. */
export type InferInput<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer Input }
    ? Input
    : unknown
  : Record<string, unknown>;

/** The type a schema produces once defaults and transforms are applied. */
export type InferOutput<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Output }
    ? Output
    : unknown
  : Record<string, unknown>;

/**
 * Prepares a schema of any source.
 *
 * @param role What the schema is for, as it reads in an error: `parameters of read_file`.
 * @param side `input` describes what is accepted, `output` what is produced.
 * @throws {InvalidToolError} When the source is unknown, or JSON Schema cannot express the schema.
 */
export function compileSchema(source: unknown, role: string, side: "input" | "output"): CompiledSchema {
  const { jsonSchema, validate } = compile(source, role, side);
  return { jsonSchema: deepFreeze(tidy(jsonSchema) as JsonSchema), validate };
}

function compile(source: unknown, role: string, side: "input" | "output"): CompiledSchema {
  if (isZod3(source)) return compileZod3(source, role, side);
  if (isStandardSchema(source)) return compileStandardSchema(source, role, side);
  if (isJsonObject(source)) return compileRawJsonSchema(source, role);
  throw new InvalidToolError(
    `Cannot use the ${role}: found ${source === null ? "null" : typeof source}, allowed are a Zod schema, another Standard Schema with JSON Schema, or a JSON Schema object`,
  );
}

/** Prepares a schema that only checks, so that it may hold what JSON Schema cannot express, such as class instances. */
export function compileCheck(source: unknown, role: string): CompiledSchema["validate"] {
  return isStandardSchema(source) ? standardValidate(source) : compile(source, role, "input").validate;
}

/** A copy, all the way down, without what says nothing to a model: `$schema`, and the bounds of safe integers that Zod writes on every `int()`. */
function tidy(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tidy);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([keyword, value]) =>
          !(keyword === "$schema" && typeof value === "string") &&
          !(keyword === "~standard") &&
          !(keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
          !(keyword === "maximum" && value === Number.MAX_SAFE_INTEGER),
      )
      .map(([keyword, value]) => [keyword, tidy(value)]),
  );
}
