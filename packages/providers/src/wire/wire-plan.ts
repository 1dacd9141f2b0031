import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, resolvePointer } from "@dispatch/tools-interface/internal";
import { isOmitted } from "./omitted-field.ts";

/**
 * How to turn a provider's value back into the form of the tool's own schema. Made together with the wire schema, so
 * nothing is guessed; `undefined` if nothing has to change.
 */
export type WirePlan =
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, FieldPlan> }
  | { readonly kind: "array"; readonly first: readonly (WirePlan | undefined)[]; readonly rest: WirePlan | undefined }
  | { readonly kind: "union"; readonly branches: readonly WireForm[]; readonly document: WireDocument }
  | { readonly kind: "reference"; readonly target: { plan: WirePlan | undefined } };

/** The conversion of one field of an object. */
export interface FieldPlan {
  /** The field's name in the tool's schema. */
  readonly key: string;
  /** The placeholder for a field that is left out: `null` if the tool's schema allows none, else a marker. */
  readonly absence?: "null" | "marker" | undefined;
  readonly plan: WirePlan | undefined;
}

/** The wire schema that references in branches point into. Filled in once the whole is made. */
export interface WireDocument {
  schema: JsonSchema;
}

/** A schema in a provider's dialect, with the plan that turns its values back. */
export interface WireForm {
  readonly schema: JsonSchema;
  readonly plan: WirePlan | undefined;
}

/** Deeper than this nothing is changed: a recursive schema sets no end. */
const MAX_DEPTH = 200;

/** The value without the additions of the wire form. Never throws; parts that do not fit the plan stay. */
export function decodeWireValue(value: unknown, plan: WirePlan | undefined): unknown {
  return new Decoding().decode(value, plan, 0).value;
}

interface Decoded {
  readonly value: unknown;
  /** How many nulls were taken out. */
  readonly dropped: number;
}

class Decoding {
  readonly #fits: KnownFits = new Map();
  /** The decoded objects and arrays, by plan: the branches of a union lead to the same plans below. */
  readonly #decoded = new Map<WirePlan, Map<object, Decoded>>();

  decode(value: unknown, plan: WirePlan | undefined, depth: number): Decoded {
    if (plan === undefined || depth > MAX_DEPTH || typeof value !== "object" || value === null)
      return { value, dropped: 0 };
    const values = this.#decoded.get(plan) ?? new Map<object, Decoded>();
    this.#decoded.set(plan, values);
    const decoded = values.get(value) ?? this.#decodeBy(plan, value, depth);
    values.set(value, decoded);
    return decoded;
  }

  #decodeBy(plan: WirePlan, value: object, depth: number): Decoded {
    switch (plan.kind) {
      case "object":
        return isJsonObject(value) ? this.#object(value, plan.fields, depth) : { value, dropped: 0 };
      case "array":
        return Array.isArray(value) ? this.#array(value, plan.first, plan.rest, depth) : { value, dropped: 0 };
      case "reference":
        return this.decode(value, plan.target.plan, depth + 1);
      case "union":
        return this.#union(value, plan.branches, plan.document, depth);
    }
  }

  #object(value: object, fields: ReadonlyMap<string, FieldPlan>, depth: number): Decoded {
    let dropped = 0;
    const entries: [string, unknown][] = [];
    for (const [wireKey, inner] of Object.entries(value)) {
      const field = fields.get(wireKey);
      if (field?.absence === "marker" && isOmitted(inner)) continue;
      if (field?.absence === "null" && inner === null) {
        dropped += 1;
        continue;
      }
      const decoded = this.decode(inner, field?.plan, depth + 1);
      dropped += decoded.dropped;
      entries.push([field?.key ?? wireKey, decoded.value]);
    }
    return { value: Object.fromEntries(entries), dropped };
  }

  #array(
    value: readonly unknown[],
    first: readonly (WirePlan | undefined)[],
    rest: WirePlan | undefined,
    depth: number,
  ): Decoded {
    let dropped = 0;
    const items = value.map((item, index) => {
      const decoded = this.decode(item, index < first.length ? first[index] : rest, depth + 1);
      dropped += decoded.dropped;
      return decoded.value;
    });
    return { value: items, dropped };
  }

  /** Where several branches fit, the one that keeps most: a `null` that some branch allows is one the model may mean. */
  #union(value: unknown, branches: readonly WireForm[], { schema: root }: WireDocument, depth: number): Decoded {
    let best: Decoded | undefined;
    for (const { schema, plan } of branches) {
      if (!fitsWireSchema(value, schema, root, this.#fits)) continue;
      const decoded = this.decode(value, plan, depth + 1);
      if (best === undefined || decoded.dropped < best.dropped) best = decoded;
      if (best.dropped === 0) break;
    }
    return best ?? { value, dropped: 0 };
  }
}

/** What was found for the values of one call, by schema: the branches of a union lead to the same schemas below. */
type KnownFits = Map<unknown, Map<unknown, boolean>>;

/**
 * Whether a value has the shape of a wire schema. Reads the differences between the branches of a union (types, values,
 * names of fields) and not bounds, patterns or formats.
 */
function fitsWireSchema(value: unknown, schema: unknown, root: JsonSchema, known: KnownFits): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  const values = known.get(schema) ?? new Map<unknown, boolean>();
  known.set(schema, values);
  let found = values.get(value);
  if (found !== undefined) return found;
  // A schema that refers to itself and to nothing else says nothing.
  values.set(value, true);
  found = fits(value, schema, (inner, node) => fitsWireSchema(inner, node, root, known), root);
  values.set(value, found);
  return found;
}

type Fits = (value: unknown, node: unknown) => boolean;

function fits(value: unknown, schema: JsonSchema, fitsNode: Fits, root: JsonSchema): boolean {
  const { $ref, anyOf, enum: values, type } = schema;
  if (typeof $ref === "string" && !fitsNode(value, resolvePointer(root, $ref))) return false;
  if (Array.isArray(anyOf) && !anyOf.some((branch) => fitsNode(value, branch))) return false;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
  if (Array.isArray(value)) return value.every((item) => fitsNode(item, schema["items"] ?? true));
  return !isJsonObject(value) || fitsFields(value, schema, fitsNode);
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function fitsFields(
  value: { readonly [key: string]: unknown },
  { properties, required, additionalProperties }: JsonSchema,
  fitsNode: Fits,
): boolean {
  const known = isJsonObject(properties) ? properties : {};
  if (Array.isArray(required) && !required.every((key) => typeof key === "string" && Object.hasOwn(value, key)))
    return false;
  return Object.entries(value).every(([key, inner]) =>
    Object.hasOwn(known, key) ? fitsNode(inner, known[key]) : additionalProperties !== false,
  );
}
