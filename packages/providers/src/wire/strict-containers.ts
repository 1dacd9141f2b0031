import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, opennessOf } from "@dispatch/tools-interface/internal";
import { at } from "./format-report.ts";
import { allowsNull } from "./merge-schemas.ts";
import { OMITTED_MARKER, orOmitted } from "./omitted-field.ts";
import { constrain, describe, short } from "./strict-constraints.ts";
import type { SchemaCompiler } from "./strict-dialect.ts";
import { UnsupportedSchemaError } from "./unsupported-schema-error.ts";
import type { FieldPlan, WireForm, WirePlan } from "./wire-plan.ts";

/**
 * An object whose fields are all named. Where the schema lets in others without saying so, strict narrows the tool to the
 * named ones, and the report says it; one that lets them in on purpose, or names none, cannot go out as strict.
 */
export function compileObject(compiler: SchemaCompiler, node: JsonSchema, path: string): WireForm {
  const named = fieldsOf(node, path);
  const required = new Set<unknown>(Array.isArray(node["required"]) ? node["required"] : []);
  const unnamed = [...required].find((key) => typeof key !== "string" || !named.has(key));
  if (unnamed !== undefined)
    throw new UnsupportedSchemaError(path, `requires ${JSON.stringify(unnamed)} and does not say what it is`);
  if (opennessOf(node) === "free" && named.size === 0) {
    throw new UnsupportedSchemaError(path, "takes fields that it does not name");
  }
  if (opennessOf(node) === "unsaid") {
    compiler.note(path, "additionalProperties", "narrowed", "fields that the schema does not name cannot be sent");
  }
  const properties: [string, JsonSchema][] = [];
  const fields = new Map<string, FieldPlan>();
  for (const [key, child] of named) {
    if (child === false && !required.has(key)) continue;
    const inner = at(path, "properties", key);
    const { schema, plan } = compiler.compile(child, inner);
    const isOptional = compiler.dialect.optional === "null" && !required.has(key);
    const absence = isOptional ? (allowsNull(child, compiler.root) ? "marker" : "null") : undefined;
    const mark = absence === "null" ? "null" : OMITTED_MARKER;
    if (isOptional) compiler.note(inner, "required", "widened", `${mark} stands for leaving it out`);
    if (absence === "null") properties.push([key, nullable(schema)]);
    else properties.push([key, isOptional ? orOmitted(schema, child, compiler.root, inner) : schema]);
    if (isOptional || plan !== undefined) fields.set(key, { key, absence, plan });
  }
  const keys = properties.map(([key]) => key);
  const { kept, notes } = constrain(compiler, node, ["object"], path);
  const schema = {
    type: "object",
    ...describe(node, notes),
    properties: Object.fromEntries(properties),
    required: compiler.dialect.optional === "null" ? keys : keys.filter((key) => required.has(key)),
    additionalProperties: false,
    ...kept,
  };
  return { schema, plan: fields.size > 0 ? { kind: "object", fields } : undefined };
}

function fieldsOf(node: JsonSchema, path: string): ReadonlyMap<string, unknown> {
  const { properties, patternProperties, propertyNames, unevaluatedProperties } = node;
  const extra = node["additionalProperties"] ?? unevaluatedProperties;
  if (isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0) {
    throw new UnsupportedSchemaError(path, "has fields that only a pattern names");
  }
  if (isJsonObject(properties)) {
    if (extra !== undefined && extra !== false)
      throw new UnsupportedSchemaError(path, "takes fields that it does not name");
    return new Map(Object.entries(properties));
  }
  const keys = isJsonObject(propertyNames) ? propertyNames["enum"] : undefined;
  if (Array.isArray(keys) && extra !== false)
    return new Map(keys.filter((key) => typeof key === "string").map((key) => [key, extra ?? true]));
  if (extra !== false) throw new UnsupportedSchemaError(path, "takes fields that it does not name");
  return new Map();
}

function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...own } = schema;
  const { type, anyOf } = own;
  const words = description === undefined ? {} : { description };
  const isContainer = type === "object" || type === "array" || Object.hasOwn(own, "enum");
  if (type !== undefined && !isContainer) return { ...schema, type: [type, "null"].flat() };
  if (Array.isArray(anyOf)) return { ...words, anyOf: [...(anyOf as unknown[]), { type: "null" }] };
  return { ...words, anyOf: [own, { type: "null" }] };
}

/** A list, whose items are alike, or each of its own kind by its place. */
export function compileArray(compiler: SchemaCompiler, node: JsonSchema, path: string): WireForm {
  const { items, prefixItems, additionalItems, unevaluatedItems } = node;
  const isOld = Array.isArray(items);
  const first: readonly unknown[] = isOld ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const rest = isOld ? additionalItems : (items ?? unevaluatedItems);
  // Items after the places that a list names cannot be expressed, like a field that an object does not name.
  const isClosed = rest === false || (rest === undefined && first.length > 0);
  const forms = first.map((item, index) => compiler.compile(item, at(path, isOld ? "items" : "prefixItems", index)));
  const after = isClosed ? undefined : compiler.compile(rest ?? true, at(path, isOld ? "additionalItems" : "items"));
  const schemas = distinct([...forms, ...(after === undefined ? [] : [after])].map(({ schema }) => schema));
  const maxItems = Math.min(Number(node["maxItems"] ?? Infinity), isClosed ? first.length : Infinity);
  const bounded = { ...node, ...(maxItems < Infinity && { maxItems }) };
  const { kept, notes } = constrain(compiler, bounded, ["array"], path);
  const places = schemas.length > 1 ? [`in this order: ${short(forms.map(({ schema }) => schema))}`] : [];
  if (schemas.length > 1) {
    compiler.note(path, "prefixItems", "widened", "each item may be of any of the kinds, whatever its place");
  }
  const item = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
  // The empty tuple: no schema is needed for its items, and one has to be there.
  const wireItems = schemas.length === 0 ? { type: "null" } : item;
  const schema = { type: "array", ...describe(node, [...notes, ...places]), items: wireItems, ...kept };
  const plans = forms.map(({ plan }) => plan);
  const plan: WirePlan = { kind: "array", first: plans, rest: after?.plan };
  const isChanged = [...plans, after?.plan].some((one) => one !== undefined);
  return { schema, plan: isChanged ? plan : undefined };
}

function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
