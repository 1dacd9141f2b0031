import type { Issue } from "../error/issue.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { alternatives, childNode, isRequired, kindsOf, propertiesOf, valuesOf } from "../schema/schema-node.ts";
import { exampleNumbers, exampleTexts, MAX_SIZE } from "./example-values.ts";
import { textOfPattern } from "./pattern-text.ts";

/** No examples for schemas nested deeper. */
const MAX_DEPTH = 8;
/** Candidates for one place. */
const MAX_CANDIDATES = 40;
/** Examples that are checked until one fits. */
const MAX_TRIES = 60;
/** Places that are filled for all of them: a schema that refers to itself has too many. */
const MAX_PLACES = 3_000;

/** Stands for "no example can be made". JSON has no `undefined`, so no example is it. */
const NONE = undefined;

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

/** The faults of an example: places in it; `undefined` for one that fits, and for a check that takes longer. */
export type ExampleCheck = (example: unknown) => readonly Issue["path"][] | undefined;

/**
 * A smallest value that the schema seems to allow: required fields only, first choices, lower bounds, and the places of
 * `reach`. Where `check` finds a fault, other choices are made there, for some time. `undefined` if none can be made.
 */
export function exampleOf(schema: JsonSchema, reach: Reach = NOWHERE, check: ExampleCheck = () => undefined): unknown {
  const maker = new ExampleMaker(schema);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const example = maker.make(reach);
    if (example === NONE) return NONE;
    const faults = check(example);
    if (faults === undefined) return example;
    if (!faults.some((path) => maker.choosesOther(path))) return NONE;
  }
  return NONE;
}

/** One way to make a value. */
type Candidate = () => unknown;

/** Makes examples of one schema, each with other choices than the one before. */
class ExampleMaker {
  private readonly root: JsonSchema;
  /** Which candidate is taken at a place, by its path. */
  private readonly chosen = new Map<string, number>();
  /** How many candidates there were at each place of the last example. */
  private counts = new Map<string, number>();
  private places = 0;

  constructor(root: JsonSchema) {
    this.root = root;
  }

  make(reach: Reach): unknown {
    this.counts = new Map();
    return this.valueAt("", this.root, reach, 0);
  }

  /** Takes the next candidate at a place, or around it where there is none. */
  choosesOther(path: Issue["path"]): boolean {
    const keys = path.map((_, at) => keyOf(path.slice(0, at + 1)));
    for (const key of ["", ...keys].toReversed()) {
      const next = (this.chosen.get(key) ?? 0) + 1;
      if (next >= (this.counts.get(key) ?? 0)) continue;
      this.chosen.set(key, next);
      for (const other of this.chosen.keys()) if (other.startsWith(`${key}/`)) this.chosen.delete(other);
      return true;
    }
    return false;
  }

  private valueAt(key: string, node: unknown, reach: Reach, depth: number): unknown {
    this.places += 1;
    if (depth > MAX_DEPTH || node === false || this.places > MAX_PLACES) return NONE;
    const candidates = this.candidatesOf(key, isJsonObject(node) ? node : {}, reach, depth);
    this.counts.set(key, candidates.length);
    for (let at = this.chosen.get(key) ?? 0; at < candidates.length; at += 1) {
      const value = candidates[at]!();
      if (value === NONE) continue;
      this.chosen.set(key, at);
      return value;
    }
    return NONE;
  }

  private candidatesOf(key: string, node: JsonSchema, reach: Reach, depth: number): readonly Candidate[] {
    const branches = alternatives(node, this.root).flatMap((one) => this.conditionsOf(one));
    const leading = branches.filter((one) => leadsTo(one, reach));
    const found = [...new Set([...leading, ...branches])].map((one) => this.waysTo(key, one, reach, depth));
    // Of each branch the plainest first.
    const most = Math.max(0, ...found.map((ways) => ways.length));
    return Array.from({ length: most }, (_, at) => found.flatMap((ways) => ways[at] ?? []))
      .flat()
      .slice(0, MAX_CANDIDATES);
  }

  /** The schema with the requirements of its condition, each way. */
  private conditionsOf(one: JsonSchema): readonly JsonSchema[] {
    const { if: condition, then: yes, else: no, ...rest } = one;
    if (condition === undefined) return [one];
    const both = (...parts: readonly unknown[]): readonly JsonSchema[] =>
      parts.includes(false) ? [] : alternatives({ allOf: [rest, ...parts.filter(isJsonObject)] }, this.root);
    return [...both(condition, yes), ...both(no)];
  }

