import { type IgnoredField, type IgnoredFields, MAX_LISTED_KEYS } from "../error/issue.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import {
  allowsKind,
  alternatives,
  type Alternatives,
  alternativesOf,
  childNode,
  isRequired,
  matchesTags,
  opennessOf,
  propertiesOf,
  valuesOf,
} from "./schema-node.ts";

// The rules for an unknown field, one that a schema does not name, are a table of docs/calls.md.

type Check = (value: unknown, seen?: Seen) => boolean;

/**
 * The values that each check has looked at, below a value that several alternatives fit: these look into the same values, and
 * without it the work would double with each level. One value without a known name ends the search, so looking once is enough.
 */
type Seen = Map<Check, Set<unknown>>;

/**
 * Makes a check whether a value has only fields that the schema names, or allows on purpose. Written for speed, because
 * every call passes it: how to treat other fields is determined only if there are some.
 */
export function namesFields(schema: JsonSchema): (value: unknown) => boolean {
  let check: Check | undefined;
  return (value) => (check ??= checkOf(schema, schema, new Map()))(value);
}

/** True where a field without a name may reach the tool, or be dropped, and either way nothing could be said of it. */
function isOpen(one: JsonSchema): boolean {
  return opennessOf(one) === "open";
}

const anything: Check = () => true;

function checkOf(node: unknown, root: JsonSchema, known: Map<unknown, Check>): Check {
  const made = known.get(node);
  if (made !== undefined) return made;
  let own = anything;
  // A schema that refers to itself finds this one while its own is being made.
  known.set(node, (value, seen) => own(value, seen));
  own = makeCheck(node, root, known);
  known.set(node, own);
  return own;
}

function makeCheck(node: unknown, root: JsonSchema, known: Map<unknown, Check>): Check {
  const all = alternatives(node, root);
  const checkBelow: CheckBelow = (inner) =>
    mayHoldFields(inner, root, new Set()) ? checkOf(inner, root, known) : anything;
  const objects = all.filter((one) => allowsKind(one, "object"));
  const shapes = objects.map((one) => shapeOf(one, objects.length > 1, checkBelow));
  const lists = all.filter((one) => allowsKind(one, "array")).map((one) => itemsCheck(one, checkBelow));
  if (
    shapes.every(({ fields, plain, rest }) => rest === anything && plain.size === fields.size) &&
    lists.every((check) => check === anything)
  )
    return anything;
  const [only, ...others] = shapes;
  if (
    only !== undefined &&
    others.length === 0 &&
    lists.length === 0 &&
    only.rest === undefined &&
    only.plain.size === only.fields.size
  )
    return namesOnly(only.plain);
  // Every alternative must name the fields: which of a union a library takes is its own affair.
  const check: Check = (value, seen) => {
    if (typeof value !== "object" || value === null || isSeen(seen, check, value)) return true;
    if (Array.isArray(value)) {
      const below = seen ?? (lists.length > 1 ? new Map() : undefined);
      return lists.every((items) => items(value, below));
    }
    const meant = shapes.filter((shape) => !isOfAnother(shape, value as JsonSchema));
    const below = seen ?? (meant.length > 1 ? new Map() : undefined);
    // Where no alternative seems to be meant, none names the fields.
    if (meant.length === 0) return shapes.length === 0;
    return meant.every((shape) => fits(shape, value as JsonSchema, below));
  };
  return check;
}

function isSeen(seen: Seen | undefined, check: Check, value: object): boolean {
  if (seen === undefined) return false;
  const values = seen.get(check);
  if (values?.has(value) === true) return true;
  if (values === undefined) seen.set(check, new Set([value]));
  else values.add(value);
  return false;
}

/** For objects whose fields need only have a known name, as most parameters: half the time of the general check. */
function namesOnly(names: ReadonlySet<string>): Check {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
    for (const key in value) if (!names.has(key)) return false;
    return true;
  };
}

type CheckBelow = (node: unknown) => Check;

/** A plain schema's rules for the fields of an object. */
interface Shape {
  /** The values of its constant fields. An object with others is of another alternative. */
  readonly tags: readonly (readonly [key: string, values: ReadonlySet<unknown>])[];
  /** The fields whose values need no check. */
  readonly plain: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, Check>;
  /** `undefined` where nothing may be left out without a name. */
  readonly rest: Check | undefined;
}

function shapeOf(one: JsonSchema, isOfUnion: boolean, checkBelow: CheckBelow): Shape {
  const properties = Object.entries(propertiesOf(one));
  const tags = properties.flatMap(([key, node]) => {
    const values = isOfUnion && isJsonObject(node) ? valuesOf(node) : undefined;
    return values === undefined || values.some((value) => typeof value === "object")
      ? []
      : [[key, new Set(values)] as const];
  });
  const fields = new Map(properties.map(([key, node]) => [key, checkBelow(node)]));
  const plain = new Set([...fields].flatMap(([key, check]) => (check === anything ? [key] : [])));
  return { tags, plain, fields, rest: isOpen(one) ? checkBelow(restNode(one)) : undefined };
}

/** Whether a constant field has a value of another alternative. */
function isOfAnother({ tags }: Shape, value: JsonSchema): boolean {
  for (const [key, values] of tags) if (value[key] !== undefined && !values.has(value[key])) return true;
  return false;
}

