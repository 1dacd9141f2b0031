import { InvalidToolError } from "../error/tool-error.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";

/**
 * A schema of parameters with an object at its root, as providers and models need it. A root that only refers to a
 * definition, as Zod writes a named or recursive schema, is put in the reference's place.
 *
 * @throws {InvalidToolError} With the kind of root found and how to write it as an object.
 */
export function objectRoot(schema: JsonSchema, role: string): JsonSchema {
  const root = withoutReference(schema);
  const { type, properties, required } = root;
  if (type !== "object") {
    const { what, advice } = describeRoot(root);
    throw new InvalidToolError(
      `Cannot use the ${role}: found ${what} at the root, allowed is an object schema; ${advice}`,
    );
  }
  const impossible = isJsonObject(properties) && Array.isArray(required) ? neverMet(properties, required) : undefined;
  if (impossible !== undefined) {
    throw new InvalidToolError(
      `Cannot use the ${role}: its field ${JSON.stringify(impossible)} is required and allows no value, so no call could fit; make it optional or leave it out`,
    );
  }
  return root;
}

function withoutReference(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  const name = typeof $ref === "string" ? /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec($ref) : null;
  const definitions = name?.[1] === undefined ? undefined : rest[name[1]];
  const key = name?.[2] ?? "";
  if (!isJsonObject(definitions) || !Object.hasOwn(definitions, key)) return schema;
  const target = definitions[key];
  return isJsonObject(target) && target["$ref"] === undefined ? { ...target, ...rest } : schema;
}

function neverMet(properties: JsonSchema, required: readonly unknown[]): string | undefined {
  return Object.keys(properties).find((key) => required.includes(key) && isNever(properties[key]));
}

function isNever(schema: unknown): boolean {
  if (!isJsonObject(schema)) return schema === false;
  return isJsonObject(schema["not"]) && Object.keys(schema["not"]).length === 0;
}

const IN_A_FIELD = "put it in a field of an object, such as { value: … }";

function describeRoot(root: JsonSchema): { readonly what: string; readonly advice: string } {
  const { type, anyOf, oneOf, allOf, properties } = root;
  if (type !== undefined) return { what: `type ${JSON.stringify(type)}`, advice: IN_A_FIELD };
  if (anyOf !== undefined || oneOf !== undefined) return { what: "a union", advice: IN_A_FIELD };
  if (allOf !== undefined) {
    return {
      what: "an intersection",
      advice: "write one object with the fields of all, such as one.extend(other.shape)",
    };
  }
  if (isNever(root)) return { what: "a schema that allows nothing", advice: "write an object without fields" };
  if (isJsonObject(properties)) return { what: 'no "type"', advice: 'add type: "object"' };
  const fields = Object.entries(root).filter(([, value]) => isJsonObject(value) && "type" in value);
  if (fields.length > 0) {
    const names = fields.map(([key]) => key).join(", ");
    return { what: `schemas under ${names}`, advice: 'write { type: "object", properties: { … } } around them' };
  }
  return { what: "a schema that allows any value", advice: "write an object that names its fields" };
}
