import { closestMatch, foldName } from "../error/closest-match.ts";
import { quote } from "../error/describe-received.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { opennessOf, propertiesOf } from "../schema/schema-node.ts";
import { childLocation, likelyAlternatives, rootLocation, type InstanceLocation } from "./instance-location.ts";
import type { Proposal } from "./propose-repair.ts";

/** Deeper values are not examined. */
const MAX_DEPTH = 16;
/** Most items of an array that are examined. */
const MAX_ITEMS = 200;

/** Objects with more fields that the schema does not name are not looked into: the work grows with the square. */
const MAX_UNKNOWN = 64;

/**
 * The fields to rename because their names differ from those of the schema in case, `_`, `-` and spaces alone. Of each
 * object all such fields or none: none where two could be meant by one name, or where another field may be meant that
 * differs by more than its case, for then the object is not only written in another style.
 */
export function proposeRenames(params: unknown, schema: JsonSchema): readonly Proposal[] {
  const found: Proposal[] = [];
  const walk = (location: InstanceLocation, depth: number): void => {
    const { value } = location;
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
    if (!Array.isArray(value)) found.push(...renamesOf(location));
    const keys = Array.isArray(value) ? value.slice(0, MAX_ITEMS).map((_, index) => index) : Object.keys(value);
    for (const key of keys) {
      const child = childLocation(location, key, schema);
      if (child.allowed.length > 0) walk(child, depth + 1);
    }
  };
  walk(rootLocation(params, schema), 0);
  return found;
}

function renamesOf(location: InstanceLocation): readonly Proposal[] {
  const { unknown, free } = unknownFields(location);
  if (unknown.length > MAX_UNKNOWN) return [];
  const pairs: (readonly [from: string, to: string])[] = [];
  for (const from of unknown) {
    const [to, ...others] = free.filter((name) => fold(name) === fold(from));
    if (others.length > 0) return [];
    if (to !== undefined) pairs.push([from, to]);
    else if (closestMatch(from, free) !== undefined) return [];
  }
  if (new Set(pairs.map(([, to]) => to)).size < pairs.length) return [];
  return pairs.map(([from, to]) => {
    const message = `${quote(from)} was taken for ${quote(to)}`;
    const advice = `rename ${quote(from)} to ${quote(to)}`;
    return { path: [...location.path, to], kind: "key_renamed", message, advice, from };
  });
}

function fold(name: string): string {
  return foldName(name).replaceAll(" ", "");
}

/**
 * The fields of an object that its schema does not name, and the named ones that were not sent. None where the schema
 * lets in other fields on purpose: these may be as they are meant.
 */
export function unknownFields(location: InstanceLocation): {
  readonly unknown: readonly string[];
  readonly free: readonly string[];
} {
  const allowed = likelyAlternatives(location);
  const { value } = location;
  if (!isJsonObject(value) || allowed.length === 0 || allowed.some((one) => opennessOf(one) === "open")) {
    return { unknown: [], free: [] };
  }
  const names = [...new Set(allowed.flatMap((one) => Object.keys(propertiesOf(one))))];
  const named = new Set(names);
  return {
    unknown: Object.keys(value).filter((key) => !named.has(key) && value[key] !== undefined),
    free: names.filter((name) => !Object.hasOwn(value, name) || value[name] === undefined),
  };
}
