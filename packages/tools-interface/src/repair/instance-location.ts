import type { Issue } from "../error/issue.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import {
  allowsKind,
  alternatives,
  childNode,
  kindOf,
  propertiesOf,
  valuesOf,
  type Alternatives,
} from "../schema/schema-node.ts";

/** A place in a value, with what the schema allows there. */
export interface InstanceLocation {
  /** Keys and indices from the root. */
  readonly path: Issue["path"];
  /** What stands there, `undefined` when nothing does. */
  readonly value: unknown;
  /** What the schema allows there; empty when it does not say. */
  readonly allowed: Alternatives;
  /** The place it stands in, `undefined` for the root. */
  readonly parent: InstanceLocation | undefined;
}

/** The place of the whole value. */
export function rootLocation(value: unknown, schema: JsonSchema): InstanceLocation {
  return { path: [], value, allowed: alternatives(schema, schema), parent: undefined };
}

/** The place that a path leads to. Keys that are not there lead to places without a value. */
export function locationAt(root: InstanceLocation, path: Issue["path"], schema: JsonSchema): InstanceLocation {
  let place = root;
  for (const key of path) place = childLocation(place, key, schema);
  return place;
}

/** The place of one item or field. */
export function childLocation(parent: InstanceLocation, key: string | number, schema: JsonSchema): InstanceLocation {
  const { value, path } = parent;
  const found =
    typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string | number, unknown>)[key]
      : undefined;
  return { path: [...path, key], value: found, allowed: allowedIn(parent, key, schema), parent };
}

/** What is allowed of one item or field. A place of which one alternative says nothing may hold anything. */
function allowedIn(parent: InstanceLocation, key: string | number, schema: JsonSchema): Alternatives {
  const found = fitting(parent);
  const [first] = found;
  if (first !== undefined && found.length === 1) return alternatives(childNode(first, parent.value, key), schema);
  const nodes = found.map((one) => childNode(one, parent.value, key));
  return nodes.every(isJsonObject) ? nodes.flatMap((node) => alternatives(node, schema)) : [];
}

/**
 * The alternatives that the value at a place can be meant for: those that allow its kind and, of objects, those whose
 * fixed fields (`kind: "circle"`) it has. All of them when it has none.
 */
export function fitting({ value, allowed }: InstanceLocation): Alternatives {
  if (allowed.length < 2) return allowed;
  const kind = kindOf(value);
  const ofKind = allowed.filter((one) => allowsKind(one, kind));
  const tagged = ofKind.filter((one) => matchesTags(one, value));
  return tagged.length > 0 ? tagged : ofKind.length > 0 ? ofKind : allowed;
}

/** False when a field that may only have certain values has another one. */
export function matchesTags(schema: JsonSchema, value: unknown): boolean {
  if (!isJsonObject(value)) return true;
  return Object.entries(propertiesOf(schema)).every(([key, node]) => {
    const values = isJsonObject(node) ? valuesOf(node) : undefined;
    return values === undefined || !Object.hasOwn(value, key) || values.includes(value[key]);
  });
}
