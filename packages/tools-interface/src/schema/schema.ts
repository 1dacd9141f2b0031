import { truncate } from "../error/describe-received.ts";
import { InvalidToolError, thrownMessage } from "../error/tool-error.ts";
import { deepFreeze, isJsonObject, type JsonSchema } from "../json/json.ts";
import type { CompiledSchema, SourceSchema } from "./compiled-schema.ts";
import { compileRawJsonSchema } from "./raw-json-schema.ts";
import { isPlainObject, noSchema, shapeFields } from "./schema-source.ts";
import { compileStandardSchema } from "./standard-json-schema.ts";
import { isStandardSchema, type StandardSchema, standardValidate } from "./standard-schema.ts";
import { namesFields } from "./unknown-fields.ts";
import { compileZod3, isZod3 } from "./zod3-schema.ts";

/**
 * The schemas accepted for parameters, outputs and context: Zod 4, Zod 3.24 or later, any other Standard Schema that
 * also converts itself to JSON Schema, or a plain JSON Schema.
 */
export type Schema = StandardSchema | JsonSchema | TypedJsonSchema;

/** A JSON Schema of an interface's type, as TypeBox 1 has them: an interface has no index signature. */
interface TypedJsonSchema {
  /** The kind of value, or the kinds. */
  readonly type: string | readonly string[];
}

/**
 * The type a schema accepts. For a plain JSON Schema the type of its `type` if that is a literal type, otherwise
 * `Record<string, unknown>`; TypeBox 0.x carries its own type.
 */
export type InferInput<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer Input }
    ? Input
    : unknown
  : InferStatic<S>;

/** The type a schema produces once defaults and transforms are applied. Of a plain JSON Schema as `InferInput`. */
export type InferOutput<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Output }
    ? Output
    : unknown
  : InferStatic<S>;

type InferStatic<S> = S extends { readonly static: unknown; readonly params: unknown }
  ? (S & { params: [] })["static"]
  : S extends { readonly type: keyof JsonTypes }
    ? JsonTypes[S["type"]]
    : Record<string, unknown>;

/** The values of the types that JSON Schema names. */
interface JsonTypes {
  readonly object: Record<string, unknown>;
  readonly array: unknown[];
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

/**
 * Prepares a schema of any source.
 *
 * @param role The use of the schema, as it reads in an error: `parameters of read_file`.
 * @param side `input` describes accepted values and has an object at its root, `output` produced values.
 * @throws {InvalidToolError} When the source is unknown, or JSON Schema cannot express the schema.
 */
export function compileSchema(source: unknown, role: string, side: "input" | "output"): CompiledSchema {
  return refusing(role, () => {
    const { validate, readsUnknownFields = false, changes = [], ...own } = compile(source, role, side);
    const jsonSchema = deepFreeze(side === "input" ? objectRoot(own.jsonSchema, role) : own.jsonSchema);
    return { jsonSchema, validate, changes, namesFields: readsUnknownFields ? () => true : namesFields(jsonSchema) };
  });
}

/**
 * Prepares a schema that only checks, so that it may hold types that JSON Schema cannot express, such as class
 * instances.
 *
 * @throws {InvalidToolError} When the source is unknown.
 */
export function compileCheck(source: unknown, role: string): CompiledSchema["validate"] {
  return refusing(role, () =>
    isStandardSchema(source) ? standardValidate(source, role) : compile(source, role, "input").validate,
  );
}

function compile(source: unknown, role: string, side: "input" | "output"): SourceSchema {
  if (isZod3(source)) return compileZod3(source, role, side);
  if (isStandardSchema(source)) return compileStandardSchema(source, role, side);
  if (!isPlainObject(source)) throw noSchema(source, role);
  const { properties } = source;
  for (const one of [source, properties]) {
    if (isPlainObject(one) && shapeFields(one).length > 0) throw noSchema(one, role);
  }
  return compileRawJsonSchema(source, role);
}

/** A schema is foreign code, down to its getters: any error it throws becomes the error of defining the tool. */
function refusing<T>(role: string, prepare: () => T): T {
  try {
    return prepare();
  } catch (cause) {
    if (cause instanceof InvalidToolError) throw cause;
    throw new InvalidToolError(`Cannot use the ${role}: ${truncate(thrownMessage(cause), 300)}`, { cause });
  }
}

/**
 * A schema of parameters with an object at its root, as providers and models need it. A root that only refers to a
 * definition, as Zod writes a named or recursive schema, is put in the reference's place.
 *
 * @throws {InvalidToolError} With the kind of root found and how to write it as an object.
 */
function objectRoot(schema: JsonSchema, role: string): JsonSchema {
  const root = withoutReference(schema);
  const { type, properties, required } = root;
  if (type !== "object") {
    const { what, advice } = describeRoot(root);
    throw new InvalidToolError(
      `Cannot use the ${role}: found ${what} at the root, allowed is an object schema; ${advice}`,
    );
  }
  const fields = isJsonObject(properties) && Array.isArray(required) ? properties : {};
  const impossible = Object.keys(fields).find((key) => (required as unknown[]).includes(key) && isNever(fields[key]));
  if (impossible !== undefined) {
    throw new InvalidToolError(
      `Cannot use the ${role}: its field ${JSON.stringify(impossible)} is required and allows no value, so no call could fit; make it optional or leave it out`,
    );
  }
  return root;
}

function withoutReference(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  const name = typeof $ref === "string" ? /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec($ref) : null;
  const definitions = name?.[1] === undefined ? undefined : rest[name[1]];
  const key = name?.[2] ?? "";
  if (!isJsonObject(definitions) || !Object.hasOwn(definitions, key)) return schema;
  const target = definitions[key];
  return isJsonObject(target) && target["$ref"] === undefined ? { ...target, ...rest } : schema;
}

function isNever(schema: unknown): boolean {
  if (!isJsonObject(schema)) return schema === false;
  return isJsonObject(schema["not"]) && Object.keys(schema["not"]).length === 0;
}

const IN_A_FIELD = "put it in a field of an object, such as { value: … }";

function describeRoot(root: JsonSchema): { readonly what: string; readonly advice: string } {
  const { type, anyOf, oneOf, allOf, properties } = root;
  if (type !== undefined) return { what: `type ${JSON.stringify(type)}`, advice: IN_A_FIELD };
  if (anyOf !== undefined || oneOf !== undefined) return { what: "a union", advice: IN_A_FIELD };
  if (allOf !== undefined) {
    return {
      what: "an intersection",
      advice: "write one object with the fields of all, such as one.extend(other.shape)",
    };
  }
  if (isNever(root)) return { what: "a schema that allows nothing", advice: "write an object without fields" };
  if (isJsonObject(properties)) return { what: 'no "type"', advice: 'add type: "object"' };
  const fields = Object.entries(root).filter(([, value]) => isJsonObject(value) && "type" in value);
  if (fields.length > 0) {
    const names = fields.map(([key]) => key).join(", ");
    return { what: `schemas under ${names}`, advice: 'write { type: "object", properties: { … } } around them' };
  }
  return { what: "a schema that allows any value", advice: "write an object that names its fields" };
}
