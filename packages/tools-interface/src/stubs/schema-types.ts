import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { resolvePointer } from "../schema/json-pointer.ts";
import { isOpening, kindOf, valuesOf, type Kind } from "../schema/schema-node.ts";
import { arrayType, objectType, opened } from "./container-types.ts";
import { constrains, isOwnDocument, schemaShapes } from "./schema-shape.ts";
import { ALL_KINDS, anyOfKinds, intersection, literalType, NEVER, text, union, variantsOf } from "./stub-type.ts";
import type { StubType } from "./stub-type.ts";

/** Schemas nested deeper than this print as any value. */
const MAX_DEPTH = 24;
/** An intersection with more variants than this prints as any value: TypeScript gives up at 100,000. */
const MAX_VARIANTS = 10_000;

/** Further types print as any value: nested records of listed names multiply. */
const MAX_TYPES = 20_000;

/** A named type. */
export interface TypeAlias {
  /** Unique in the source it stands in. */
  readonly name: string;
  /** The schema it stands for. */
  readonly schema: unknown;
  /** The referenced type. */
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
    if (constrains(schema, kinds)) parts.push(union(kinds.map((kind) => ofKind(kind, schema, isSettled, inner))));
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

function ofKind(kind: Kind, schema: JsonSchema, isSettled: boolean, inner: (part: unknown) => StubType): StubType {
  if (kind === "object") return objectType(schema, isSettled, inner);
  return kind === "array" ? arrayType(schema, inner) : text(kind);
}

function reaches(start: Draft, goal: Draft): boolean {
  const found = new Set([start]);
  for (const draft of found) for (const next of draft.unguarded) found.add(next);
  return found.has(goal);
}
