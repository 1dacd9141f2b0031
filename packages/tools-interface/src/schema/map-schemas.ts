import { isJsonObject, type JsonSchema } from "../json/json.ts";

/** Keywords whose value maps names to schemas. A name may be that of a keyword. */
export const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** Keywords whose value is data, in which a keyword is a key like any other. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Keywords whose value holds no schemas. */
const SCHEMALESS = new Set([...DATA_KEYWORDS, "required", "type"]);

/**
 * A copy of a JSON Schema in which each schema has been changed, the outermost first.
 *
 * @param change Is given the place of the schema too, as a JSON Pointer after `#`.
 */
export function mapSchemas(schema: JsonSchema, change: (node: JsonSchema, path: string) => JsonSchema): JsonSchema {
  const map = (node: unknown, path: string): unknown => {
    if (Array.isArray(node)) return node.map((one, index) => map(one, `${path}/${index}`));
    if (!isJsonObject(node)) return node;
    return mapValues(change(node, path), path, (value, key, at) => {
      if (SCHEMALESS.has(key)) return value;
      return NAMED_SCHEMAS.has(key) && isJsonObject(value)
        ? mapValues(value, at, (one, _, place) => map(one, place))
        : map(value, at);
    });
  };
  return map(schema, "#") as JsonSchema;
}

function mapValues(
  object: JsonSchema,
  path: string,
  change: (value: unknown, key: string, path: string) => unknown,
): JsonSchema {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      return [key, change(value, key, pointerTo(path, key))];
    }),
  );
}

/** The JSON Pointer of a place within another. */
export function pointerTo(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The place that a reference within a document points to. `undefined` when it leads nowhere or out of the document. */
export function resolvePointer(root: JsonSchema, reference: string): unknown {
  if (reference === "#" || reference === "") return root;
  if (!reference.startsWith("#/")) return undefined;
  let node: unknown = root;
  for (const segment of reference.slice(2).split("/")) {
    const key = decode(segment);
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

function decode(segment: string): string {
  const plain = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