function fits({ plain, fields, rest }: Shape, value: JsonSchema, seen: Seen | undefined): boolean {
  for (const key in value) {
    if (plain.has(key)) continue;
    const check = fields.get(key) ?? rest;
    if (check === undefined || !check(value[key], seen)) return false;
  }
  return true;
}

/** The schema of the fields that a plain schema does not name, as records have one. */
function restNode(one: JsonSchema): unknown {
  return "patternProperties" in one ? undefined : one["additionalProperties"];
}

/** Checks the items of an array, each by the schema of its place. Those behind a tuple may be left out. */
function itemsCheck({ prefixItems, items }: JsonSchema, checkBelow: CheckBelow): Check {
  const first = Array.isArray(prefixItems) ? prefixItems.map(checkBelow) : [];
  const rest = items === undefined && first.length > 0 ? undefined : checkBelow(items);
  if (rest === anything && first.every((check) => check === anything)) return anything;
  return (value, seen) =>
    (value as readonly unknown[]).every((item, index) => (first[index] ?? rest)?.(item, seen) ?? false);
}

/**
 * False for a schema without objects, or only with objects that have no rule for other fields: these need no check.
 *
 * @param seen - The nodes that were looked at, to which a schema may refer again.
 */
function mayHoldFields(node: unknown, root: JsonSchema, seen: Set<unknown>): boolean {
  if (!isJsonObject(node) || seen.has(node)) return false;
  seen.add(node);
  return alternatives(node, root).some((one) => {
    if (allowsKind(one, "object")) {
      if (!isOpen(one) || Object.keys(propertiesOf(one)).length > 0) return true;
      if (mayHoldFields(restNode(one), root, seen)) return true;
    }
    const { items, prefixItems } = one;
    const parts: readonly unknown[] = Array.isArray(prefixItems) ? [...prefixItems, items] : [items];
    if (parts.length > 1 && items === undefined) return true;
    return allowsKind(one, "array") && parts.some((part) => mayHoldFields(part, root, seen));
  });
}

/**
 * The fields of an accepted value that the schema's own library left out, because the schema, or the alternative that
 * the library took, does not name them; also the items behind a tuple.
 *
 * @param taken The library's output for the value.
 */
export function ignoredFields(sent: unknown, taken: unknown, schema: JsonSchema): IgnoredFields {
  const listed: IgnoredField[] = [];
  let others = 0;
  let keysLeft = MAX_LISTED_KEYS;
  const path: (string | number)[] = [];
  const walk = (value: unknown, kept: unknown, nodes: readonly unknown[]): void => {
    if (typeof value !== "object" || value === null || value === kept) return;
    const isList = Array.isArray(value);
    const ofKind = alternativesOf(nodes, schema).filter((one) => allowsKind(one, isList ? "array" : "object"));
    const tagged = ofKind.filter((one) => matchesTags(one, value));
    const all = tagged.length > 0 ? tagged : ofKind;
    if (all.length === 0) return;
    const leftOut = leftOutOf(kept, all);
    const open = all.filter((one) => isList || isOpen(one));
    const named = isList ? new Map<string, Alternatives>() : takersByName(all);
    for (const name of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[name];
      if (inner === undefined) continue;
      const key = isList ? Number(name) : name;
      const takers = named.get(name) ?? open;
      if (leftOut(key, takers)) {
        keysLeft -= path.length + 1;
        if (keysLeft < 0) others += 1;
        else listed.push({ path: [...path, key] });
      } else if (takers.length > 0 && isObject(inner)) {
        const next = isObject(kept) ? (kept as Record<string, unknown>)[name] : undefined;
        const below = new Set(takers.map((one) => childNode(one, value, key)));
        path.push(key);
        walk(inner, next, [...below]);
        path.pop();
      }
    }
  };
  walk(sent, taken, [schema]);
  return { listed, others };
}

/** The alternatives that take each field which any of them names. */
function takersByName(all: Alternatives): ReadonlyMap<string, Alternatives> {
  const names = new Set(all.flatMap((one) => Object.keys(propertiesOf(one))));
  const takes = (one: JsonSchema, name: string): boolean => Object.hasOwn(propertiesOf(one), name) || isOpen(one);
  return new Map([...names].map((name) => [name, all.filter((one) => takes(one, name))]));
}

/** Whether the library left a field out. After a transforming function, the output shows it only in part. */
function leftOutOf(kept: unknown, all: Alternatives): (key: string | number, takers: Alternatives) => boolean {
  const isClosed = all.every((one) => opennessOf(one) === "closed");
  let taken: Alternatives | undefined;
  return (key, takers) => {
    if (isObject(kept) && Object.hasOwn(kept, key)) return false;
    if (typeof key === "number") {
      return Array.isArray(kept) && all.every((one) => "prefixItems" in one && childNode(one, [], key) === undefined);
    }
    // Without any fields of its own, only the fields that the schema forbids are known to be left out.
    if (takers.length === 0) return isObject(kept) || isClosed;
    if (!isObject(kept) || Array.isArray(kept)) return false;
    taken ??= all.filter((one) => isTaken(one, Object.keys(kept)));
    return taken.some((one) => !takers.includes(one));
  };
}

/** Whether the output of the library is one of this alternative, as far as the names of its fields tell. */
function isTaken(one: JsonSchema, keys: readonly string[]): boolean {
  const names = propertiesOf(one);
  return (
    keys.length > 0 &&
    keys.every((key) => Object.hasOwn(names, key)) &&
    Object.keys(names).every((name) => !isRequired(one, name) || keys.includes(name))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
