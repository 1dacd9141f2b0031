import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { allowsKind, isRequired, kindOf, propertiesOf, valuesOf, type Alternatives } from "../schema/schema-node.ts";
import { childLocation, matchesTags, type InstanceLocation } from "./instance-location.ts";

/** Deeper than this nothing is looked for. */
const MAX_DEPTH = 16;
/** So many items of an array are looked at. */
const MAX_ITEMS = 50;

/**
 * Where a value that was refused by a union breaks the branch it was most likely meant for. The place itself when no
 * branch is likelier than the others, and nothing when no break can be seen from the schema.
 *
 * No validator: that a place is not named here does not mean that it is right.
 */
export function findMismatches(place: InstanceLocation, schema: JsonSchema, depth = 0): readonly InstanceLocation[] {
  const { value, allowed } = place;
  if (allowed.length === 0 || depth > MAX_DEPTH) return [];
  const kind = kindOf(value);
  const ofKind = allowed.filter((one) => allowsKind(one, kind));
  if (ofKind.length === 0) return [place];
  const tagged = ofKind.filter((one) => matchesTags(one, value));
  if (tagged.length === 0) return [wrongTag(place, ofKind, schema) ?? place];
  let best: readonly InstanceLocation[] | undefined;
  let isTied = false;
  for (const one of tagged) {
    const found = within({ ...place, allowed: [one] }, one, schema, depth);
    if (found.length === 0) return [];
    isTied = found.length === best?.length || (isTied && found.length > (best?.length ?? 0));
    if (best === undefined || found.length < best.length) best = found;
  }
  return isTied || best === undefined ? [place] : best;
}

/** The field by which all branches are told apart, when its value belongs to none of them. */
function wrongTag(place: InstanceLocation, branches: Alternatives, schema: JsonSchema): InstanceLocation | undefined {
  const [first = {}] = branches;
  const tag = Object.keys(propertiesOf(first)).find((key) =>
    branches.every((branch) => {
      const node = propertiesOf(branch)[key];
      return isJsonObject(node) && valuesOf(node) !== undefined;
    }),
  );
  return tag === undefined ? undefined : childLocation({ ...place, allowed: branches }, tag, schema);
}

function within(
  place: InstanceLocation,
  one: JsonSchema,
  schema: JsonSchema,
  depth: number,
): readonly InstanceLocation[] {
  const { value } = place;
  if (!isWithinBounds(value, one)) return [place];
  if (Array.isArray(value)) {
    return value
      .slice(0, MAX_ITEMS)
      .flatMap((_, index) => findMismatches(childLocation(place, index, schema), schema, depth + 1));
  }
  if (!isJsonObject(value)) return [];
  return Object.keys(propertiesOf(one)).flatMap((key) => {
    const child = childLocation(place, key, schema);
    if (Object.hasOwn(value, key)) return findMismatches(child, schema, depth + 1);
    return isRequired(one, key) ? [child] : [];
  });
}

/** True when a value of an allowed kind also keeps what the schema says of its size or lists as its values. */
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
