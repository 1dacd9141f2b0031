import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, resolvePointer } from "@dispatch/tools-interface/internal";
import { UnsupportedSchemaError } from "./format-report.ts";

const KEY = "leave_out";
const MARKER = {
  type: "object",
  properties: { [KEY]: { type: "boolean", enum: [true] } },
  required: [KEY],
  additionalProperties: false,
};
/** Stands for an omitted field where every field must be sent and `null` is a value. An object, because it equals no text. */
export const OMITTED_MARKER = `{"${KEY}":true}`;

/** Whether a value is {@link OMITTED_MARKER}. */
export function isOmitted(value: unknown): boolean {
  return isJsonObject(value) && value[KEY] === true && Object.keys(value).length === 1;
}

/**
 * The wire schema of a field that may also be {@link OMITTED_MARKER}.
 *
 * @param own - The field's schema in the tool's own words; `root` is the document that its references point into.
 * @throws {UnsupportedSchemaError} When the field may hold such an object itself.
 */
export function orOmitted(schema: JsonSchema, own: unknown, root: JsonSchema, path: string): JsonSchema {
  if (mayHold(own, root))
    throw new UnsupportedSchemaError(path, `has a field ${KEY}, and ${OMITTED_MARKER} would mean to leave it out`);
  const { description, ...rest } = schema;
  const isBareUnion = Array.isArray(rest["anyOf"]) && Object.keys(rest).length === 1;
  const branches = isBareUnion ? (rest["anyOf"] as readonly unknown[]) : [rest];
  const words = typeof description === "string" ? `${description} ` : "";
  return { description: `${words}(${OMITTED_MARKER} leaves it out, null is a value)`, anyOf: [...branches, MARKER] };
}

/** Most parts of a schema that are searched. */
const MAX_PARTS = 1000;

function mayHold(node: unknown, root: JsonSchema, seen = new Set<unknown>()): boolean {
  if (!isJsonObject(node) || seen.has(node)) return false;
  seen.add(node);
  const { $ref, properties, anyOf = [], oneOf = [], allOf = [] } = node;
  if (seen.size > MAX_PARTS || (isJsonObject(properties) && Object.hasOwn(properties, KEY))) return true;
  const target = typeof $ref === "string" ? resolvePointer(root, $ref) : undefined;
  return [target, anyOf, oneOf, allOf].flat().some((part) => mayHold(part, root, seen));
}
