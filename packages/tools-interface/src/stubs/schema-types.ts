import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { resolvePointer } from "../schema/map-schemas.ts";
import { isOpening, type Kind, kindOf, valuesOf } from "../schema/schema-node.ts";
import { docOf } from "./doc-comment.ts";
import {
  ALL_KINDS,
  anyOfKinds,
  fieldType,
  intersection,
  literalType,
  NEVER,
  OPEN_OBJECT,
  printType,
  type StubField,
  type StubType,
  text,
  union,
  UNKNOWN,
  variantsOf,
} from "./stub-type.ts";

/** Schemas nested deeper than this count and print as any value. */
const MAX_DEPTH = 24;
/** An intersection with more variants than this prints as any value: TypeScript gives up at 100,000. */
const MAX_VARIANTS = 10_000;

/** Further types print as any value: nested records of listed names multiply. */
const MAX_TYPES = 20_000;

export interface TypeAlias {
  /** Unique in the source it stands in. */
  readonly name: string;
  readonly schema: unknown;
  readonly type: StubType;
}

/** Where a schema stands inside the document. */
interface TypeContext {
  /** The kinds that the surrounding schema allows. */
  readonly kinds: readonly Kind[];
  readonly depth: number;
  /** Inside an object or an array, where a type may name itself. */
  readonly guarded: boolean;
  /** Inside a document of its own, where references start from there. */
  readonly foreign: boolean;
  /** Within a schema that names the fields of the same objects. */
  readonly isNamed: boolean;
  /** Within a schema that forbids other fields of the same objects. */
  readonly isClosed: boolean;
  /** The alias being printed. */
  readonly alias: Draft | undefined;
}

interface Draft {
  readonly name: string;
  readonly schema: unknown;
  type: StubType;
  /** Aliases it names outside of objects and arrays. TypeScript allows no circle among these. */
  readonly unguarded: Set<Draft>;
}

/**
 * TypeScript types of one schema document, with a named type for each schema it refers to, so that recursion can be
 * printed.
 *
 * Never narrower than the schema: a constraint that TypeScript cannot express, or would not compile, becomes a wider
 * type.
 */
export class SchemaTypes {
  /** The type of the whole document. */
  readonly type: StubType;
  /** The named types it needs, in the order in which they are first named. */
  readonly aliases: readonly TypeAlias[];

  readonly #root: JsonSchema;
  readonly #nameAlias: (reference: string) => string;
  readonly #shapeOf: ReturnType<typeof schemaShapes>;
  readonly #drafts = new Map<string, Draft>();
  #types = 0;

