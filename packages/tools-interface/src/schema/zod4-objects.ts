import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { mapSchemas } from "./map-schemas.ts";
import { isZod4, type Zod4Schema } from "./zod4-schema.ts";

/**
 * The JSON Schema of the values that a Zod 4 schema accepts, with its plain objects closed: `z.object` drops the fields
 * that it does not name, so a model need not send them. Zod's converter closes them for Zod 3, and for Zod 4 only on
 * the output side. It converts loose and strict objects correctly. The parts of an intersection stay as they are: each
 * names some of the fields.
 */
export function closeObjects(schema: JsonSchema): JsonSchema {
  if (JSON.stringify(schema).includes('"allOf":')) return schema;
  return mapObjects(schema, (node) =>
    "additionalProperties" in node ? node : { ...node, additionalProperties: false },
  );
}

/**
 * The JSON Schema of the values that an Effect schema accepts, without a rule for fields that a struct does not name:
 * Effect's converter allows them, and its decoder drops them.
 */
export function leaveObjectsUnsaid(schema: JsonSchema): JsonSchema {
  return mapObjects(schema, ({ additionalProperties, ...node }) =>
    additionalProperties === true
      ? node
      : { ...node, ...(additionalProperties !== undefined && { additionalProperties }) },
  );
}

/** Changes each schema of an object with named fields. */
function mapObjects(schema: JsonSchema, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  return mapSchemas(schema, (node) =>
    node["type"] === "object" && isJsonObject(node["properties"]) ? change(node) : node,
  );
}

/**
 * Says of an object that a function reads first that it allows any fields: the function may use them. Called by Zod's
 * converter for each part; of the root `beginsWithFunction` is asked.
 */
export function openFunctions({ zodSchema, jsonSchema, path }: ConvertedPart): void {
  const isObject = jsonSchema["type"] === "object" && isJsonObject(jsonSchema["properties"]);
  if (path.length > 0 && isObject && beginsWithFunction(zodSchema)) jsonSchema["additionalProperties"] = true;
}

/** The argument of the `override` of Zod's converter. */
interface ConvertedPart {
  readonly zodSchema: unknown;
  readonly jsonSchema: Record<string, unknown>;
  readonly path: readonly (string | number)[];
}

/** True for a schema that passes the value to a function first, as `z.preprocess` does: it may read any field. */
export function beginsWithFunction(schema: unknown): boolean {
  let part = schema;
  while (isZod4(part)) {
    const { type, in: input, innerType }: Zod4Schema["_zod"]["def"] = part._zod.def;
    if (type === "transform") return true;
    part = input ?? innerType;
  }
  return false;
}
