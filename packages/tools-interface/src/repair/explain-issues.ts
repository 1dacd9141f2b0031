import { closestMatch } from "../error/closest-match.ts";
import { truncate, describeReceived, quote } from "../error/describe-received.ts";
import type { Issue } from "../error/issue.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { allowsKind, kindOf, propertiesOf, valuesOf, type Alternatives } from "../schema/schema-node.ts";
import { describeExpected } from "./describe-expected.ts";
import { fitting, locationAt, rootLocation, type InstanceLocation } from "./instance-location.ts";
import { proposeRepair, type Proposal } from "./propose-repair.ts";
import { findMismatches, isWithinBounds } from "./union-mismatches.ts";

/** A refused place, with what the schema library said of it and the change it may need. */
interface Problem {
  /** Where it is. */
  readonly place: InstanceLocation;
  /** The library's own words, empty when it said nothing of this place in particular. */
  readonly message: string;
  /** The change that would put it right, when there is exactly one that can be meant. */
  readonly proposal: Proposal | undefined;
}

/** What is wrong with parameters that a schema refused. */
export interface Diagnosis {
  /** What was looked into. */
  readonly problems: readonly Problem[];
  /** Issues beyond the number that is looked into. */
  readonly others: readonly Issue[];
  /** All issues, in the library's own words. */
  readonly issues: readonly Issue[];
}

/** More issues than this are not looked into, and parameters that have more are not repaired. */
const MAX_ISSUES = 100;
/** How long the library's own words get, in characters. */
const MAX_MESSAGE = 160;

/** Finds the places that issues tell of, and within unions the places in the branch that was most likely meant. */
export function diagnoseParams(params: unknown, issues: readonly Issue[], schema: JsonSchema): Diagnosis {
  const root = rootLocation(params, schema);
  const problems: Problem[] = [];
  for (const { path, message } of issues.slice(0, MAX_ISSUES)) {
    const place = locationAt(root, path, schema);
    const isUnion = place.allowed.length > 1 && typeof place.value === "object" && place.value !== null;
    const inner = isUnion ? findMismatches(place, schema) : [];
    for (const at of inner.length > 0 ? inner : [place]) {
      // A library may tell of one place more than once; what the schema says of it is said once.
      const isKnown = problems.some(({ place: other }) => isSamePath(other.path, at.path));
      if (isKnown && (explains(at) || isOfKeys(message))) continue;
      problems.push({ place: at, message: at === place ? message : "", proposal: proposeRepair(at, schema) });
    }
  }
  return { problems, others: issues.slice(MAX_ISSUES), issues };
}

/** True when there is something that would put at least one of the problems right. */
export function isRepairable({ problems, others }: Diagnosis): boolean {
  return others.length === 0 && problems.some(({ proposal }) => proposal !== undefined);
}

function isSamePath(one: Issue["path"], other: Issue["path"]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** Says of each problem what was expected and received, and what is near. */
export function explainDiagnosis({ problems, others }: Diagnosis, schema: JsonSchema): readonly Issue[] {
  const issues = problems.map((problem) => explain(problem, schema));
  return others.length === 0 ? issues : [...issues, ...others];
}

function explain({ place, message, proposal }: Problem, schema: JsonSchema): Issue {
  const { path, value, allowed } = place;
  if (isOfKeys(message) && isJsonObject(value)) return explainKeys(place);
  const isExplained = explains(place);
  const words = isExplained && isDefault(message) ? "" : truncate(message, MAX_MESSAGE);
  const expected = isExplained ? describeExpected(allowed, schema) : undefined;
  const received = describeReceived(value);
  const suggestion = proposal?.advice ?? suggest(place);
  return issueOf(path, words, expected, received, suggestion);
}

function issueOf(
  path: Issue["path"],
  words: string,
  expected: string | undefined,
  received: string,
  suggestion: string | undefined,
): Issue {
  let message = words === "" ? "" : `${words}${expected === undefined ? ", " : "; "}`;
  message += expected === undefined ? `received ${received}` : `expected ${expected}, received ${received}`;
  if (suggestion !== undefined) message += `; ${suggestion}`;
  // Written out, because a spread for each optional field takes longer than all the rest.
  if (expected === undefined)
    return suggestion === undefined ? { path, message, received } : { path, message, received, suggestion };
  return suggestion === undefined
    ? { path, message, expected, received }
    : { path, message, expected, received, suggestion };
}

/** True when the schema shows what is wrong, so that its words can take the place of the library's. */
function explains({ value, allowed }: InstanceLocation): boolean {
  if (allowed.length === 0) return false;
  if (value === undefined) return true;
  const kind = kindOf(value);
  return !allowed.some(
    (one) =>
      allowsKind(one, kind) &&
      isWithinBounds(value, one) &&
      !("format" in one && kind === "string") &&
      !("pattern" in one && kind === "string"),
  );
}

/** The words that Zod 4, Zod 3 and @cfworker/json-schema have by themselves; others are the tool author's. */
const DEFAULT_WORDS =
  /^(?:Invalid |Invalid$|Expected |Required$|Too |Unrecognized |type "|does not |(?:String|Number|Array|Set|Date|BigInt) must |[\w.+-]+ is (?:less|greater|not)|String (?:is too|does not)|Array has too )/;

function isDefault(message: string): boolean {
  return message === "" || message.startsWith("expected ") || DEFAULT_WORDS.test(message);
}

const texts = new WeakMap<Alternatives, readonly string[]>();

/** The texts that a place lists as its values. */
function textsOf(allowed: Alternatives): readonly string[] {
  let found = texts.get(allowed);
  if (found === undefined) {
    found = allowed.flatMap((one) => valuesOf(one) ?? []).filter((value) => typeof value === "string");
    texts.set(allowed, found);
  }
  return found;
}

/** The nearest of the values that are allowed, or the field that seems to be misspelt. */
function suggest({ path, value, allowed, parent }: InstanceLocation): string | undefined {
  if (typeof value === "string") {
    const near = closestMatch(value, textsOf(allowed));
    return near === undefined || near === value ? undefined : `did you mean ${quote(near)}`;
  }
  const key = path.at(-1);
  if (value !== undefined || key === undefined || parent === undefined || !isJsonObject(parent.value)) return undefined;
  const known = new Set(parent.allowed.flatMap((one) => Object.keys(propertiesOf(one))));
  const sent = Object.keys(parent.value).filter((other) => !known.has(other));
  const near = closestMatch(String(key), sent);
  return near === undefined ? undefined : `rename ${quote(near)} to ${quote(String(key))}`;
}

/** True for an issue with fields that a strict object does not have. */
function isOfKeys(message: string): boolean {
  return message.startsWith("Unrecognized key");
}

/** Fields that a strict object does not have, with those that were meant. */
function explainKeys(place: InstanceLocation): Issue {
  const known = [...new Set(fitting(place).flatMap((one) => Object.keys(propertiesOf(one))))];
  const value = place.value as object;
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const free = known.filter((key) => !Object.hasOwn(value, key));
  const meant = unknown.flatMap((key) => {
    const near = closestMatch(key, free);
    return near === undefined ? [] : [`rename ${quote(key)} to ${quote(near)}`];
  });
  return issueOf(
    place.path,
    "",
    truncate(known.length === 0 ? "no fields" : `only the fields ${known.join(", ")}`, MAX_MESSAGE),
    truncate(unknown.slice(0, 5).map(quote).join(", "), 80),
    meant[0] ?? `leave out ${quote(unknown[0] ?? "")}`,
  );
}