  private waysTo(key: string, one: JsonSchema, reach: Reach, depth: number): readonly Candidate[] {
    const values = valuesOf(one);
    if (values !== undefined) return values.slice(0, MAX_CANDIDATES).map((value) => () => value);
    const { examples, default: usual } = one;
    const given =
      reach.size > 0 ? [] : [...(Array.isArray(examples) ? examples : []), ...(usual === undefined ? [] : [usual])];
    const ways = kindsIn(one).flatMap((kind) => this.waysToKind(kind, key, one, reach, depth));
    return [...given.slice(0, 3).map((value) => () => value as unknown), ...ways];
  }

  private waysToKind(kind: string, key: string, one: JsonSchema, reach: Reach, depth: number): readonly Candidate[] {
    switch (kind) {
      case "string":
        return exampleTexts(one).map((text) => () => text);
      case "integer":
      case "number":
        return exampleNumbers(one).map((number) => () => number);
      case "boolean":
        return [() => true, () => false];
      case "null":
        return [() => null];
      case "array":
        return this.lengthsOf(one, reach).map((length) => () => this.arrayOf(length, key, one, reach, depth));
      case "object":
        return [0, 1, 2].map((more) => () => this.objectWith(more, key, one, reach, depth));
      default:
        return [];
    }
  }

  /** The possible lengths of an array. An empty list may be allowed, and shows nothing of its items. */
  private lengthsOf(one: JsonSchema, reach: Reach): readonly number[] {
    const { minItems = 0, maxItems = MAX_SIZE, contains, minContains = 1 } = one;
    const least = Math.max(Number(minItems), contains === undefined ? 0 : Number(minContains), reach.has(0) ? 1 : 0);
    const tuple = tupleOf(one).length;
    const isPlace = reach !== NOWHERE && reach.size === 0;
    const lengths = isPlace ? [Math.max(least, 1), least] : [Math.max(least, tuple), least];
    return [...new Set([...lengths, least + 1])].filter((length) => length <= Math.min(Number(maxItems), MAX_SIZE));
  }

  private arrayOf(length: number, key: string, one: JsonSchema, reach: Reach, depth: number): unknown {
    const { items, contains, minContains = 1, unevaluatedItems } = one;
    const tuple = tupleOf(one);
    const rest = Array.isArray(items) ? one["additionalItems"] : (items ?? unevaluatedItems);
    const example: unknown[] = [];
    for (let at = 0; at < length; at += 1) {
      const own = tuple[at] ?? rest;
      const contained =
        contains !== undefined && at < Number(minContains)
          ? { allOf: [own ?? {}, contains].filter(isJsonObject) }
          : own;
      const inside = reach.get(0) ?? NOWHERE;
      const fill = (): unknown => this.valueAt(`${key}/${at}`, contained, inside, depth + 1);
      const value = one["uniqueItems"] === true ? this.differing(example, `${key}/${at}`, fill) : fill();
      if (value === NONE) return NONE;
      example.push(value);
    }
    return example;
  }

  /** A value unlike the others, by other choices inside it, the innermost first. */
  private differing(others: readonly unknown[], key: string, fill: () => unknown): unknown {
    const taken = new Set(others.map((other) => JSON.stringify(other)));
    let value = fill();
    for (let tries = 0; tries < MAX_CANDIDATES && value !== NONE && taken.has(JSON.stringify(value)); tries += 1) {
      const inside = [...this.counts.keys()].filter((place) => place === key || place.startsWith(`${key}/`));
      const next = inside.findLast((place) => (this.chosen.get(place) ?? 0) + 1 < this.counts.get(place)!);
      if (next === undefined) return NONE;
      this.chosen.set(next, (this.chosen.get(next) ?? 0) + 1);
      value = fill();
    }
    return value;
  }

