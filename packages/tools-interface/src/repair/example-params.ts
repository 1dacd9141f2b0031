import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { alternatives, childNode, isRequired, kindsOf, propertiesOf, valuesOf } from "../schema/schema-node.ts";

/** No examples for schemas nested deeper. */
const MAX_DEPTH = 8;
/** No examples with longer arrays and strings: a model learns nothing from them. */
const MAX_SIZE = 40;

/** Stands for "no example can be made". JSON has no `undefined`, so no example is it. */
const NONE = undefined;

/** An example of each format. */
const OF_FORMAT: { readonly [format: string]: string } = {
  "date-time": "2030-01-31T12:00:00Z",
  date: "2030-01-31",
  time: "12:00:00",
  email: "name@example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

/** Fields and items that an example must hold, each with those inside it. All items of an array are its key 0. */
export type Reach = ReadonlyMap<string | number, Reach>;

const NOWHERE: Reach = new Map();

/** What an example must hold to show a valid value at each of these paths, and one item where it is a list. */
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
 * A smallest value that the schema seems to allow: required fields only, first choices, lower bounds, and what `reach`
 * names. `undefined` when none can be made. The caller must validate it before showing it.
 */
export function exampleOf(node: unknown, root: JsonSchema, reach: Reach = NOWHERE, depth = 0): unknown {
  if (depth > MAX_DEPTH) return NONE;
  const branches = alternatives(node, root);
  for (const one of [...branches.filter((branch) => leadsTo(branch, reach)), ...branches]) {
    const example = exampleOfOne(one, root, reach, depth);
    if (example !== NONE) return example;
  }
  return NONE;
}

/** Whether the branch of a union is the one that has the fields or items to be shown. */
function leadsTo(one: JsonSchema, reach: Reach): boolean {
  if (reach.size === 0) return false;
  const kinds = kindsOf(one);
  if (reach.has(0)) return kinds?.includes("array") === true;
  return kinds?.includes("object") === true && [...reach.keys()].every((key) => isJsonObject(childNode(one, {}, key)));
}

function exampleOfOne(one: JsonSchema, root: JsonSchema, reach: Reach, depth: number): unknown {
  const values = valuesOf(one);
  if (values !== undefined) return values[0];
  if (Array.isArray(one["examples"]) && one["examples"].length > 0 && reach.size === 0) return one["examples"][0];
  const kinds = kindsOf(one);
  if (kinds === undefined) return "text";
  switch (kinds[0] ?? "") {
    case "string":
      return exampleText(one);
    case "integer":
    case "number":
      return exampleNumber(one);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return exampleArray(one, root, reach, depth);
    case "object":
      return exampleObject(one, root, reach, depth);
    default:
      return NONE;
  }
}

function exampleText({ format, minLength = 0, maxLength = MAX_SIZE }: JsonSchema): string | undefined {
  if (typeof format === "string" && Object.hasOwn(OF_FORMAT, format)) return OF_FORMAT[format];
  const least = Number(minLength);
  return least > MAX_SIZE ? NONE : "text".padEnd(least, "-").slice(0, Number(maxLength));
}

function exampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, type }: JsonSchema): number {
  const step = typeof multipleOf === "number" ? multipleOf : 1;
  const above =
    typeof exclusiveMinimum === "number" ? exclusiveMinimum + (type === "integer" ? step : step / 2) : undefined;
  const least = typeof minimum === "number" ? minimum : above;
  if (least !== undefined) return Math.ceil(least / step) * step;
  const most =
    typeof maximum === "number" ? maximum : typeof exclusiveMaximum === "number" ? exclusiveMaximum - step : step;
  return Math.floor(Math.min(most, step) / step) * step;
}

function exampleArray(one: JsonSchema, root: JsonSchema, reach: Reach, depth: number): unknown {
  const { prefixItems, items, minItems = 0 } = one;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const inside = reach.get(0);
  const least = Math.max(Number(minItems), tuple.length, inside === undefined ? 0 : 1);
  if (least > MAX_SIZE) return NONE;
  const isPlace = reach !== NOWHERE && reach.size === 0 && one["maxItems"] !== 0;
  // An empty list may be allowed, and says nothing of what belongs into it.
  const lengths = isPlace && least === 0 ? [1, 0] : [least];
  for (const length of lengths) {
    const example = Array.from({ length }, (_, at) =>
      exampleOf(tuple[at] ?? items, root, inside ?? NOWHERE, depth + 1),
    );
    if (!example.includes(NONE)) return example;
  }
  return NONE;
}

function exampleObject(one: JsonSchema, root: JsonSchema, reach: Reach, depth: number): unknown {
  const example: Record<string, unknown> = {};
  const properties = propertiesOf(one);
  for (const key of new Set([...Object.keys(properties), ...reach.keys()])) {
    const inside = reach.get(key);
    if (typeof key === "number" || (inside === undefined && !isRequired(one, key))) continue;
    const node = childNode(one, {}, key);
    // A name that the schema does not list is one that was sent.
    if (!Object.hasOwn(properties, key) && (!isJsonObject(node) || key.length > MAX_SIZE)) continue;
    const value = exampleOf(
      isJsonObject(node) ? node : {},
      root,
      inside ?? (reach.size === 0 ? reach : NOWHERE),
      depth + 1,
    );
    if (value === NONE) return NONE;
    Object.defineProperty(example, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return example;
}