  /** @param nameAlias Names the target of a reference, each time with a new name. */
  constructor(root: JsonSchema, nameAlias: (reference: string) => string) {
    this.#root = root;
    this.#nameAlias = nameAlias;
    this.#shapeOf = schemaShapes(root);
    const place = { kinds: ALL_KINDS, depth: 0, guarded: false, foreign: false, isNamed: false, isClosed: false };
    this.type = this.#toType(root, { ...place, alias: undefined });
    // Printing one may add more.
    for (const draft of this.#drafts.values()) draft.type = this.#toType(draft.schema, { ...place, alias: draft });
    this.aliases = [...this.#drafts.values()];
  }

  #toType(schema: unknown, place: TypeContext): StubType {
    if (schema === false) return NEVER;
    this.#types += 1;
    if (!isJsonObject(schema) || place.depth > MAX_DEPTH || this.#types > MAX_TYPES) return anyOfKinds(place.kinds);
    const kinds = this.#shapeOf(schema, place.foreign).kinds.filter((kind) => place.kinds.includes(kind));
    if (kinds.length === 0) return NEVER;
    const values = valuesOf(schema);
    if (values !== undefined) {
      const fitting = values.filter((value) => (kinds as unknown[]).includes(kindOf(value)));
      return union(fitting.map((value) => literalType(value)));
    }

    const foreign = place.foreign || isOwnDocument(schema, this.#root);
    const here = { ...place, kinds, depth: place.depth + 1, foreign };
    const namesFields = Object.keys(schema["properties"] ?? {}).length > 0;
    const isNamed = place.isNamed || namesFields;
    const isClosed =
      place.isClosed || schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false;
    const isSettled = place.isClosed || (place.isNamed && !namesFields);
    const below = { ...here, kinds: ALL_KINDS, guarded: true, isNamed: false, isClosed: false };
    const beside = (part: unknown): StubType => this.#toType(part, { ...here, isNamed, isClosed });
    const inner = (part: unknown): StubType => this.#toType(part, below);
    const { $ref, allOf, anyOf, oneOf } = schema;
    const parts: StubType[] = [];
    let isOpen = isOpening(schema);
    if (constrains(schema, kinds)) {
      const ofKind = (kind: Kind): StubType => {
        if (kind === "object") return objectType(schema, isSettled, inner);
        return kind === "array" ? arrayType(schema, inner) : text(kind);
      };
      parts.push(union(kinds.map(ofKind)));
    }
    if ($ref !== undefined) {
      const alias = typeof $ref === "string" ? this.#refer($ref, here) : undefined;
      if (alias === undefined) isOpen = true;
      else parts.push(alias);
    }
    for (const choices of [anyOf, oneOf]) {
      if (!Array.isArray(choices) || choices.length === 0) continue;
      // One that takes anything would swallow the others, and with them the names of their fields.
      if (choices.some((choice) => this.#saysNothing(choice, here))) isOpen = true;
      else parts.push(union(choices.map(beside)));
    }
    if (Array.isArray(allOf)) parts.push(...allOf.filter((part) => !this.#saysNothing(part, here)).map(beside));

    const all = parts.length === 0 ? anyOfKinds(kinds) : intersection(parts);
    if (variantsOf(all) > MAX_VARIANTS && all.kind === "intersection") return anyOfKinds(kinds);
    if (!isOpen || !kinds.includes("object")) return all;
    return opened(all, kinds.length === 1) ?? anyOfKinds(kinds);
  }

  /** True for a schema that accepts every value of the kinds of its place. */
  #saysNothing(schema: unknown, { kinds, foreign }: TypeContext): boolean {
    if (!isJsonObject(schema)) return schema !== false;
    const says = ["$ref", "anyOf", "oneOf", "allOf", "enum", "const"].some((keyword) => Object.hasOwn(schema, keyword));
    if (says || isOpening(schema) || constrains(schema, kinds)) return false;
    const allowed = this.#shapeOf(schema, foreign).kinds;
    return kinds.every((kind) => allowed.includes(kind));
  }

  /** The named type for the target of a reference; `undefined` if TypeScript cannot follow it. */
  #refer(reference: string, { alias: from, guarded, foreign }: TypeContext): StubType | undefined {
    if (foreign) return undefined;
    let draft = this.#drafts.get(reference);
    if (draft === undefined) {
      const schema = resolvePointer(this.#root, reference);
      if (schema === undefined) return undefined;
      draft = { name: this.#nameAlias(reference), schema, type: NEVER, unguarded: new Set() };
      this.#drafts.set(reference, draft);
    }
    if (from !== undefined && !guarded) {
      if (reaches(draft, from)) return undefined;
      from.unguarded.add(draft);
    }
    return { kind: "alias", name: draft.name, variants: this.#shapeOf(draft.schema, false).variants };
  }
}

function reaches(start: Draft, goal: Draft): boolean {
  const found = new Set([start]);
  for (const draft of found) for (const next of draft.unguarded) found.add(next);
  return found.has(goal);
}

/** The values that the composition of a schema allows, without looking into objects and arrays. */
interface SchemaShape {
  /** The kinds that values may have, in the order of the schema; never too few. */
  readonly kinds: readonly Kind[];
  /** How many alternatives TypeScript would have to tell apart; never too few. */
  readonly variants: number;
}

const ANY: SchemaShape = { kinds: ALL_KINDS, variants: 1 };
const NONE: SchemaShape = { kinds: [], variants: 0 };
const UNSURE: SchemaShape = { kinds: ALL_KINDS, variants: Infinity };

/** True for a schema within a document that is a document of its own: references in it start from there. */
function isOwnDocument(schema: JsonSchema, root: JsonSchema): boolean {
  return schema !== root && typeof schema["$id"] === "string" && !schema["$id"].startsWith("#");
}

/** Answers for the shapes of one schema document, each found once. `isForeign`: within a document of its own. */
function schemaShapes(root: JsonSchema): (schema: unknown, isForeign: boolean) => SchemaShape {
  const known = new Map<object, SchemaShape>();
  const shapeOf = (schema: unknown, isForeign: boolean, depth: number): SchemaShape => {
    if (schema === false) return NONE;
    if (!isJsonObject(schema)) return ANY;
    if (depth > MAX_DEPTH) return UNSURE;
    let shape = known.get(schema);
    if (shape === undefined) {
      // Known before it is found: a schema may refer to itself.
      known.set(schema, UNSURE);
      known.set(schema, (shape = find(schema, isForeign || isOwnDocument(schema, root), depth + 1)));
    }
    return shape;
  };
  const find = (schema: JsonSchema, isForeign: boolean, depth: number): SchemaShape => {
    const values = valuesOf(schema);
    if (values !== undefined) {
      return { kinds: both(ownKinds(schema), [...new Set(values.map(kindOf))]), variants: values.length };
    }
    const { $ref, allOf, anyOf, oneOf } = schema;
    let { kinds, variants } = { kinds: ownKinds(schema), variants: 1 };
    const meet = (other: SchemaShape): void => {
      kinds = both(kinds, other.kinds);
      variants *= other.variants;
    };
    if (typeof $ref === "string" && !isForeign) meet(shapeOf(resolvePointer(root, $ref), false, depth));
    if (Array.isArray(allOf)) for (const part of allOf) meet(shapeOf(part, isForeign, depth));
    for (const choices of [anyOf, oneOf]) {
      if (!Array.isArray(choices) || choices.length === 0) continue;
      const branches = choices.map((choice) => shapeOf(choice, isForeign, depth));
      const sum = branches.reduce((total, branch) => total + branch.variants, 0);
      meet({
        kinds: ALL_KINDS.filter((kind) => branches.some((branch) => branch.kinds.includes(kind))),
        variants: sum,
      });
    }
    const isChoice = Array.isArray(schema["type"]) || constrains(schema, kinds);
    return { kinds, variants: isChoice ? variants * kinds.length : variants };
  };
  return (schema, isForeign) => shapeOf(schema, isForeign, 0);
}

/** Keywords that constrain the contents of an object or an array. */
const CONTAINER_KEYWORDS: readonly (readonly [Kind, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"]],
  ["array", ["items", "prefixItems"]],
];

/** True when a schema itself says more of values of these kinds than their kind. */
function constrains(schema: JsonSchema, kinds: readonly Kind[]): boolean {
  return CONTAINER_KEYWORDS.some(
    ([kind, keywords]) => kinds.includes(kind) && keywords.some((keyword) => Object.hasOwn(schema, keyword)),
  );
}

function ownKinds({ type }: JsonSchema): readonly Kind[] {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const kinds = types.map((name) => ALL_KINDS.find((kind) => kind === (name === "integer" ? "number" : name)));
  const known = kinds.filter((kind) => kind !== undefined);
  return known.length < kinds.length || known.length === 0 ? ALL_KINDS : [...new Set(known)];
}

function both(kinds: readonly Kind[], others: readonly (Kind | undefined)[]): readonly Kind[] {
  return kinds.filter((kind) => others.includes(kind));
}

/** How the schema of a field or an item prints. */
type ToType = (schema: unknown) => StubType;

/** Tuples with more places than this print as arrays. */
const MAX_PLACES = 64;
/** The type of fields without a name prints up to this length, in characters, when it has to cover named ones too. */
const MAX_INDEX = 80;

function arrayType(schema: JsonSchema, toType: ToType): StubType {
  const { items, prefixItems, additionalItems, minItems, maxItems } = schema;
  const places: readonly unknown[] | undefined = [items, prefixItems].find(Array.isArray);
  if (places === undefined) return { kind: "array", item: toType(items) };
  if (places.length > MAX_PLACES) return { kind: "array", item: UNKNOWN };
  const most = typeof maxItems === "number" ? maxItems : Infinity;
  const fixed = places.slice(0, most).map(toType);
  const least = typeof minItems === "number" ? minItems : 0;
  const rest = most <= places.length ? NEVER : toType(Array.isArray(items) ? additionalItems : items);
  return rest === NEVER ? { kind: "tuple", items: fixed, least } : { kind: "tuple", items: fixed, least, rest };
}

/**
 * The type of the objects that a schema accepts.
 *
 * @param isSettled Whether the surrounding schema decides already which other fields they may have.
 */
function objectType(schema: JsonSchema, isSettled: boolean, toType: ToType): StubType {
  const { properties, required, patternProperties, additionalProperties: extra } = schema;
  const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
  const named = new Map(Object.entries(isJsonObject(properties) ? properties : {}));
  const keys = named.size === 0 ? onlyKeys(schema) : undefined;
  for (const name of keys ?? []) named.set(name, extra);
  const unnamed = isJsonObject(extra) && patternProperties === undefined ? extra : true;
  for (const name of needed) if (!named.has(name)) named.set(name, unnamed);
  const fields = [...named].map(([name, value]) => fieldType(name, toType(value), !needed.has(name), docOf(value)));
  const index =
    keys === undefined ? indexType(schema, fields, isSettled, toType) : keys.length === 0 ? NEVER : undefined;
  return index === undefined ? { kind: "object", fields } : { kind: "object", fields, index };
}

/** The only names that fields may have, where the schema lists them. */
function onlyKeys({ propertyNames, patternProperties, additionalProperties }: JsonSchema) {
  if (!isJsonObject(propertyNames) || patternProperties !== undefined || additionalProperties === false)
    return undefined;
  const names = propertyNames["enum"];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : undefined;
}

/** The type of fields without a name; `undefined` if none are allowed. */
function indexType(
  schema: JsonSchema,
  fields: readonly StubField[],
  isSettled: boolean,
  toType: ToType,
): StubType | undefined {
  const { patternProperties, additionalProperties: extra, unevaluatedProperties: other } = schema;
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  if (patterns.length === 0 && (extra === undefined || extra === false)) {
    if (other === true || isJsonObject(other)) return UNKNOWN;
    if (extra === false && fields.length === 0) return NEVER;
    // JSON Schema allows everything it does not forbid: a type without an index would refuse other fields in a literal.
    return isSettled || extra === false || other === false ? undefined : UNKNOWN;
  }
  const types = [...patterns, ...(extra === false ? [] : [extra])].map(toType);
  if (fields.length === 0) return union(types);
  // In TypeScript the index must cover the named fields too, and `undefined` for a field that is left out.
  const absent = fields.some(({ optional }) => optional) ? [text("undefined")] : [];
  const all = union([...types, ...fields.map(({ type }) => type), ...absent]);
  return printType(all).length > MAX_INDEX ? UNKNOWN : all;
}

/** The type with room for fields it does not name. `undefined` when that cannot be said of it. */
function opened(type: StubType, isObject: boolean): StubType | undefined {
  switch (type.kind) {
    case "object":
      return { ...type, index: UNKNOWN };
    case "union": {
      const parts = type.parts.map((part) => opened(part, isObject));
      return parts.every((part) => part !== undefined) ? union(parts) : undefined;
    }
    case "alias":
    case "intersection":
      return isObject ? { kind: "intersection", parts: [type, OPEN_OBJECT] } : undefined;
    case "text":
    case "array":
    case "tuple":
      return type;
  }
}
