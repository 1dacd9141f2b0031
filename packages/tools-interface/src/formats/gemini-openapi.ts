import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { resolvePointer } from "../schema/json-pointer.ts";
import { at, type NoteChange } from "./wire/format-report.ts";
import { mergeSchemas } from "./wire/merge-schemas.ts";
import { constrain, describe, short } from "./wire/strict-constraints.ts";
import { compileArray } from "./wire/strict-containers.ts";
import { ANNOTATIONS, constraintsOf, isSchemaType } from "./wire/strict-dialect.ts";
import type { SchemaCompiler, SchemaType, StrictDialect } from "./wire/strict-dialect.ts";
import { UnsupportedSchemaError } from "./wire/unsupported-schema-error.ts";
import { createWireNames, type NameRule } from "./wire/wire-names.ts";
import type { FieldPlan, WireForm, WirePlan } from "./wire/wire-plan.ts";

/** Deeper than this, and after as many nodes, a value is asked for as JSON text: references are written out here. */
const MAX_DEPTH = 16;
const MAX_NODES = 2000;

/** What Google documents for the names of parameters. */
const FIELD_NAMES: NameRule = { refused: /[^A-Za-z0-9_]/g, maxLength: 64, start: /[A-Za-z_]/ };

const DIALECT: StrictDialect = {
  label: "Gemini",
  optional: "absent",
  allowsRecursion: false,
  distinctFirstFields: false,
  allowsDefault: false,
  // Of a string's formats the API refuses all but these; other bounds exist in newer versions of it only.
  allows: (keyword, value) =>
    keyword === "minimum" || keyword === "maximum" || (keyword === "format" && value === "date-time"),
  refuse: () => undefined,
};

/**
 * Writes a schema in the OpenAPI subset that Gemini's field `parameters` takes. Everything can be said: what the subset
 * has no word for is described, or asked for as JSON text, which decoding reads.
 */
export class OpenApiCompiler implements SchemaCompiler {
  readonly dialect = DIALECT;
  readonly root: JsonSchema;
  readonly note: NoteChange;
  readonly #open = new Set<string>();
  #depth = 0;
  #nodes = 0;

  constructor(root: JsonSchema, note: NoteChange) {
    this.root = root;
    this.note = note;
  }

