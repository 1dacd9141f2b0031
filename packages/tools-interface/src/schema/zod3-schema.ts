import { ignoreOverride, zodToJsonSchema } from "zod-to-json-schema";
import { InvalidToolError } from "../error/tool-error.ts";
import type { JsonSchema } from "../json/json.ts";
import type { SourceSchema } from "./compiled-schema.ts";
import { withoutComputedDefaults } from "./computed-defaults.ts";
import { copyJsonSchema } from "./schema-copy.ts";
import { standardValidate, type StandardSchema } from "./standard-schema.ts";

/** A schema made by Zod 3. Distinguished from Zod 4 by its own marks, never guessed. */
export function isZod3(value: unknown): value is StandardSchema & { readonly _def: { readonly typeName: string } } {
  if (typeof value !== "object" || value === null || "_zod" in value || !("_def" in value)) return false;
  const { _def: definition } = value;
  return typeof definition === "object" && definition !== null && "typeName" in definition;
}

/**
 * Prepares a Zod 3 schema through zod-to-json-schema, which only ever sees Zod 3: it converts unknown types to an empty
 * schema, and a date to the schema of a text that Zod 3 then refuses.
 */
export function compileZod3(schema: StandardSchema, role: string, side: "input" | "output"): SourceSchema {
  if (!("~standard" in schema)) {
    throw new InvalidToolError(
      `Cannot use the ${role}: found a Zod schema older than 3.24, allowed are 3.24 and later`,
    );
  }
  const override = (
    definition: Definition | undefined,
    { currentPath }: { readonly currentPath: readonly string[] },
  ) => {
    const reason = whyNot(definition, side);
    if (reason === undefined) return ignoreOverride;
    const field = currentPath.filter((key) => !/^(?:#|properties|items|anyOf|allOf|\d+)$/.test(key)).join(".");
    throw new InvalidToolError(
      `Cannot use the ${role}: ${field === "" ? "the schema" : `its field ${field}`} ${reason}`,
    );
  };
  // A function that reads an object first may use any of its fields. Of the root `beginsWithFunction` is asked.
  const postProcess = (
    jsonSchema: object | undefined,
    { effect }: Definition,
    { currentPath }: { readonly currentPath: readonly string[] },
  ): object | undefined =>
    effect?.type === "preprocess" && currentPath.length > 1 && jsonSchema !== undefined && "properties" in jsonSchema
      ? { ...jsonSchema, additionalProperties: true }
      : jsonSchema;
  const hooks = { override: override as never, postProcess: postProcess as never };
  const options = { pipeStrategy: side, $refStrategy: "root", ...hooks } as const;
  const convert = (): JsonSchema => copyJsonSchema(zodToJsonSchema(schema as never, options));
  return {
    jsonSchema: withoutComputedDefaults(convert(), convert),
    validate: standardValidate(schema, role),
    readsUnknownFields: beginsWithFunction(schema),
  };
}

/** True for a schema that passes the value to a function first, as `z.preprocess` does: it may read any field. */
function beginsWithFunction(schema: unknown): boolean {
  for (let part = schema; isZod3(part);) {
    const { effect, schema: inner, innerType } = part._def as Definition;
    if (effect?.type === "preprocess") return true;
    part = inner ?? innerType;
  }
  return false;
}

interface Definition {
  readonly schema?: unknown;
  readonly innerType?: unknown;
  readonly typeName?: unknown;
  readonly coerce?: boolean;
  readonly effect?: { readonly type: string };
  readonly shape?: () => object;
}

/** Types without a JSON value. */
const UNKNOWN_TO_JSON = new Set([
  "ZodBigInt",
  "ZodDate",
  "ZodFunction",
  "ZodMap",
  "ZodNaN",
  "ZodPromise",
  "ZodSet",
  "ZodSymbol",
]);
const FOREIGN = "is no Zod 3 schema in one of Zod 3, allowed are schemas of the same zod; import both from there";

/** Why a part of a schema cannot be used. `undefined` when it can. */
function whyNot(definition: Definition | undefined, side: "input" | "output"): string | undefined {
  const typeName = definition?.typeName;
  if (definition === undefined || typeof typeName !== "string") return FOREIGN;
  if (typeName === "ZodEffects" && definition.effect?.type === "transform" && side === "output") {
    return "is a transform, and JSON Schema cannot say what it gives; pipe it into a schema that does: .pipe(z.number())";
  }
  // A date that is produced is a text in JSON; one that is accepted must be made of a text.
  const isWritten = typeName === "ZodDate" && side === "output";
  if (UNKNOWN_TO_JSON.has(typeName) && definition.coerce !== true && !isWritten) {
    return `is a ${typeName}, which JSON cannot hold; use a type that it has, such as z.string().datetime() for a date`;
  }
  if (typeName !== "ZodObject" || definition.shape === undefined) return undefined;
  const foreign = Object.entries(definition.shape()).find(([, field]) => !isZod3(field));
  return foreign === undefined ? undefined : `has a field ${JSON.stringify(foreign[0])} that ${FOREIGN}`;
}
