import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { resolvePointer } from "../schema/json-pointer.ts";
import { kindOf, valuesOf, type Kind } from "../schema/schema-node.ts";
import { ALL_KINDS } from "./stub-type.ts";

/** Schemas nested deeper than this count as any value. */
const MAX_DEPTH = 24;

/** The values that the composition of a schema allows, without looking into objects and arrays. */
export interface SchemaShape {
  /** The kinds that values may have, in the order of the schema; never too few. */
  readonly kinds: readonly Kind[];
  /** How many alternatives TypeScript would have to tell apart; never too few. */
  readonly variants: number;
}

const ANY: SchemaShape = { kinds: ALL_KINDS, variants: 1 };
const NONE: SchemaShape = { kinds: [], variants: 0 };
const UNSURE: SchemaShape = { kinds: ALL_KINDS, variants: Infinity };

/** True for a schema within a document that is a document of its own: references in it start from there. */
export function isOwnDocument(schema: JsonSchema, root: JsonSchema): boolean {
  return schema !== root && typeof schema["$id"] === "string" && !schema["$id"].startsWith("#");
}

/** Answers for the shapes of one schema document, each found once. `isForeign`: within a document of its own. */
export function schemaShapes(root: JsonSchema): (schema: unknown, isForeign: boolean) => SchemaShape {
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
export function constrains(schema: JsonSchema, kinds: readonly Kind[]): boolean {
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