  compile(node: unknown, path: string): WireForm {
    this.#depth += 1;
    this.#nodes += 1;
    try {
      if (this.#depth > MAX_DEPTH || this.#nodes > MAX_NODES) return this.#text(node, path, "is nested too deeply");
      return this.#compile(node, path);
    } catch (error) {
      if (!(error instanceof UnsupportedSchemaError)) throw error;
      return this.#text(node, path, error.message);
    } finally {
      this.#depth -= 1;
    }
  }

  #compile(node: unknown, path: string): WireForm {
    if (!isJsonObject(node)) return this.#text(node, path, "allows any value");
    const { $ref, allOf, anyOf, oneOf, type } = node;
    if (typeof $ref === "string") return this.#reference($ref, node, path);
    if (Array.isArray(allOf)) return this.compile(mergeSchemas([node], this.root, path), path);
    const branches = anyOf ?? oneOf;
    if (Array.isArray(branches)) return this.#union(node, branches, path);
    if (Object.hasOwn(node, "const") || Array.isArray(node["enum"])) return this.#values(node, path);
    const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
    if (types.length === 0 || !types.every(isSchemaType)) return this.#text(node, path, "names no type");
    if (types.length > 1) {
      const annotations = Object.fromEntries(Object.entries(node).filter(([key]) => ANNOTATIONS.has(key)));
      const own = constraintsOf(node);
      return this.#union(
        annotations,
        types.map((one) => ({ ...own, type: one })),
        path,
      );
    }
    return this.#plain(node, types[0] as SchemaType, path);
  }

  #plain(node: JsonSchema, type: SchemaType, path: string): WireForm {
    if (type === "object") return this.#object(node, path);
    if (type === "array") {
      const { schema, plan } = compileArray(this, node, path);
      return { schema: { ...schema, type: "array" }, plan };
    }
    if (type === "null") return { schema: nothing(node), plan: undefined };
    const { kept, notes } = constrain(this, node, [type], path);
    return { schema: { type, ...describe(node, notes), ...kept }, plan: undefined };
  }

  /** What the subset has no word for. */
  #text(node: unknown, path: string, why: string): WireForm {
    this.note(path, "type", "widened", `goes out as JSON text: ${why}`);
    const own = isJsonObject(node) ? node : {};
    const rest = constraintsOf(own);
    const words =
      Object.keys(rest).length > 0 ? `JSON text of a value of this schema: ${short(rest)}` : "JSON text of any value";
    return { schema: { type: "string", ...describe(own, [words]) }, plan: { kind: "json_text" } };
  }

  #reference(reference: string, node: JsonSchema, path: string): WireForm {
    const { $ref: _, ...beside } = node;
    const target = resolvePointer(this.root, reference);
    if (target === undefined || reference === "#" || this.#open.has(reference)) {
      return this.#text(node, path, `refers to ${reference}, of which it is part`);
    }
    this.#open.add(reference);
    try {
      if (Object.keys(constraintsOf(beside)).length > 0) {
        return this.compile(mergeSchemas([node], this.root, path), path);
      }
      const { schema, plan } = this.compile(target, path);
      const { notes } = constrain(this, beside, [], path);
      const described = describe({ ...schema, ...beside }, notes);
      return { schema: { ...schema, ...described }, plan };
    } finally {
      this.#open.delete(reference);
    }
  }

  #union(node: JsonSchema, branches: readonly unknown[], path: string): WireForm {
    const own = constraintsOf(node);
    const { anyOf: _, oneOf: _other, ...shared } = own;
    const isShared = Object.keys(shared).length > 0;
    const whole = branches.filter((branch) => branch !== false);
    const values = whole.filter((branch) => !isNull(branch));
    const forms = values.map((branch, index) =>
      this.compile(isShared ? mergeSchemas([shared, branch], this.root, path) : branch, at(path, "anyOf", index)),
    );
    const [first] = forms;
    if (first === undefined) return { schema: nothing(node), plan: undefined };
    // A text among others could be either: then all of it is one.
    if (forms.some(({ plan }) => plan?.kind === "json_text")) return this.#text(node, path, "may be anything");
    const isNullable = values.length < whole.length || forms.some(({ schema }) => schema["nullable"] === true);
    const { notes } = constrain(this, { ...node, not: undefined }, [], path);
    const words = describe(
      node,
      notes.filter((note) => !note.startsWith("not: ")),
    );
    const nullable = isNullable ? { nullable: true } : {};
    if (forms.length === 1) return { schema: { ...first.schema, ...words, ...nullable }, plan: first.plan };
    const plan: WirePlan | undefined = forms.some((form) => form.plan !== undefined)
      ? { kind: "union", branches: forms, document: { schema: {} } }
      : undefined;
    return { schema: { ...words, anyOf: forms.map(({ schema }) => schema), ...nullable }, plan };
  }

  #values(node: JsonSchema, path: string): WireForm {
    const all = (Object.hasOwn(node, "const") ? [node["const"]] : node["enum"]) as readonly unknown[];
    const values = all.filter((value) => value !== null);
    const nullable = values.length < all.length ? { nullable: true } : {};
    if (values.length === 0) return { schema: nothing(node), plan: undefined };
    const { notes } = constrain(this, node, [], path);
    if (values.every((value) => typeof value === "string" && value !== "")) {
      return {
        schema: { type: "string", ...describe(node, notes), enum: [...new Set(values)], ...nullable },
        plan: undefined,
      };
    }
    const types = [...new Set(values.map((value) => typeof value))];
    if (types.includes("object")) return this.#text(node, path, "lists values that are objects or arrays");
    this.note(path, "enum", "described", "Gemini lists texts only, and none that is empty");
    const words = describe(node, [`one of ${short(values)}`, ...notes]);
    if (types.length === 1) return { schema: { type: types[0], ...words, ...nullable }, plan: undefined };
    return { schema: { ...words, anyOf: types.map((type) => ({ type })), ...nullable }, plan: undefined };
  }

  #object(node: JsonSchema, path: string): WireForm {
    const properties = isJsonObject(node["properties"]) ? node["properties"] : {};
    const named = Object.entries(properties).filter(([, child]) => child !== false);
    const names = createWireNames(
      named.map(([key]) => key),
      FIELD_NAMES,
    );
    const required = new Set<unknown>(Array.isArray(node["required"]) ? node["required"] : []);
    const fields = new Map<string, FieldPlan>();
    const compiled = named.map(([key, child]) => {
      const inner = at(path, "properties", key);
      const wireKey = names.toWire(key);
      const { schema, plan } = this.compile(child, inner);
      if (wireKey !== key) this.note(inner, "properties", "renamed", `the provider knows it as ${wireKey}`);
      if (wireKey !== key || plan !== undefined) fields.set(wireKey, { key, plan });
      return [wireKey, schema] as const;
    });
    const { notes } = constrain(this, node, ["object"], path);
    const further = this.#furtherFields(node, path);
    const needed = named.map(([key]) => key).filter((key) => required.has(key));
    const schema = {
      type: "object",
      ...describe(node, [...further, ...notes]),
      // An object without fields is refused, one that does not speak of them is not.
      ...(compiled.length > 0 && { properties: Object.fromEntries(compiled) }),
      ...(needed.length > 0 && { required: needed.map((key) => names.toWire(key)) }),
    };
    return { schema, plan: fields.size > 0 ? { kind: "object", fields } : undefined };
  }

  #furtherFields(
    { additionalProperties, patternProperties, propertyNames }: JsonSchema,
    path: string,
  ): readonly string[] {
    const words: string[] = [];
    for (const [keyword, value] of Object.entries({ additionalProperties, patternProperties, propertyNames })) {
      if (value === undefined || value === false) continue;
      this.note(at(path, keyword), keyword, "described", "Gemini has no word for fields that are not named");
      words.push(value === true ? "may have further fields" : `${keyword}: ${short(value)}`);
    }
    return words;
  }
}

function isNull(branch: unknown): boolean {
  return isJsonObject(branch) && (branch["type"] === "null" || branch["const"] === null);
}

function nothing(node: JsonSchema): JsonSchema {
  return { type: "string", ...describe(node, ["always null"]), nullable: true };
}

/** Types as the API spells them. */
export function inUpperCase(schema: JsonSchema): JsonSchema {
  const { type, properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(typeof type === "string" && { type: type.toUpperCase() }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, child]) => [key, inUpperCase(child as JsonSchema)]),
      ),
    }),
    ...(isJsonObject(items) && { items: inUpperCase(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((branch: JsonSchema) => inUpperCase(branch)) }),
  };
}