  private objectWith(more: number, key: string, one: JsonSchema, reach: Reach, depth: number): unknown {
    const example: Record<string, unknown> = {};
    const properties = propertiesOf(one);
    const required = Array.isArray(one["required"]) ? (one["required"] as unknown[]).map(String) : [];
    const optional = Object.keys(properties).filter((name) => !required.includes(name) && !reach.has(name));
    const least = Number(one["minProperties"] ?? 0);
    const names = new Set([...Object.keys(properties).filter((name) => isRequired(one, name)), ...required]);
    for (const name of reach.keys()) if (typeof name === "string") names.add(name);
    for (const name of [...optional, ...namesFor(one)])
      if (names.size < Math.min(least, MAX_SIZE) + more) names.add(name);
    for (const name of names) for (const other of dependentOn(one, name)) names.add(other);
    for (const name of names) {
      const node = nodeOf(one, name);
      const inside = reach.get(name);
      // A name that the schema does not list is one that was sent.
      if (
        !Object.hasOwn(properties, name) &&
        !required.includes(name) &&
        inside !== undefined &&
        (!isJsonObject(node) || name.length > MAX_SIZE)
      )
        continue;
      const value = this.valueAt(`${key}/${name}`, node, inside ?? (reach.size === 0 ? reach : NOWHERE), depth + 1);
      if (value === NONE) return NONE;
      Object.defineProperty(example, name, { value, enumerable: true, writable: true, configurable: true });
    }
    return example;
  }
}

function keyOf(path: Issue["path"]): string {
  return path.map((key) => `/${key}`).join("");
}

/** Whether the branch of a union is the one that has the fields or items to be shown. */
function leadsTo(one: JsonSchema, reach: Reach): boolean {
  if (reach.size === 0) return false;
  const kinds = kindsOf(one);
  if (reach.has(0)) return kinds?.includes("array") === true;
  return kinds?.includes("object") === true && [...reach.keys()].every((key) => isJsonObject(childNode(one, {}, key)));
}

/** Keywords of one kind of value alone. */
const KEYWORDS: readonly (readonly [kind: string, keywords: RegExp])[] = [
  ["string", /^(?:minLength|maxLength|pattern|format)$/],
  ["number", /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
  ["array", /^(?:items|prefixItems|contains|minItems|maxItems|uniqueItems|additionalItems|unevaluatedItems)$/],
  [
    "object",
    /^(?:properties|required|patternProperties|additionalProperties|propertyNames|minProperties|maxProperties|dependent\w+|dependencies|unevaluatedProperties)$/,
  ],
];

/** The kinds of values that a schema is of, those that its keywords are about first where it does not say. */
function kindsIn(one: JsonSchema): readonly string[] {
  const kinds = kindsOf(one);
  if (kinds !== undefined) return kinds;
  const meant = KEYWORDS.filter(([, keywords]) => Object.keys(one).some((key) => keywords.test(key)));
  return [...new Set([...meant.map(([kind]) => kind), "string", "number", "boolean", "null", "object", "array"])];
}

function tupleOf({ prefixItems, items }: JsonSchema): readonly unknown[] {
  return Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
}

/** The schema of a field, by its name or by a pattern that its name fits. */
function nodeOf(one: JsonSchema, name: string): unknown {
  const { patternProperties, additionalProperties, unevaluatedProperties } = one;
  const nodes = Object.entries(isJsonObject(patternProperties) ? patternProperties : {})
    .filter(([pattern]) => new RegExp(pattern, "u").test(name))
    .map(([, node]) => node);
  if (Object.hasOwn(propertiesOf(one), name)) nodes.unshift(propertiesOf(one)[name]);
  if (nodes.length === 0) return additionalProperties ?? unevaluatedProperties;
  return nodes.length === 1 ? nodes[0] : nodes.includes(false) ? false : { allOf: nodes.filter(isJsonObject) };
}

/** Names that fields without a name may have. */
function namesFor({ patternProperties, propertyNames }: JsonSchema): readonly string[] {
  const patterns = Object.keys(isJsonObject(patternProperties) ? patternProperties : {});
  const named = isJsonObject(propertyNames)
    ? [...(valuesOf(propertyNames) ?? []).map(String), ...exampleTexts(propertyNames)]
    : [];
  return [...patterns.flatMap((pattern) => textOfPattern(pattern) ?? []), ...named, "name", "name2", "name3"];
}

/** The fields that must be there where another one is. */
function dependentOn({ dependentRequired, dependencies }: JsonSchema, name: string): readonly string[] {
  return [dependentRequired, dependencies].flatMap((rules) => {
    const rule = isJsonObject(rules) && Object.hasOwn(rules, name) ? rules[name] : undefined;
    return Array.isArray(rule) ? rule.map(String) : [];
  });
}
