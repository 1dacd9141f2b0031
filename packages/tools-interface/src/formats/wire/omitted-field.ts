import { isJsonObject, type JsonSchema } from "../../json/json.ts";
import { resolvePointer } from "../../schema/json-pointer.ts";
import { UnsupportedSchemaError } from "./unsupported-schema-error.ts";

const KEY = "leave_out";
const MARKER = {
  type: "object",
  properties: { [KEY]: { type: "boolean", enum: [true] } },
  required: [KEY],
  additionalProperties: false,
};
/** How a field that may be `null` is left out where every field has to be sent: an object, so that it is like no text. */
export const OMITTED_MARKER = `{"${KEY}":true}`;

/** Whether a value is {@link OMITTED_MARKER}. */
export function isOmitted(value: unknown): boolean {
  return isJsonObject(value) && value[KEY] === true && Object.keys(value).length === 1;
}

/**
 * A field's wire schema, or {@link OMITTED_MARKER} instead.
 *
 * @param own - The field's schema as the tool says it, `root` the whole that it may refer into.
 * @throws {UnsupportedSchemaError} When the field may hold such an object itself: nothing would tell them apart.
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

/** More parts than this nobody looks through. */
const MAX_PARTS = 1000;

function mayHold(node: unknown, root: JsonSchema, seen = new Set<unknown>()): boolean {
  if (!isJsonObject(node) || seen.has(node)) return false;
  seen.add(node);
  const { $ref, properties, anyOf = [], oneOf = [], allOf = [] } = node;
  if (seen.size > MAX_PARTS || (isJsonObject(properties) && Object.hasOwn(properties, KEY))) return true;
  const target = typeof $ref === "string" ? resolvePointer(root, $ref) : undefined;
  return [target, anyOf, oneOf, allOf].flat().some((part) => mayHold(part, root, seen));
}
