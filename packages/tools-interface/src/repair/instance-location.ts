import type { Issue } from "../error/issue.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import {
  allowsKind,
  alternatives,
  alternativesOf,
  childNode,
  kindOf,
  matchesTags,
  type Alternatives,
} from "../schema/schema-node.ts";

/** A location inside the parameters (JSON Schema: instance location), with the schemas that apply to it. */
export interface InstanceLocation {
  /** Keys and indices from the root. */
  readonly path: Issue["path"];
  /** The value, `undefined` when there is none. */
  readonly value: unknown;
  /** The alternatives that the schema allows, empty when it does not say. */
  readonly allowed: Alternatives;
  /** The enclosing object or array, `undefined` for the root. */
  readonly parent: InstanceLocation | undefined;
  /** The locations below that were asked for. */
  children?: Map<string | number, InstanceLocation>;
  /** The keys of an object, once they were asked for. */
  keys?: readonly string[];
}

export function rootLocation(value: unknown, schema: JsonSchema): InstanceLocation {
  return { path: [], value, allowed: alternatives(schema, schema), parent: undefined };
}

/** The location at the end of a path, the same one each time. Missing keys lead to locations without a value. */
export function locationAt(root: InstanceLocation, path: Issue["path"], schema: JsonSchema): InstanceLocation {
  let location = root;
  for (const key of path) {
    const known = location.children?.get(key);
    const child: InstanceLocation = known ?? childLocation(location, key, schema);
    if (known === undefined) (location.children ??= new Map()).set(key, child);
    location = child;
  }
  return location;
}

/** In objects with more fields that are not named, none is taken for a slip: the work would grow with the square. */
export const MAX_UNKNOWN = 64;

/** The keys of an object, listed once. */
export function keysOf(location: InstanceLocation): readonly string[] {
  return (location.keys ??= isJsonObject(location.value) ? Object.keys(location.value) : []);
}

/** The fields of an object besides the named ones, if they are so few that each may be a slip. */
export function strayFields(location: InstanceLocation, named: ReadonlySet<string>): readonly string[] {
  const keys = keysOf(location);
  return keys.length > named.size + MAX_UNKNOWN ? [] : keys.filter((key) => !named.has(key));
}

/** The location of one item or field. */
export function childLocation(parent: InstanceLocation, key: string | number, schema: JsonSchema): InstanceLocation {
  const { value, path } = parent;
  const found =
    typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string | number, unknown>)[key]
      : undefined;
  return { path: [...path, key], value: found, allowed: allowedIn(parent, key, schema), parent };
}

/** The alternatives of one item or field. If one alternative of the parent says nothing about it, anything is allowed. */
function allowedIn(parent: InstanceLocation, key: string | number, schema: JsonSchema): Alternatives {
  const found = likelyAlternatives(parent);
  const [first] = found;
  if (first !== undefined && found.length === 1) return alternatives(childNode(first, parent.value, key), schema);
  const nodes = found.map((one) => childNode(one, parent.value, key));
  return nodes.every(isJsonObject) ? alternativesOf(nodes, schema) : [];
}

/**
 * The alternatives that the value was probably meant for: those that allow its kind and, for an object, those whose
 * constant fields (`kind: "circle"`) match. All alternatives when none does.
 */
export function likelyAlternatives({ value, allowed }: InstanceLocation): Alternatives {
  if (allowed.length < 2) return allowed;
  const kind = kindOf(value);
  const ofKind = allowed.filter((one) => allowsKind(one, kind));
  const tagged = ofKind.filter((one) => matchesTags(one, value));
  return tagged.length > 0 ? tagged : ofKind.length > 0 ? ofKind : allowed;
}
