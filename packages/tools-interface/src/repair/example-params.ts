import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { alternatives, childNode, isRequired, kindsOf, propertiesOf, valuesOf } from "../schema/schema-node.ts";

/** No examples for schemas nested deeper. */
const MAX_DEPTH = 8;
/** Places that are filled: a schema that refers to itself has too many. */
const MAX_PLACES = 300;
/** No examples with longer arrays and strings: a model learns nothing from them. */
const MAX_SIZE = 40;

/** Examples of each format. */
const OF_FORMAT: { readonly [format: string]: string } = {
  "date-time": "2030-01-31T12:00:00Z",
  date: "2030-01-31",
  time: "12:00:00",
  duration: "P1D",
  email: "name@example.com",
  hostname: "example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

/** Fields and items that an example must hold, each with those inside it. All items of an array are its key 0. */
export type Reach = ReadonlyMap<string | number, Reach>;

const NOWHERE: Reach = new Map();

/** The places that an example must hold to show a valid value at each of these paths, and one item if it is a list. */
export function reachOf(paths: readonly (readonly (string | number)[])[]): Reach {
  if (paths.length === 0) return NOWHERE;
  const root = new Map<string | number, Reach>();
  for (const path of paths) {
    let at = root;
    for (const key of path) {
      const step = typeof key === "number" ? 0 : key;
      const next = (at.get(step) as typeof root | undefined) ?? new Map<string | number, Reach>();
      at.set(step, next);
      at = next;
    }
  }
  return root;
}

/**
 * A small example of a schema: required fields and those of `reach`, with first choices, defaults, given examples and lower
 * bounds. It may break a rule that this does not read, such as a pattern, so the caller must check it. `undefined` where none
 * can be made.
 */
export function exampleOf(schema: JsonSchema, reach: Reach = NOWHERE): unknown {
  let places = 0;

  function valueOf(node: unknown, inside: Reach, depth: number): unknown {
    places += 1;
    if (depth > MAX_DEPTH || places > MAX_PLACES || node === false) return undefined;
    const branches = alternatives(isJsonObject(node) ? node : {}, schema);
    const one = branches.find((branch) => leadsTo(branch, inside)) ?? branches[0];
    if (one === undefined) return undefined;
    const values = valuesOf(one);
    if (values !== undefined) return values[0];
    const given = [...(Array.isArray(one["examples"]) ? (one["examples"] as unknown[]) : []), one["default"]];
    if (inside.size === 0 && given[0] !== undefined) return given[0];
    switch (kindsOf(one)?.[0] ?? (isJsonObject(one["properties"]) ? "object" : "string")) {
      case "string":
        return textOf(one);
      case "integer":
      case "number":
        return numberOf(one);
      case "boolean":
        return true;
      case "array":
        return arrayOf(one, inside, depth);
      case "object":
        return objectOf(one, inside, depth);
      default:
        return null;
    }
  }

  function arrayOf(one: JsonSchema, inside: Reach, depth: number): unknown {
    const { items, prefixItems, minItems = 0 } = one;
    const tuple: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const isPlace = inside !== NOWHERE && (inside.size === 0 || inside.has(0));
    const length = Math.max(Number(minItems), tuple.length, isPlace ? 1 : 0);
    if (length > MAX_SIZE) return undefined;
    const made = Array.from({ length }, (_, at) => valueOf(tuple[at] ?? items, inside.get(0) ?? NOWHERE, depth + 1));
    return made.includes(undefined) ? undefined : made;
  }

  function objectOf(one: JsonSchema, inside: Reach, depth: number): unknown {
    const properties = propertiesOf(one);
    const { additionalProperties, required } = one;
    const names = new Set(Object.keys(properties).filter((name) => isRequired(one, name)));
    if (Array.isArray(required)) for (const name of required) names.add(String(name));
    for (const name of inside.keys()) {
      const isListed = Object.hasOwn(properties, name);
      if (typeof name === "string" && name.length <= MAX_SIZE && (isListed || isJsonObject(additionalProperties)))
        names.add(name);
    }
    const example: Record<string, unknown> = {};
    for (const name of names) {
      const node = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      const value = valueOf(node, inside.get(name) ?? (inside.size === 0 ? inside : NOWHERE), depth + 1);
      if (value === undefined) return undefined;
      Object.defineProperty(example, name, { value, enumerable: true, writable: true, configurable: true });
    }
    return example;
  }

  return valueOf(schema, reach, 0);
}

/** Whether the branch of a union is the one that has the fields or items to be shown. */
function leadsTo(one: JsonSchema, inside: Reach): boolean {
  const kinds = kindsOf(one);
  if (inside.size === 0 || inside.has(0)) return inside.size > 0 && kinds?.includes("array") === true;
  return kinds?.includes("object") === true && [...inside.keys()].every((key) => isJsonObject(childNode(one, {}, key)));
}

function textOf({ format, minLength = 0, maxLength = MAX_SIZE }: JsonSchema): string | undefined {
  if (typeof format === "string" && Object.hasOwn(OF_FORMAT, format)) return OF_FORMAT[format];
  return Number(minLength) > MAX_SIZE ? undefined : "text".padEnd(Number(minLength), "-").slice(0, Number(maxLength));
}

function numberOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, type }: JsonSchema): number {
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  if (typeof minimum === "number") return Math.ceil(minimum / step) * step;
  const above = typeof exclusiveMinimum === "number" ? exclusiveMinimum + (type === "integer" ? step : step / 2) : step;
  const below = typeof exclusiveMaximum === "number" ? exclusiveMaximum - step : step;
  if (typeof exclusiveMinimum === "number") return multipleOf === undefined ? above : Math.ceil(above / step) * step;
  return Math.floor(Math.min(typeof maximum === "number" ? maximum : below, step) / step) * step;
}
