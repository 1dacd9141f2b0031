import { isJsonObject, type JsonSchema } from "../json/json.ts";
import {
  allowsKind,
  isRequired,
  kindOf,
  matchesTags,
  propertiesOf,
  type Alternatives,
  valuesOf,
} from "../schema/schema-node.ts";
import { childLocation, type InstanceLocation } from "./instance-location.ts";

/** Deeper values are not examined. */
const MAX_DEPTH = 16;
/** Most items of an array that are examined. */
const MAX_ITEMS = 50;

/**
 * The locations where a value refused by a union breaks the branch it was most likely meant for. Answers with the location
 * itself when no branch is likelier than the others, and with none when the schema shows no mismatch.
 *
 * This is no validator: a location that is not listed may still be wrong.
 */
export function findMismatches(
  location: InstanceLocation,
  schema: JsonSchema,
  known: KnownMismatches = new Map(),
  depth = 0,
): readonly InstanceLocation[] {
  const { value, allowed } = location;
  if (allowed.length === 0 || depth > MAX_DEPTH) return [];
  if (typeof value !== "object" || value === null) return search(location, schema, known, depth);
  const ofValue = known.get(value) ?? new Map<Alternatives, readonly InstanceLocation[]>();
  known.set(value, ofValue);
  const found = ofValue.get(allowed) ?? search(location, schema, known, depth);
  ofValue.set(allowed, found);
  return found;
}

/** The mismatches of each value: branches of a union lead to the same schemas below, and each would search them anew. */
export type KnownMismatches = Map<object, Map<Alternatives, readonly InstanceLocation[]>>;

function search(
  location: InstanceLocation,
  schema: JsonSchema,
  known: KnownMismatches,
  depth: number,
): readonly InstanceLocation[] {
  const { value, allowed } = location;
  const kind = kindOf(value);
  const ofKind = allowed.filter((one) => allowsKind(one, kind));
  if (ofKind.length === 0) return [location];
  const tagged = ofKind.filter((one) => matchesTags(one, value));
  if (tagged.length === 0) return [wrongDiscriminator(location, ofKind, schema) ?? location];
  let best: readonly InstanceLocation[] | undefined;
  let isTied = false;
  for (const one of tagged) {
    const found = within({ ...location, allowed: [one] }, one, schema, known, depth);
    if (found.length === 0) return [];
    isTied = found.length === best?.length || (isTied && found.length > (best?.length ?? 0));
    if (best === undefined || found.length < best.length) best = found;
  }
  return isTied || best === undefined ? [location] : best;
}

/** The discriminator of the union, when its value belongs to no branch. */
function wrongDiscriminator(
  location: InstanceLocation,
  branches: Alternatives,
  schema: JsonSchema,
): InstanceLocation | undefined {
  const [first = {}] = branches;
  const tag = Object.keys(propertiesOf(first)).find((key) =>
    branches.every((branch) => {
      const node = propertiesOf(branch)[key];
      return isJsonObject(node) && valuesOf(node) !== undefined;
    }),
  );
  return tag === undefined ? undefined : childLocation({ ...location, allowed: branches }, tag, schema);
}

function within(
  location: InstanceLocation,
  one: JsonSchema,
  schema: JsonSchema,
  known: KnownMismatches,
  depth: number,
): readonly InstanceLocation[] {
  const { value } = location;
  if (!isWithinBounds(value, one)) return [location];
  if (Array.isArray(value)) {
    return value
      .slice(0, MAX_ITEMS)
      .flatMap((_, index) => findMismatches(childLocation(location, index, schema), schema, known, depth + 1));
  }
  if (!isJsonObject(value)) return [];
  return Object.keys(propertiesOf(one)).flatMap((key) => {
    const child = childLocation(location, key, schema);
    if (Object.hasOwn(value, key)) return findMismatches(child, schema, known, depth + 1);
    return isRequired(one, key) ? [child] : [];
  });
}

/** True when a value of an allowed kind is also within the size limits and the enumerated values of the schema. */
export function isWithinBounds(value: unknown, schema: JsonSchema): boolean {
  const values = valuesOf(schema);
  if (values !== undefined && typeof value !== "object") return values.includes(value);
  if (typeof value === "number") {
    if (schema["type"] === "integer" && !Number.isInteger(value)) return false;
    const step = limit(schema, "multipleOf", 0);
    return (
      value >= limit(schema, "minimum", -Infinity) &&
      value <= limit(schema, "maximum", Infinity) &&
      value > limit(schema, "exclusiveMinimum", -Infinity) &&
      value < limit(schema, "exclusiveMaximum", Infinity) &&
      (step === 0 || value % step === 0)
    );
  }
  const [unit, size] =
    typeof value === "string" ? ["Length", value.length] : ["Items", Array.isArray(value) ? value.length : 0];
  if (typeof value !== "string" && !Array.isArray(value)) return true;
  return size >= limit(schema, `min${unit}`, 0) && size <= limit(schema, `max${unit}`, Infinity);
}

function limit(schema: JsonSchema, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : otherwise;
}
