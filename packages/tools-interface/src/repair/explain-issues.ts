import { closestMatch, closestMeaning, mayMeanOther } from "../error/closest-match.ts";
import { describeReceived, quote, truncate } from "../error/describe-received.ts";
import type { FoundIssues, Issue } from "../error/issue.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { MAX_INNER_JSON_CHARS } from "../json/parse-json.ts";
import { allowsKind, kindOf, namesIn, onceFor, opennessOf, propertiesOf, valuesOf } from "../schema/schema-node.ts";
import { describeExpected } from "./describe-expected.ts";
import {
  type InstanceLocation,
  keysOf,
  likelyAlternatives,
  locationAt,
  MAX_UNKNOWN,
  rootLocation,
  strayFields,
} from "./instance-location.ts";
import { type Proposal, proposeRepair } from "./propose-repair.ts";
import { findMismatches, isWithinBounds, type KnownMismatches } from "./union-mismatches.ts";

/** A value that the schema refused, with the library's message and the proposed repair. */
interface Problem {
  readonly location: InstanceLocation;
  /** The library's message, empty when it reported only an enclosing union. */
  readonly message: string;
  /** The repair, when exactly one is possible. */
  readonly proposal: Proposal | undefined;
}

/** The problems of parameters that a schema refused. */
export interface Diagnosis {
  /** The problems that were examined. */
  readonly problems: readonly Problem[];
  /** How many issues there are besides those examined. Parameters with any are not repaired. */
  readonly others: number;
  /** The issues with the library's own messages. */
  readonly issues: readonly Issue[];
  /** The location of the parameters as a whole. */
  readonly root?: InstanceLocation;
}

/** Most characters of a library's message. */
const MAX_MESSAGE_CHARS = 160;

/** Finds the location of each issue and, in a union, the locations within the branch that was most likely meant. */
export function diagnoseParams(params: unknown, { issues, others = 0 }: FoundIssues, schema: JsonSchema): Diagnosis {
  const root = rootLocation(params, schema);
  const problems: Problem[] = [];
  const limit = { chars: MAX_INNER_JSON_CHARS };
  const mismatches: KnownMismatches = new Map();
  for (const issue of issues) {
    const found = locationAt(root, issue.path, schema);
    // Zod reports such a field at its object, others at the field itself.
    const forbids = found.parent !== undefined && isForbidden(found) ? found.parent : undefined;
    const location = forbids ?? found;
    const message = forbids === undefined ? issue.message : UNKNOWN_KEY;
    const isUnion = location.allowed.length > 1 && typeof location.value === "object" && location.value !== null;
    const inner = isUnion ? findMismatches(location, schema, mismatches) : [];
    for (const at of inner.length > 0 ? inner : [location]) {
      // A library may report one location several times; the explanation from the schema is given once.
      const isKnown = problems.some(({ location: other }) => isSamePath(other.path, at.path));
      if (isKnown && (explains(at) || isOfKeys(message))) continue;
      const proposal = proposeRepair(at, schema, limit);
      problems.push({ location: at, message: at === location ? message : "", proposal });
    }
  }
  return { problems, others, issues, root };
}

