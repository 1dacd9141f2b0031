import fc from "fast-check";
import { isJsonObject, type JsonSchema } from "../../json/json.ts";
import { resolvePointer } from "../../schema/map-schemas.ts";

const SCALARS = ["", "a", "b", "x1", "red", "*/", 0, 1, -0.5, 3, 42, true, false, null] as const;
const scalar = fc.constantFrom<unknown>(...SCALARS);
const anything = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom("a", "b"), scalar, { maxKeys: 2, noNullPrototype: true }),
);

/** Values that a schema may accept; most do. An object has no fields but those the schema speaks of or lets in. */
export function valuesOf(schema: unknown, root: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const inner = (part: unknown): fc.Arbitrary<unknown> => valuesOf(part, root, depth + 1);
  if (!isJsonObject(schema)) return anything;
  if (depth > 7) return fc.constantFrom<unknown>(null, "a", 1, [], {});
  const { $ref, allOf, anyOf, oneOf, type, if: condition, then, else: otherwise, dependentSchemas } = schema;
  if (Object.hasOwn(schema, "const")) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom<unknown>(...(schema["enum"] as unknown[]));
  const parts: fc.Arbitrary<unknown>[] = [];
  if (typeof $ref === "string") parts.push(inner(resolvePointer(root, $ref)));
  for (const choices of [anyOf, oneOf]) if (Array.isArray(choices)) parts.push(fc.oneof(...choices.map(inner)));
  if (Array.isArray(allOf)) parts.push(...allOf.map(inner));
  const applied = [
    condition,
    then,
    otherwise,
    ...Object.values(isJsonObject(dependentSchemas) ? dependentSchemas : {}),
  ];
  parts.push(...applied.filter(isJsonObject).map((part) => fc.oneof(fc.constant({}), inner(part))));
  const types = (Array.isArray(type) ? type : [type ?? impliedType(schema)]) as unknown[];
  if (parts.length === 0 || types.some((one) => one !== undefined)) {
    parts.unshift(fc.oneof(...types.map((one) => ofType(one, schema, inner))));
  }
  return parts.length === 1 ? (parts[0] ?? anything) : fc.tuple(...parts).chain(together);
}

function impliedType(schema: JsonSchema): string | undefined {
  const isObject = ["properties", "patternProperties", "required", "additionalProperties"].some((key) => key in schema);
  return isObject ? "object" : "items" in schema || "prefixItems" in schema ? "array" : undefined;
}

/** One value out of what the parts of a composition have: their fields together, or one of them. */
function together(values: readonly unknown[]): fc.Arbitrary<unknown> {
  const objects = values.filter(isJsonObject);
  if (objects.length < 2) return fc.constantFrom(...values);
  return fc.constantFrom<unknown>(Object.assign({}, ...objects), Object.assign({}, ...objects.toReversed()));
}

function ofType(type: unknown, schema: JsonSchema, inner: (part: unknown) => fc.Arbitrary<unknown>) {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.constantFrom(0, 1, 3, 42);
    case "number":
      return fc.constantFrom(0, 1, -0.5, 3, 42);
    case "string":
      return fc.constantFrom("", "a", "b", "x1", "red", "a@b.com", "2026-11-21", "*/");
    case "array":
      return arraysOf(schema, inner);
    case "object":
      return objectsOf(schema, inner);
    default:
      return anything;
  }
}

function arraysOf({ prefixItems, items, minItems }: JsonSchema, inner: (part: unknown) => fc.Arbitrary<unknown>) {
  const places = Array.isArray(prefixItems) ? prefixItems : [];
  const first = fc
    .tuple(fc.tuple(...places.map(inner)), fc.nat(places.length))
    .map(([all, count]) => all.slice(0, Math.max(count, Number(minItems ?? 0))));
  const rest = items === false ? fc.constant([]) : fc.array(inner(items), { maxLength: 2 });
  return fc.tuple(first, rest).map(([some, more]) => (some.length === places.length ? [...some, ...more] : some));
}

function objectsOf(schema: JsonSchema, inner: (part: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties, required, additionalProperties: extra, patternProperties, propertyNames } = schema;
  const needed = Array.isArray(required) ? (required as string[]) : [];
  const names = isJsonObject(propertyNames) ? propertyNames["enum"] : undefined;
  const fields = new Map<string, unknown>(Object.entries(isJsonObject(properties) ? properties : {}));
  for (const name of Array.isArray(names) ? (names as string[]) : []) fields.set(name, extra);
  for (const name of needed) if (!fields.has(name)) fields.set(name, true);
  if (isJsonObject(patternProperties)) for (const part of Object.values(patternProperties)) fields.set("x9", part);
  const isOpen = isJsonObject(extra) || extra === true || (properties === undefined && extra === undefined);
  if (isOpen && names === undefined) for (const name of ["more", "x1"]) fields.set(name, extra ?? true);
  const possible = [...fields].filter(([, part]) => part !== false);
  return fc.record(Object.fromEntries(possible.map(([name, part]) => [name, inner(part)])), {
    requiredKeys: needed.filter((name) => possible.some(([key]) => key === name)),
    noNullPrototype: true,
  });
}

/** A value that differs from another in one place. */
export function nearMisses(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const changed = items.map((item, at) => nearMisses(item).map((other) => items.with(at, other)));
    const longer = scalar.map((item) => [...items, item]);
    return fc.oneof(scalar, longer, fc.constant(items.slice(0, -1)), ...changed);
  }
  if (!isJsonObject(value)) return anything;
  const keys = Object.keys(value);
  const less = keys.map((key) =>
    fc.constant(Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))),
  );
  const more = fc.tuple(fc.constantFrom("more", "a", "x1"), scalar).map(([key, item]) => ({ ...value, [key]: item }));
  const changed = keys.map((key) => nearMisses(value[key]).map((other) => ({ ...value, [key]: other })));
  return fc.oneof(scalar, more, ...less, ...changed);
}
