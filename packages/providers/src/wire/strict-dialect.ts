import type { JsonSchema } from "@dispatch/tools-interface";
import type { NoteChange } from "./format-report.ts";
import type { WireForm } from "./wire-plan.ts";

/** The expressive range of a provider's strict subset of JSON Schema. */
export interface StrictDialect {
  /** The name of the subset in reports, for example `OpenAI strict`. */
  readonly label: string;
  /** How a field that may be left out is said: as one that may be `null`, or as it is. */
  readonly optional: "null" | "absent";
  /** Whether a schema may refer to itself. */
  readonly allowsRecursion: boolean;
  /** Whether an object in a union must differ from the others in its first field. */
  readonly distinctFirstFields: boolean;
  /** Whether `default` may stand. */
  readonly allowsDefault: boolean;
  /** Whether a constraint may stand. All others become part of the description. */
  allows(keyword: string, value: unknown): boolean;
  /** Why a schema that is otherwise of the subset is refused, for example for its size. */
  refuse(schema: JsonSchema): string | undefined;
}

/** The schema compiler, as its parts see it. */
export interface SchemaCompiler {
  /** The subset compiled to. */
  readonly dialect: StrictDialect;
  /** The whole schema, which references point into. */
  readonly root: JsonSchema;
  /** Notes a change. */
  readonly note: NoteChange;
  /** Compiles one place of the schema. */
  compile(node: unknown, path: string): WireForm;
}

/** Keywords that restrict nothing, and that no provider's subset has. They go without a word. */
const SILENT = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "deprecated",
  "readOnly",
  "writeOnly",
  "nullable",
]);

/** Keywords that restrict nothing and that a model may want to read. */
export const ANNOTATIONS = new Set(["description", "default", "examples"]);

/** A schema without keywords that restrict nothing. */
export function constraintsOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !SILENT.has(key) && !ANNOTATIONS.has(key)));
}

/** The types of JSON Schema. */
export type SchemaType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** The keywords that restrict each type; a keyword of another type does not restrict a value. */
export const CONSTRAINTS: { readonly [type in SchemaType]: readonly string[] } = {
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  null: [],
  array: ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  object: ["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "propertyNames"],
};

/** Constraints of every type. */
export const CONDITIONS: readonly string[] = ["not", "if", "then", "else"];

/** True for the types of JSON Schema. */
export function isSchemaType(type: unknown): type is SchemaType {
  return typeof type === "string" && Object.hasOwn(CONSTRAINTS, type);
}
