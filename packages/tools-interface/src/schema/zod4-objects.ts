import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { isZod4, type Zod4Schema } from "./zod4-schema.ts";

/** Keywords whose value is data. */
const DATA = new Set(["const", "enum", "default", "examples", "required", "type"]);
/** Keywords whose value maps names to schemas. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/**
 * The JSON Schema of what a Zod 4 schema accepts, with its plain objects closed: `z.object` drops the fields that it does
 * not name, so a model need not send them. Zod itself says so of Zod 3, and of Zod 4 only where it describes what comes
 * out. Of loose and strict objects it says by itself what they do. The parts of an intersection stay as they are: each
 * names some of the fields.
 */
export function closeObjects(schema: JsonSchema): JsonSchema {
  return JSON.stringify(schema).includes('"allOf":') ? schema : (close(schema) as JsonSchema);
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (!isJsonObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    if (DATA.has(key)) return [key, value];
    if (!NAMED.has(key) || !isJsonObject(value)) return [key, close(value)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, close(inner)]))];
  });
  const isPlain = node["type"] === "object" && isJsonObject(node["properties"]) && !("additionalProperties" in node);
  return Object.fromEntries(isPlain ? [...entries, ["additionalProperties", false]] : entries);
}

/** True for a schema that gives what was sent to a function first, as `z.preprocess` does: it may read any field. */
export function beginsWithFunction(schema: unknown): boolean {
  let part = schema;
  while (isZod4(part)) {
    const { type, in: input, innerType }: Zod4Schema["_zod"]["def"] = part._zod.def;
    if (type === "transform") return true;
    part = input ?? innerType;
  }
  return false;
}
