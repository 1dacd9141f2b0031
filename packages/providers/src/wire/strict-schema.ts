import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, opennessOf, resolvePointer } from "@dispatch/tools-interface/internal";
import { type FormatChange, UnsupportedSchemaError, at } from "./format-report.ts";
import { allowsNull, mergeSchemas } from "./merge-schemas.ts";
import { OMITTED_MARKER, orOmitted } from "./omitted-field.ts";
import type { FieldPlan, WireDocument, WireForm, WirePlan } from "./wire-plan.ts";

/** The expressive range of a provider's strict subset of JSON Schema. */
export interface StrictDialect {
  /** The name of the subset in reports, for example `OpenAI strict`. */
  readonly label: string;
  /** How a field that may be left out is said: as one that may be `null`, or as it is. */
  readonly optional: "null" | "absent";
  /** Whether a schema may refer to itself. */
  readonly allowsRecursion: boolean;
  /** Whether an object in a union must differ from the others in its first field. */
  readonly distinctFirstFields: boolean;
  /** Whether `default` may stand. */
  readonly allowsDefault: boolean;
  /** Whether a constraint may stand. All others become part of the description. */
  allows(keyword: string, value: unknown): boolean;
  /** Why a schema that is otherwise of the subset is refused, for example for its size. */
  refuse(schema: JsonSchema): string | undefined;
}

/** Keywords that restrict nothing, and that no provider's subset has. They go without a word. */
const SILENT = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "deprecated",
  "readOnly",
  "writeOnly",
  "nullable",
]);

/** Keywords that restrict nothing and that a model may want to read. */
const ANNOTATIONS = new Set(["description", "default", "examples"]);

/** A schema without keywords that restrict nothing. */
function constraintsOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !SILENT.has(key) && !ANNOTATIONS.has(key)));
}

