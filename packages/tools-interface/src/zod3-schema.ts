import type { CompiledSchema } from "./compiled-schema.ts";
import type { JsonSchema } from "./json.ts";
import { requirePackage } from "./require-package.ts";
import { standardValidate, type StandardSchema } from "./standard-schema.ts";
import { InvalidToolError, thrownMessage } from "./tool-error.ts";

/** A schema made by Zod 3. Told from Zod 4 by its own marks, never guessed. */
export function isZod3(value: unknown): value is StandardSchema & { readonly _def: { readonly typeName: string } } {
  if (typeof value !== "object" || value === null || "_zod" in value || !("_def" in value)) return false;
  const { _def: definition } = value;
  return typeof definition === "object" && definition !== null && "typeName" in definition;
}

/** Prepares a Zod 3 schema through zod-to-json-schema, which only ever sees Zod 3: given Zod 4 it answers an empty schema. */
export function compileZod3(schema: StandardSchema, role: string, side: "input" | "output"): CompiledSchema {
  if (!("~standard" in schema)) {
    throw new InvalidToolError(
      `Cannot use the ${role}: found a Zod schema older than 3.24, allowed are 3.24 and later`,
    );
  }
  const { zodToJsonSchema } = requirePackage("zod-to-json-schema", role);
  try {
    const jsonSchema = zodToJsonSchema(schema as never, { pipeStrategy: side, $refStrategy: "root" }) as JsonSchema;
    return { jsonSchema, validate: standardValidate(schema) };
  } catch (cause) {
    throw new InvalidToolError(`Cannot use the ${role}: ${thrownMessage(cause)}`, { cause });
  }
}
