import type { JsonSchema } from "@dispatch/tools-interface";
import { createWireNames, isJsonObject, mapSchemas, resolvePointer } from "@dispatch/tools-interface/internal";
import { type NoteChange, at } from "./format-report.ts";
import type { FieldPlan, WireForm } from "./wire-plan.ts";

const UNIONS = ["anyOf", "oneOf"] as const;
/** Keywords that no model provider accepts at the root of a tool's schema, strict or not. */
const REFUSED = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else", "$ref"];

/**
 * A tool's schema as a plain object at its root, which every provider asks for: a union there becomes one object with
 * the fields of all branches; required are those that every branch requires.
 */
export function toRootObject(schema: JsonSchema, note: NoteChange): JsonSchema {
  const { $schema: _, ...own } = schema;
  const original = { ...own, type: "object" };
  const found = REFUSED.filter((keyword) => Object.hasOwn(original, keyword));
  if (found.length === 0) return original;
  for (const keyword of found) note(at("#", keyword), keyword, "widened", "providers take a plain object at the root");
  const { properties, required } = fieldsOf(original, original, { taken: 0 });
  // Whether the object is closed is said beside the union, where it speaks of fewer fields.
  const kept = Object.entries(original).filter(([key]) => !REFUSED.includes(key) && key !== "additionalProperties");
  const plain = { ...Object.fromEntries(kept), properties: union(properties), required };
  return keepReferences(plain, original);
}

interface Fields {
  readonly properties: ReadonlyMap<string, readonly unknown[]>;
  readonly required: readonly string[];
}

/** More parts than this add nothing: a schema may refer to itself. */
const MAX_PARTS = 200;

function fieldsOf(node: unknown, root: JsonSchema, steps: { taken: number }): Fields {
  steps.taken += 1;
  if (!isJsonObject(node) || steps.taken > MAX_PARTS) return { properties: new Map(), required: [] };
  const properties = new Map<string, unknown[]>();
  const required = new Set(Array.isArray(node["required"]) ? node["required"].map(String) : []);
  const add = (key: string, schemas: readonly unknown[]): void => {
    const known = properties.get(key) ?? [];
    const news = schemas.filter((one) => !known.some((other) => JSON.stringify(one) === JSON.stringify(other)));
    properties.set(key, [...known, ...news]);
  };
  const own = isJsonObject(node["properties"]) ? node["properties"] : {};
  for (const [key, child] of Object.entries(own)) add(key, [child]);
  const join = (parts: readonly unknown[]): readonly Fields[] =>
    parts.map((part) => {
      const fields = fieldsOf(part, root, steps);
      for (const [key, schemas] of fields.properties) add(key, schemas);
      return fields;
    });
  const all = Array.isArray(node["allOf"]) ? (node["allOf"] as unknown[]) : [];
  const target = typeof node["$ref"] === "string" ? [resolvePointer(root, node["$ref"])] : [];
  for (const part of join([...target, ...all])) for (const key of part.required) required.add(key);
  for (const keyword of UNIONS) {
    const branches = node[keyword];
    if (!Array.isArray(branches)) continue;
    const [first, ...others] = join(branches);
    for (const key of first?.required ?? []) {
      if (others.every((other) => other.required.includes(key))) required.add(key);
    }
  }
  return { properties, required: [...required] };
}

/** A field that the parts know in several ways may be any of them. */
function union(properties: Fields["properties"]): JsonSchema {
  return Object.fromEntries(
    [...properties].map(([key, schemas]) => [key, schemas.length === 1 ? schemas[0] : { anyOf: schemas }]),
  );
}

/** Anthropic's rule for names of fields. */
const FIELD_NAMES = { refused: /[^A-Za-z0-9_.-]/g, maxLength: 64 };

/**
 * The schema with fields at its root named as Anthropic accepts them: up to 64 letters, digits, `_`, `.` and `-`. It
 * refuses the whole request for any other, and looks at the root only.
 */
export function renameRootFields(schema: JsonSchema, note: NoteChange): WireForm {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const keys = Object.keys(properties);
  const names = createWireNames(keys, FIELD_NAMES);
  const renamed = keys.filter((key) => names.toWire(key) !== key);
  if (renamed.length === 0) return { schema, plan: undefined };
  const fields = new Map<string, FieldPlan>();
  for (const key of renamed) {
    fields.set(names.toWire(key), { key, plan: undefined });
    note(at("#", "properties", key), "properties", "renamed", `the provider knows it as ${names.toWire(key)}`);
  }
  const { required } = schema;
  const changed = {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [names.toWire(key), child])),
    ...(Array.isArray(required) && {
      required: required.filter((key) => typeof key === "string").map((key) => names.toWire(key)),
    }),
  };
  return { schema: keepReferences(changed, schema), plan: { kind: "object", fields } };
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
function keepReferences(changed: JsonSchema, original: JsonSchema): JsonSchema {
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
