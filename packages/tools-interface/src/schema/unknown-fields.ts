import type { IgnoredField } from "../error/ignored-field.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { allowsKind, alternatives, childNode, opennessOf, propertiesOf } from "./schema-node.ts";

/*
 * What becomes of a field that a schema does not name, whatever library the schema comes from. `opennessOf` reads it from
 * the JSON Schema, which validation, repair, stubs and strict exports share.
 *
 * | the schema                     | examples                                                    | the field                               |
 * | ------------------------------ | ----------------------------------------------------------- | --------------------------------------- |
 * | `open`: allows it on purpose   | `z.looseObject`, `.passthrough`, `additionalProperties: {}` | reaches the tool                        |
 * | `unsaid`, `free`: says nothing | JSON Schema, TypeBox, ArkType, `v.looseObject`              | reaches the tool                        |
 * | drops it                       | `z.object`, `v.object`, ArkType `delete`                    | left out, listed in `ignored` and told; |
 * |                                |                                                             | refused where `repair` is `off`         |
 * | `closed`: forbids it           | `z.strictObject`, `additionalProperties: false`             | refused; left out and listed where      |
 * |                                |                                                             | `repair` is `lenient`                   |
 */

/** Values nested deeper are not searched. */
const MAX_DEPTH = 64;

type Check = (value: unknown, depth: number) => boolean;

/**
 * Makes a check whether a value has only fields that the schema names, or allows on purpose. Written for speed, because
 * every call passes it: what is to be done about other fields is found out only where there are some.
 */
export function namesFields(schema: JsonSchema): (value: unknown) => boolean {
  let check: Check | undefined;
  return (value) => (check ??= checkOf(schema, schema, new Map()))(value, 0);
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
  known.set(node, (value, depth) => own(value, depth));
  own = makeCheck(node, root, known);
  known.set(node, own);
  return own;
}

function makeCheck(node: unknown, root: JsonSchema, known: Map<unknown, Check>): Check {
  const all = alternatives(node, root);
  const objects = all.filter((one) => allowsKind(one, "object"));
  const arrays = all.filter((one) => allowsKind(one, "array") && (one["items"] ?? one["prefixItems"]) !== undefined);
  const takesAny = objects.length === 0 || objects.some(isOpen);
  const checkBelow = (inner: unknown): Check => (mayHoldFields(inner, root) ? checkOf(inner, root, known) : anything);
  const names = new Map<string, Check>();
  for (const one of objects) {
    for (const [key, child] of Object.entries(propertiesOf(one))) {
      names.set(key, either(names.get(key) ?? anything, checkBelow(child)));
    }
  }
  const rests = objects.filter(isOpen).map((one) => checkBelow(restNode(one)));
  const rest = rests.includes(anything) ? anything : rests.reduce(either, anything);
  if (arrays.length === 0 && takesAny && [...names.values(), rest].every((check) => check === anything))
    return anything;
  const itemsOf = arrays.map((one) => itemsCheck(one, root, known));
  return (value, depth) => {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return true;
    if (Array.isArray(value)) return itemsOf.length === 0 || itemsOf.some((check) => check(value, depth));
    for (const key in value) {
      const child = names.get(key) ?? (takesAny ? rest : undefined);
      if (child === undefined || !child((value as Record<string, unknown>)[key], depth + 1)) return false;
    }
    return true;
  };
}

/** The schema of the fields that a plain schema does not name, as records have one. */
function restNode(one: JsonSchema): unknown {
  return "patternProperties" in one ? undefined : one["additionalProperties"];
}

/** Checks the items of an array, each by what stands at its place. */
function itemsCheck(schema: JsonSchema, root: JsonSchema, known: Map<unknown, Check>): Check {
  const { prefixItems, items } = schema;
  const checkAt = (node: unknown): Check => (mayHoldFields(node, root) ? checkOf(node, root, known) : anything);
  const first = Array.isArray(prefixItems) ? prefixItems.map(checkAt) : [];
  const rest = checkAt(items);
  if (rest === anything && first.every((check) => check === anything)) return anything;
  return (value, depth) =>
    (value as readonly unknown[]).every((item, index) => (first[index] ?? rest)(item, depth + 1));
}

/** Where one of both says nothing of a field, the other decides. */
function either(one: Check, other: Check): Check {
  if (one === anything || other === anything) return one === anything ? other : one;
  return (value, depth) => one(value, depth) || other(value, depth);
}

/** False for what holds no objects, or only such of which nothing could be said: these need not be looked into. */
function mayHoldFields(node: unknown, root: JsonSchema, depth = 0): boolean {
  if (!isJsonObject(node)) return false;
  if (depth > MAX_NESTING) return true;
  return alternatives(node, root).some((one) => {
    if (allowsKind(one, "object")) {
      if (!isOpen(one) || Object.keys(propertiesOf(one)).length > 0) return true;
      if (mayHoldFields(restNode(one), root, depth + 1)) return true;
    }
    const { items, prefixItems } = one;
    const parts: readonly unknown[] = Array.isArray(prefixItems) ? [...prefixItems, items] : [items];
    return allowsKind(one, "array") && parts.some((part) => mayHoldFields(part, root, depth + 1));
  });
}

/** Lists nested deeper than this are looked into: a schema may refer to itself. */
const MAX_NESTING = 8;

/**
 * The fields of an accepted value that the schema's own library left out, which the schema does not name.
 *
 * @param taken What the library made of the value.
 */
export function ignoredFields(sent: unknown, taken: unknown, schema: JsonSchema): readonly IgnoredField[] {
  const found: IgnoredField[] = [];
  const walk = (value: unknown, kept: unknown, nodes: readonly unknown[], path: IgnoredField["path"]): void => {
    if (typeof value !== "object" || value === null || value === kept || path.length > MAX_DEPTH) return;
    const kind = Array.isArray(value) ? "array" : "object";
    const all = nodes.flatMap((node) => alternatives(node, schema)).filter((one) => allowsKind(one, kind));
    if (all.length === 0) return;
    const isKept = typeof kept === "object" && kept !== null;
    for (const [name, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      const key = kind === "array" ? Number(name) : name;
      const named = kind === "array" ? all : all.filter((one) => Object.hasOwn(propertiesOf(one), name));
      const takers = named.length > 0 ? named : all.filter(isOpen);
      const next = isKept ? (kept as Record<string, unknown>)[name] : undefined;
      if (takers.length > 0) {
        // What a field was made into by a function of its own is no longer compared with it.
        if (typeof next === "object")
          walk(
            inner,
            next,
            takers.map((one) => childNode(one, value, key)),
            [...path, key],
          );
      } else if (!(isKept && Object.hasOwn(kept, name))) {
        // A value made by a function shows no fields: then only what the schema forbids is known to be left out.
        if (isKept || all.every((one) => opennessOf(one) === "closed")) found.push({ path: [...path, name] });
      }
    }
  };
  walk(sent, taken, [schema], []);
  return found;
}
