import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { mapSchemas } from "./map-schemas.ts";

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

/** The schema with each `$ref` replaced. */
function mapReferences(schema: JsonSchema, change: (reference: string) => string): JsonSchema {
  return mapSchemas(schema, (node) =>
    typeof node["$ref"] === "string" ? { ...node, $ref: change(node["$ref"]) } : node,
  );
}

/**
 * A schema derived from another, with its references intact: targets that are no longer at their place are kept, with
 * all of the original, under `$defs`.
 */
export function keepReferences(changed: JsonSchema, original: JsonSchema): JsonSchema {
  let isBroken = false;
  const taken = { ...(changed["$defs"] as object | undefined) };
  let name = "original_root";
  while (Object.hasOwn(taken, name)) name += "_";
  const mend = (reference: string): string => {
    if (!reference.startsWith("#/") || resolvePointer(changed, reference) !== undefined) return reference;
    isBroken = true;
    return `#/$defs/${name}${reference.slice(1)}`;
  };
  const mended = mapReferences(changed, mend);
  if (!isBroken) return changed;
  const defs = isJsonObject(mended["$defs"]) ? mended["$defs"] : {};
  return { ...mended, $defs: { ...defs, [name]: mapReferences(original, mend) } };
}
