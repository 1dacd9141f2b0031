import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, resolvePointer } from "@dispatch/tools-interface/internal";
import { type FormatChange, at } from "./format-report.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { constrain, describe } from "./strict-constraints.ts";
import { compileArray, compileObject } from "./strict-containers.ts";
import {
  ANNOTATIONS,
  type SchemaCompiler,
  type SchemaType,
  type StrictDialect,
  constraintsOf,
  isSchemaType,
} from "./strict-dialect.ts";
import { UnsupportedSchemaError } from "./unsupported-schema-error.ts";
import type { WireDocument, WireForm, WirePlan } from "./wire-plan.ts";

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
export class StrictCompiler implements SchemaCompiler {
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

  /** Notes a change. */
  note(path: string, keyword: string, kind: FormatChange["kind"], message: string): void {
    this.changes.push({ path, keyword, kind, message });
  }

  /** Compiles one place of the schema. */
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
