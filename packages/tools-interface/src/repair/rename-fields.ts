import { closestMatch, foldName, mayMeanOther } from "../error/closest-match.ts";
import { quote } from "../error/describe-received.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { isRequired, namesIn, onceFor, opennessOf } from "../schema/schema-node.ts";
import {
  childLocation,
  type InstanceLocation,
  keysOf,
  likelyAlternatives,
  MAX_UNKNOWN,
  strayFields,
} from "./instance-location.ts";
import type { Proposal } from "./propose-repair.ts";

/** Deeper values are not examined. */
const MAX_DEPTH = 16;
/** Most items of an array that are examined. */
const MAX_ITEMS = 200;

/**
 * The fields to rename because their names differ from those of the schema in case, `_`, `-` and spaces alone. In an object
 * that lacks a required field also those that are near to one name alone, which is near to them alone: `path` for
 * `file_path`, `contnet` for `content`, but not `exclude` for `include`. Of each object all such fields by one of the two rules, or none: none where two could
 * be meant by one name.
 */
export function proposeRenames(root: InstanceLocation, schema: JsonSchema): readonly Proposal[] {
  const found: Proposal[] = [];
  const walk = (location: InstanceLocation, depth: number): void => {
    const { value } = location;
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
    if (!Array.isArray(value)) found.push(...renamesOf(location));
    const keys = Array.isArray(value) ? value.slice(0, MAX_ITEMS).map((_, index) => index) : keysOf(location);
    for (const key of keys) {
      // Only objects and arrays have fields: for the others no location is made.
      if (typeof (value as Record<string | number, unknown>)[key] !== "object") continue;
      const child = childLocation(location, key, schema);
      if (child.allowed.length > 0) walk(child, depth + 1);
    }
  };
  walk(root, 0);
  return found;
}

function renamesOf(location: InstanceLocation): readonly Proposal[] {
  const named = namedIn(location);
  if (named === "any") return [];
  const unknown = strayFields(location, named).filter((key) => (location.value as JsonSchema)[key] !== undefined);
  if (unknown.length > MAX_UNKNOWN) return [];
  const free = freeFields(location);
  const pairs: (readonly [from: string, to: string])[] = [];
  let [restyled, meant, isRefused] = [0, 0, false];
  for (const from of unknown) {
    const [to, ...others] = free.filter((name) => fold(name) === fold(from));
    if (others.length > 0) return [];
    const near = to ?? closestMatch(from, free);
    if (near === undefined) continue;
    pairs.push([from, near]);
    if (to !== undefined) restyled += 1;
    else if (isOnlyMeaning(from, near, unknown, free)) meant += 1;
    isRefused ||= location.allowed.every((one) => isRequired(one, near));
  }
  if (Math.max(restyled, meant) < pairs.length) return [];
  // A field that stays unknown shows that the object may be something else: a call of another tool, for instance.
  if (meant > 0 && !(isRefused && meant === unknown.length)) return [];
  if (new Set(pairs.map(([, to]) => to)).size < pairs.length) return [];
  return pairs.map(([from, to]) => {
    const message = `${quote(from)} was taken for ${quote(to)}`;
    const advice = `rename ${quote(from)} to ${quote(to)}`;
    return { path: [...location.path, to], kind: "key_renamed", message, advice, from };
  });
}

const ASCII = /^[\x20-\x7e]+$/;

/** True when the two names are near to each other, and no other name of theirs is near to either. */
function isOnlyMeaning(from: string, to: string, unknown: readonly string[], free: readonly string[]): boolean {
  const without = (names: readonly string[], name: string): readonly string[] => names.filter((one) => one !== name);
  return (
    // A letter of another script that looks alike is no slip.
    ASCII.test(from) &&
    ASCII.test(to) &&
    !mayMeanOther(from, to) &&
    closestMatch(to, unknown) === from &&
    closestMatch(from, without(free, to)) === undefined &&
    closestMatch(to, without(unknown, from)) === undefined
  );
}

function fold(name: string): string {
  return foldName(name).replaceAll(" ", "");
}

/**
 * The fields of an object that its schema does not name. None where the schema lets in other fields on purpose: these may be as
 * they are meant.
 */
export function unknownFields(location: InstanceLocation): readonly string[] {
  const { value } = location;
  const named = namedIn(location);
  if (!isJsonObject(value) || named === "any") return [];
  return keysOf(location).filter((key) => !named.has(key) && value[key] !== undefined);
}

/** The fields of an object that were not sent, where its schema lets in no others on purpose. */
export function freeFields(location: InstanceLocation): readonly string[] {
  const { value } = location;
  const named = namedIn(location);
  if (!isJsonObject(value) || named === "any") return [];
  return [...named].filter((name) => !Object.hasOwn(value, name) || value[name] === undefined);
}

function namedIn(location: InstanceLocation): ReadonlySet<string> | "any" {
  return namesOf(likelyAlternatives(location));
}

/**
 * The names of the fields that schemas name, or `any` where one lets in others on purpose. Once for each, because reading
 * them took a tenth of the answer to an invalid call.
 */
const namesOf = onceFor((allowed): ReadonlySet<string> | "any" => {
  if (allowed.length === 0 || allowed.some((one) => opennessOf(one) === "open")) return "any";
  return namesIn(allowed);
});
