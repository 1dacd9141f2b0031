import type { Checked, CompiledSchema } from "./compiled-schema.ts";
import type { Issue } from "./issue.ts";
import type { JsonSchema } from "./json.ts";
import { InvalidToolError, thrownMessage } from "./tool-error.ts";

/**
 * What this package needs of a schema library: the part of Standard Schema and Standard JSON Schema that it calls.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema {
  /** The contract of Standard Schema. */
  readonly "~standard": {
    /** Version of the contract. */
    readonly version: number;
    /** Name of the library. */
    readonly vendor: string;
    /** Types of what goes in and what comes out; never there at run time. */
    readonly types?: unknown;
    /** Checks a value. */
    readonly validate: (value: unknown) => unknown;
    /** Converts the schema to JSON Schema. */
    readonly jsonSchema?: unknown;
  };
}

type Converter = (options: { target: string }) => JsonSchema;

/** True for an object or function that carries the Standard Schema contract. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;
}

/** Prepares a Standard Schema. `role` and `side` as in `compileSchema`. */
export function compileStandardSchema(schema: StandardSchema, role: string, side: "input" | "output"): CompiledSchema {
  const standard = schema["~standard"];
  const convert = (standard.jsonSchema as Partial<Record<typeof side, Converter>> | undefined)?.[side];
  if (convert === undefined) {
    const advice = standard.vendor === "zod" ? "zod 4.2 or later has it" : "wrap it with the library's own converter";
    throw new InvalidToolError(
      `Cannot use the ${role}: this ${standard.vendor} schema has no "~standard".jsonSchema, ${advice}`,
    );
  }
  let jsonSchema: JsonSchema;
  try {
    jsonSchema = convert({ target: "draft-2020-12" });
  } catch (cause) {
    throw new InvalidToolError(
      `Cannot use the ${role}: ${thrownMessage(cause)}; use a type that JSON has, such as z.iso.datetime() for a date`,
      { cause },
    );
  }
  return { jsonSchema, validate: standardValidate(schema) };
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Checks values with a Standard Schema. Issues count even beside a value: Valibot can answer both. */
export function standardValidate(schema: StandardSchema): CompiledSchema["validate"] {
  const standard = schema["~standard"];
  return (value) => {
    const result = standard.validate(value) as StandardResult | Promise<StandardResult>;
    return "then" in result ? result.then(toChecked) : toChecked(result);
  };
}

function toChecked(result: StandardResult): Checked {
  return result.issues === undefined ? result : { issues: result.issues.map(toIssue) };
}

function toIssue({ message, path = [] }: StandardIssue): Issue {
  return {
    path: path.every(isKey) ? path : path.map(toKey),
    message: message.startsWith(ZOD_PREFIX) ? message.slice(ZOD_PREFIX.length) : message,
  };
}

/** What Zod puts before most of its messages; it says nothing that the words around it do not. */
const ZOD_PREFIX = "Invalid input: ";

function isKey(segment: unknown): segment is string | number {
  return typeof segment === "string" || typeof segment === "number";
}

function toKey(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? String(key) : key;
}