/** The types of JSON Schema. */
export type SchemaType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** The keywords that restrict each type; a keyword of another type does not restrict a value. */
const CONSTRAINTS: { readonly [type in SchemaType]: readonly string[] } = {
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  null: [],
  array: ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  object: ["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "propertyNames"],
};

/** Constraints of every type. */
const CONDITIONS: readonly string[] = ["not", "if", "then", "else"];

/** True for the types of JSON Schema. */
function isSchemaType(type: unknown): type is SchemaType {
  return typeof type === "string" && Object.hasOwn(CONSTRAINTS, type);
}

/** Deeper than this no provider follows. */
const MAX_DEPTH = 64;
/** A schema of a few lines can stand for millions of nodes. */
const MAX_NODES = 20_000;
const SCALARS = new Set<unknown>(["string", "number", "integer", "boolean", "null"]);

interface Definition {
  readonly name: string;
  readonly target: { plan: WirePlan | undefined };
  schema: JsonSchema | undefined;
}

/** Compiles one tool's schema to a strict subset. */
export class StrictCompiler {
  readonly dialect: StrictDialect;
  readonly root: JsonSchema;
  readonly changes: FormatChange[] = [];
  readonly #document: WireDocument = { schema: {} };
  readonly #definitions = new Map<string, Definition>();
  #nodes = 0;
  #depth = 0;

  constructor(root: JsonSchema, dialect: StrictDialect) {
    this.root = root;
    this.dialect = dialect;
  }

  /** @throws {UnsupportedSchemaError} When the subset cannot say the schema. */
  compileRoot(): WireForm {
    const root: Definition = { name: "", target: { plan: undefined }, schema: undefined };
    this.#definitions.set("#", root);
    const { schema, plan } = this.compile(this.root, "#");
    if (schema["type"] !== "object") throw new UnsupportedSchemaError("#", "is no plain object");
    root.target.plan = plan;
    const definitions = [...this.#definitions.values()].filter(({ name }) => name !== "");
    const $defs = Object.fromEntries(definitions.map(({ name, schema: defined }) => [name, defined ?? {}]));
    const whole = definitions.length === 0 ? schema : { ...schema, $defs };
    this.#document.schema = whole;
    const refusal = this.dialect.refuse(whole);
    if (refusal !== undefined) throw new UnsupportedSchemaError("#", refusal);
    return { schema: whole, plan };
  }

  note(path: string, keyword: string, kind: FormatChange["kind"], message: string): void {
    this.changes.push({ path, keyword, kind, message });
  }

  compile(node: unknown, path: string): WireForm {
    this.#nodes += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new UnsupportedSchemaError(path, `is nested deeper than ${MAX_DEPTH} levels`);
    if (this.#nodes > MAX_NODES)
      throw new UnsupportedSchemaError(path, `makes the schema larger than ${MAX_NODES} nodes`);
    const form = this.#compile(node, path);
    this.#depth -= 1;
    return form;
  }

  #compile(node: unknown, path: string): WireForm {
    if (node === false) throw new UnsupportedSchemaError(path, "allows no value at all");
    if (!isJsonObject(node)) throw new UnsupportedSchemaError(path, "allows any value");
    const { $ref, allOf, anyOf, oneOf, type } = node;
    if (typeof $ref === "string") {
      const { $ref: _, ...beside } = node;
      if (Object.keys(constraintsOf(beside)).length === 0) return this.#reference($ref, beside, path);
      return this.compile(this.#merge([node], path), path);
    }
    if (Array.isArray(allOf)) {
      this.note(at(path, "allOf"), "allOf", "widened", "its parts go out as one schema");
      return this.compile(this.#merge([node], path), path);
    }
    if (anyOf !== undefined || oneOf !== undefined) return this.#union(node, path);
    if (Object.hasOwn(node, "const") || Array.isArray(node["enum"])) return this.#values(node, path);
    const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
    if (type === undefined) throw new UnsupportedSchemaError(path, "names no type");
    const unknown = types.find((one) => !isSchemaType(one));
    if (unknown !== undefined || types.length === 0)
      throw new UnsupportedSchemaError(path, "names a type that JSON has not");
    const [only] = types as readonly SchemaType[];
    if (types.length === 1 && only === "object") return compileObject(this, node, path);
    if (types.length === 1 && only === "array") return compileArray(this, node, path);
    if (types.every((one) => SCALARS.has(one))) return this.#scalar(node, types as readonly SchemaType[], path);
    const own = constraintsOf(node);
    const annotations = Object.fromEntries(Object.entries(node).filter(([key]) => ANNOTATIONS.has(key)));
    return this.#union({ ...annotations, anyOf: types.map((one) => ({ ...own, type: one })) }, path);
  }

  /** Each part counts as a node. */
  #merge(parts: readonly unknown[], path: string): JsonSchema {
    const steps = { taken: 0 };
    const merged = mergeSchemas(parts, this.root, path, steps);
    this.#nodes += steps.taken;
    return merged;
  }

  #scalar(node: JsonSchema, types: readonly SchemaType[], path: string): WireForm {
    const { kept, notes } = constrain(this, node, types, path);
    const type = types.length === 1 ? types[0] : types;
    return { schema: { type, ...describe(node, notes), ...kept }, plan: undefined };
  }

  #values(node: JsonSchema, path: string): WireForm {
    const listed = Array.isArray(node["enum"]) ? (node["enum"] as readonly unknown[]) : undefined;
    const constant = Object.hasOwn(node, "const") ? [node["const"]] : undefined;
    const allowed = constant === undefined ? listed : constant.filter((value) => listed?.includes(value) ?? true);
    const declared = node["type"] === undefined ? undefined : [node["type"]].flat();
    const values = [...new Set(allowed)].filter(
      (value) => declared === undefined || typesOf(value).some((type) => declared.includes(type)),
    );
    if (values.length === 0) throw new UnsupportedSchemaError(path, "allows no value at all");
    if (values.some((value) => typeof value === "object" && value !== null)) {
      throw new UnsupportedSchemaError(path, "lists values that are objects or arrays");
    }
    const types = [...new Set(values.map((value) => typesOf(value).find((one) => declared?.includes(one) ?? true)))];
    const { kept, notes } = constrain(this, node, [], path);
    const type = types.length === 1 ? types[0] : types;
    return { schema: { type, ...describe(node, notes), enum: values, ...kept }, plan: undefined };
  }

  #union(node: JsonSchema, path: string): WireForm {
    const { anyOf, oneOf, ...beside } = node;
    if (anyOf !== undefined && oneOf !== undefined) throw new UnsupportedSchemaError(path, "says both anyOf and oneOf");
    const keyword = anyOf === undefined ? "oneOf" : "anyOf";
    const branches = anyOf ?? oneOf;
    if (!Array.isArray(branches)) throw new UnsupportedSchemaError(path, `has no list under ${keyword}`);
    if (keyword === "oneOf") this.note(at(path, "oneOf"), "oneOf", "widened", "several branches may fit, not only one");
    const own = constraintsOf(beside);
    const shared = Object.keys(own).length > 0;
    const forms = branches.flatMap((branch: unknown, index) => {
      if (branch === false) return [];
      const inner = at(path, keyword, index);
      return [this.compile(shared ? this.#merge([own, branch], inner) : branch, inner)];
    });
    const [first] = forms;
    if (first === undefined) throw new UnsupportedSchemaError(path, "allows no value at all");
    if (this.dialect.distinctFirstFields) assertDistinct(forms, path);
    const schemas = forms.map(({ schema }) => schema);
    const { kept, notes } = constrain(this, beside, [], path);
    const isChanged = forms.some(({ plan }) => plan !== undefined);
    const plan: WirePlan | undefined = isChanged
      ? { kind: "union", branches: forms, document: this.#document }
      : undefined;
    return { schema: { ...describe(beside, notes), anyOf: schemas, ...kept }, plan };
  }

  #reference(reference: string, beside: JsonSchema, path: string): WireForm {
    const known = this.#definitions.get(reference);
    if (known !== undefined && known.schema === undefined && !this.dialect.allowsRecursion) {
      throw new UnsupportedSchemaError(path, "refers to what it is part of");
    }
    const { name, target } = known ?? this.#define(reference, path);
    const schema = { $ref: name === "" ? "#" : `#/$defs/${name}` };
    const { kept, notes } = constrain(this, beside, [], path);
    const words = { ...describe(beside, notes), ...kept };
    // Keywords beside a reference are refused or ignored by most.
    const isBare = Object.keys(words).length === 0;
    return { schema: isBare ? schema : { ...words, anyOf: [schema] }, plan: { kind: "reference", target } };
  }

  #define(reference: string, path: string): Definition {
    const node = this.#follow(reference, path);
    const taken = new Set([...this.#definitions.values()].map(({ name }) => name));
    const plain = reference.slice(reference.lastIndexOf("/") + 1).replaceAll(/[^A-Za-z0-9_]/g, "_") || "definition";
    let name = plain;
    for (let suffix = 2; taken.has(name); suffix += 1) name = `${plain}_${suffix}`;
    const definition: Definition = { name, target: { plan: undefined }, schema: undefined };
    this.#definitions.set(reference, definition);
    const { schema, plan } = this.compile(node, reference);
    definition.schema = schema;
    definition.target.plan = plan;
    return definition;
  }

  /** The node behind references that lead to references, so that a definition is never only another one's name. */
  #follow(reference: string, path: string): unknown {
    const seen = new Set<string>();
    let node: unknown = { $ref: reference };
    while (isJsonObject(node) && typeof node["$ref"] === "string") {
      const { $ref, ...beside } = node;
      if (Object.keys(beside).length > 0) return node;
      if (seen.has($ref)) throw new UnsupportedSchemaError(path, "refers to itself and to nothing else");
      seen.add($ref);
      node = resolvePointer(this.root, $ref);
      if (node === undefined) throw new UnsupportedSchemaError(path, `refers to ${$ref}, which is not in the schema`);
    }
    return node;
  }
}

/** The schemas within a compiled one, and how many objects and lists each stands in, itself included. */
export function* strictSchemas(
  node: unknown,
  around = 0,
): Generator<{ readonly schema: JsonSchema; readonly level: number }> {
  if (!isJsonObject(node)) return;
  const { type, properties = {}, items, anyOf = [], $defs = {} } = node;
  const level = around + (type === "object" || type === "array" ? 1 : 0);
  yield { schema: node, level };
  const inner = [...Object.values(properties as object), items, ...(anyOf as readonly unknown[])];
  for (const one of inner) yield* strictSchemas(one, level);
  for (const one of Object.values($defs as object)) yield* strictSchemas(one, 1);
}

function typesOf(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (typeof value === "number") return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  return [Array.isArray(value) ? "array" : typeof value];
}

/** OpenAI: objects in a union "must not share identical first keys", which it compares by their schemas. */
function assertDistinct(forms: readonly WireForm[], path: string): void {
  const firsts = forms.flatMap(({ schema }) => {
    const [first] = isJsonObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
    return first === undefined ? [] : [JSON.stringify(first)];
  });
  if (new Set(firsts).size < firsts.length)
    throw new UnsupportedSchemaError(path, "has branches that begin with the same field");
}

/**
 * An object whose fields are all named. Where the schema lets in others without saying so, strict narrows the tool to the
 * named ones, and the report says it; one that lets them in on purpose, or names none, cannot go out as strict.
 */
function compileObject(compiler: StrictCompiler, node: JsonSchema, path: string): WireForm {
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
function compileArray(compiler: StrictCompiler, node: JsonSchema, path: string): WireForm {
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

/** How long one constraint gets in a description, in characters. */
const MAX_NOTE = 200;

/** The constraints of a node that a subset keeps, and notes for the description on those that it does not. */
function constrain(
  compiler: StrictCompiler,
  node: JsonSchema,
  types: readonly SchemaType[],
  path: string,
): { readonly kept: JsonSchema; readonly notes: readonly string[] } {
  const { dialect } = compiler;
  const kept: Record<string, unknown> = {};
  const notes: string[] = [];
  const describeIt = (keyword: string, value: unknown, words = `${keyword}: ${short(value)}`): void => {
    notes.push(words);
    compiler.note(at(path, keyword), keyword, "described", `${dialect.label} does not enforce it`);
  };
  const isKept = (keyword: string): boolean => Object.hasOwn(node, keyword) && dialect.allows(keyword, node[keyword]);
  const keywords = new Set(types.flatMap((type) => CONSTRAINTS[type]));
  for (const keyword of keywords) {
    const value = node[keyword];
    if (value === undefined || isEmpty(keyword, value)) continue;
    // A library writes the same rule twice: as a format and as a pattern of hundreds of characters.
    const isRepeated = keyword === "pattern" && isKept("format");
    if (isRepeated || isSafeBound(value))
      compiler.note(at(path, keyword), keyword, "dropped", "it goes without saying");
    else if (dialect.allows(keyword, value)) kept[keyword] = value;
    else describeIt(keyword, value);
  }
  for (const keyword of CONDITIONS) if (Object.hasOwn(node, keyword)) describeIt(keyword, node[keyword]);
  if (Object.hasOwn(node, "default")) {
    if (dialect.allowsDefault) kept["default"] = node["default"];
    else describeIt("default", node["default"]);
  }
  if (Array.isArray(node["examples"])) describeIt("examples", node["examples"]);
  return { kept, notes };
}

/** `description` of a node with notes after it; nothing when there is nothing to say. */
function describe(node: JsonSchema, notes: readonly string[]): { readonly description?: string } {
  const own = typeof node["description"] === "string" ? node["description"] : "";
  const description = [own, notes.length > 0 ? `(${notes.join("; ")})` : ""].filter((part) => part !== "").join(" ");
  return description === "" ? {} : { description };
}

/** The bounds that Zod writes beside every integer. */
function isSafeBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}

/** A constraint that every value meets. */
function isEmpty(keyword: string, value: unknown): boolean {
  return (
    (keyword === "uniqueItems" && value === false) ||
    (keyword === "propertyNames" &&
      isJsonObject(value) &&
      Object.keys(value).every((key) => ["type", "enum"].includes(key)))
  );
}

/** The JSON text of a value, cut to the limit of a description. */
function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE)}…` : text;
}
