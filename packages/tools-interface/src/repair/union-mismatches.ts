import { isJsonObject, type JsonSchema } from "../json/json.ts";
import {
  allowsKind,
  type Alternatives,
  isRequired,
  kindOf,
  matchesTags,
  propertiesOf,
  valuesOf,
} from "../schema/schema-node.ts";
import { boundsCheck, type Check } from "../schema/validate/compile-checks.ts";
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
): readonly InstanceLocation[] {
  return find(location, 0);

  function find(at: InstanceLocation, depth: number): readonly InstanceLocation[] {
    const { value, allowed } = at;
    if (allowed.length === 0 || depth > MAX_DEPTH) return [];
    if (typeof value !== "object" || value === null) return search(at, depth);
    const ofValue = known.get(value) ?? new Map<Alternatives, readonly InstanceLocation[]>();
    known.set(value, ofValue);
    const found = ofValue.get(allowed) ?? search(at, depth);
    ofValue.set(allowed, found);
    return found;
  }

  function search(at: InstanceLocation, depth: number): readonly InstanceLocation[] {
    const { value, allowed } = at;
    const kind = kindOf(value);
    const ofKind = allowed.filter((one) => allowsKind(one, kind));
    if (ofKind.length === 0) return [at];
    const tagged = ofKind.filter((one) => matchesTags(one, value));
    if (tagged.length === 0) return [wrongDiscriminator(at, ofKind, schema) ?? at];
    let best: readonly InstanceLocation[] | undefined;
    let isTied = false;
    for (const one of tagged) {
      const found = within({ ...at, allowed: [one] }, one, depth);
      if (found.length === 0) return [];
      isTied = found.length === best?.length || (isTied && found.length > (best?.length ?? 0));
      if (best === undefined || found.length < best.length) best = found;
    }
    return isTied || best === undefined ? [at] : best;
  }

  function within(at: InstanceLocation, one: JsonSchema, depth: number): readonly InstanceLocation[] {
    const { value } = at;
    if (!isWithinBounds(value, one)) return [at];
    const below = (key: string | number) => find(childLocation(at, key, schema), depth + 1);
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).flatMap((_, index) => below(index));
    if (!isJsonObject(value)) return [];
    return Object.keys(propertiesOf(one)).flatMap((key) => {
      if (Object.hasOwn(value, key)) return below(key);
      return isRequired(one, key) ? [childLocation(at, key, schema)] : [];
    });
  }
}

/** The mismatches of each value: branches of a union lead to the same schemas below, and each would search them anew. */
export type KnownMismatches = Map<object, Map<Alternatives, readonly InstanceLocation[]>>;

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

const bounds = new WeakMap<JsonSchema, Check>();

/** True when a value is also within the limits and the enumerated values of a plain schema. */
export function isWithinBounds(value: unknown, schema: JsonSchema): boolean {
  let check = bounds.get(schema);
  if (check === undefined) bounds.set(schema, (check = boundsCheck(schema)));
  return check(value);
}