/** Whether two paths lead to the same place. */
function isSamePath(one: Issue["path"], other: Issue["path"]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** Explains each problem: the expected and the received value, and the closest allowed one. */
export function explainDiagnosis({ problems, issues }: Diagnosis, schema: JsonSchema): readonly Issue[] {
  return problems.length === 0 ? issues : problems.map((problem) => explain(problem, schema));
}

function explain({ location, message, proposal }: Problem, schema: JsonSchema): Issue {
  const { path, value, allowed } = location;
  if (isOfKeys(message) && isJsonObject(value) && listsFields(location)) return explainKeys(location);
  const described = explains(location) ? describeExpected(allowed, schema) : undefined;
  // Where the schema says nothing of the kind of value, the library knows which keyword it was.
  const expected = described === "any value" && message !== "" ? undefined : described;
  const words = expected !== undefined && isDefault(message) ? "" : truncate(message, MAX_MESSAGE_CHARS);
  const received = describeReceived(value);
  const suggestion = proposal?.advice ?? suggest(location);
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
  // Assigned, because a spread for each optional field takes longer than all the rest.
  const issue: { -readonly [Key in keyof Issue]: Issue[Key] } = { path, message, received };
  if (expected !== undefined) issue.expected = expected;
  if (suggestion !== undefined) issue.suggestion = suggestion;
  return issue;
}

/** True if the schema alone explains the fault, so that an explanation from it can replace the library's message. */
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

/** Default messages of Zod 4, Zod 3 and `validate/`. Any other message is the tool author's own. */
const DEFAULT_WORDS =
  /^(?:Invalid |Invalid$|Expected |Required$|Too |Unrecognized |type "|does not |(?:String|Number|Array|Set|Date|BigInt) must |[\w.+-]+ is (?:less|greater|not)|String (?:is too|does not)|Array has too )/;

function isDefault(message: string): boolean {
  return message === "" || message.startsWith("expected ") || DEFAULT_WORDS.test(message);
}

/** The strings that are allowed at a location. */
const textsOf = onceFor((allowed) =>
  allowed.flatMap((one) => valuesOf(one) ?? []).filter((value) => typeof value === "string"),
);

/** The closest allowed value, or the field that seems to be misspelt. */
function suggest({ path, value, allowed, parent }: InstanceLocation): string | undefined {
  if (typeof value === "string") {
    const near = closestMeaning(value, textsOf(allowed));
    return near === undefined || near === value ? undefined : `did you mean ${quote(near)}`;
  }
  const key = path.at(-1);
  if (value !== undefined || key === undefined || parent === undefined || !isJsonObject(parent.value)) return undefined;
  const known = namesIn(parent.allowed);
  const near = closestMatch(String(key), strayFields(parent, known));
  // A field that is nearer to another missing one is meant for that one.
  const missing = [...known].filter((name) => !Object.hasOwn(parent.value as object, name));
  const isMeant = near !== undefined && closestMatch(near, missing) === key && !mayMeanOther(near, key);
  return isMeant ? `rename ${quote(near)} to ${quote(key)}` : undefined;
}

/** How Zod's message about unknown fields of a strict object begins. */
const UNKNOWN_KEY = "Unrecognized key";

/** True for an issue about unknown fields of a strict object. */
export function isOfKeys(message: string): boolean {
  return message.startsWith(UNKNOWN_KEY);
}

/** True for a field that is there and that its object forbids. */
function isForbidden({ path, value, parent }: InstanceLocation): boolean {
  const key = path.at(-1);
  if (value === undefined || parent === undefined || typeof key !== "string") return false;
  const allowed = likelyAlternatives(parent);
  return (
    allowed.length > 0 && allowed.every((one) => !Object.hasOwn(propertiesOf(one), key) && opennessOf(one) === "closed")
  );
}

/** The names that fields of a plain schema can have, as far as it lists them. */
function fieldNames(one: JsonSchema): readonly string[] {
  const { propertyNames } = one;
  const listed = isJsonObject(propertyNames) ? (valuesOf(propertyNames) ?? []) : [];
  const named = Object.entries(propertiesOf(one)).filter(([, node]) => node !== false);
  return [...named.map(([name]) => name), ...listed.map(String)];
}

/** True where the schema shows which fields are forbidden. A reference that is not followed shows nothing. */
function listsFields(location: InstanceLocation): boolean {
  const allowed = likelyAlternatives(location);
  return allowed.length > 0 && allowed.every((one) => fieldNames(one).length > 0 || opennessOf(one) === "closed");
}

/** Explains unknown fields of a strict object, with the fields that were probably meant. */
function explainKeys(location: InstanceLocation): Issue {
  const names = new Set(likelyAlternatives(location).flatMap(fieldNames));
  const known = [...names];
  const value = location.value as object;
  const unknown = keysOf(location).filter((key) => !names.has(key));
  const free = known.filter((key) => !Object.hasOwn(value, key));
  const meant = unknown.slice(0, MAX_UNKNOWN).flatMap((key) => {
    const near = closestMeaning(key, free);
    return near === undefined ? [] : [`rename ${quote(key)} to ${quote(near)}`];
  });
  return issueOf(
    location.path,
    "",
    truncate(known.length === 0 ? "no fields" : `only the fields ${known.join(", ")}`, MAX_MESSAGE_CHARS),
    truncate(unknown.slice(0, 5).map(quote).join(", "), 80),
    meant[0] ?? `leave out ${quote(unknown[0] ?? "")}`,
  );
}
