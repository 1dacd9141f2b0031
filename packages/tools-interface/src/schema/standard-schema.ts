import { type Issue, MAX_ISSUES } from "../error/issue.ts";
import { InvalidToolError } from "../error/tool-error.ts";
import { isPending } from "../wait/thenable.ts";
import type { Checked, SourceSchema } from "./compiled-schema.ts";

/**
 * The parts of a schema library that this package calls: of Standard Schema and Standard JSON Schema.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema {
  /** The contract of Standard Schema. */
  readonly "~standard": {
    /** Version of the contract. */
    readonly version: number;
    /** Name of the library. */
    readonly vendor: string;
    /** Types of inputs and outputs; never there at run time. */
    readonly types?: unknown;
    /** Checks a value. */
    readonly validate: (value: unknown) => unknown;
    /** Converts the schema to JSON Schema. */
    readonly jsonSchema?: unknown;
  };
}

/** True for an object or function that carries the Standard Schema contract. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | {
      readonly issues: readonly StandardIssue[];
      /** How many issues there are besides these. Default none. */
      readonly others?: number;
    };

/**
 * Checks values with a Standard Schema. Issues count even beside a value: Valibot can answer both.
 *
 * @throws {InvalidToolError} When the contract is of another version, or not kept.
 */
export function standardValidate(schema: StandardSchema, role: string): SourceSchema["validate"] {
  const standard: unknown = schema["~standard"];
  if (!isContract(standard)) {
    throw new InvalidToolError(
      `Cannot use the ${role}: its "~standard" is not as Standard Schema says, allowed is { version: 1, vendor, validate }`,
    );
  }
  const check = zod4Validate(schema) ?? ((value) => standard.validate(value));
  return (value) => {
    try {
      const result = check(value) as StandardResult | Promise<StandardResult>;
      return isPending(result) ? result.then(toChecked).catch(beyondStack) : toChecked(result);
    } catch (thrown) {
      return beyondStack(thrown);
    }
  };
}

/**
 * A library that calls itself for each level, or passes on all issues as arguments, overflows the stack on values that
 * a model may well send.
 */
function beyondStack(thrown: unknown): Checked {
  if (!(thrown instanceof RangeError)) throw thrown;
  return { issues: [{ path: [], message: "cannot be checked, it is nested too deeply or wrong in too many places" }] };
}

function isContract(value: unknown): value is StandardSchema["~standard"] {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const { version, vendor, validate } = value as Partial<StandardSchema["~standard"]>;
  return version === 1 && typeof vendor === "string" && typeof validate === "function";
}

function toChecked(result: StandardResult): Checked {
  if (result.issues === undefined) return result;
  const { issues, others = 0 } = result;
  return { issues: issues.slice(0, MAX_ISSUES).map(toIssue), others: others + Math.max(0, issues.length - MAX_ISSUES) };
}

/** A Standard Schema library's description of one problem, with ArkType's additions. */
interface StandardIssue {
  readonly message: string;
  /** Where it is; a segment may be an object with the key. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /** ArkType: the expectation, without the value received. */
  readonly expected?: unknown;
  /** ArkType: the value received. Valibot calls it `received`. */
  readonly actual?: unknown;
  /** ArkType: the problems of each branch of a union, or of each part of an intersection. */
  readonly errors?: readonly StandardIssue[];
}

/** The problem in this package's form. Keys that are symbols become text. */
function toIssue(issue: StandardIssue): Issue {
  return { path: (issue.path ?? []).map(toKey), message: wordsOf(issue) };
}

/** The prefix of most messages of Zod; it adds nothing to the text around it. */
const ZOD_PREFIX = "Invalid input: ";
/** With the word that distinguishes Zod's messages from Valibot's. */
const ZOD = `${ZOD_PREFIX}expected`;
/** Valibot's own words: `Invalid type: Expected string but received 7`, `Invalid email: Received "x"`. */
const VALIBOT = /^(Invalid [^:]{1,40}): (?:Expected (.*?) but r|R)eceived /s;

/** The library's text without the value received, which is shown beside it, cut and with secrets masked. */
function wordsOf(issue: StandardIssue): string {
  const { message } = issue;
  // First, because most issues are Zod's: matching costs as much as all else here.
  if (message.startsWith(ZOD)) return message.slice(ZOD_PREFIX.length);
  if (typeof issue.expected === "string" && "actual" in issue) return `expected ${expectedOf(issue, 0)}`;
  // Quicker to see than that the pattern does not match.
  const [, what, expected] = message.includes("eceived ") ? (VALIBOT.exec(message) ?? []) : [];
  return expected === undefined ? (what ?? message) : `expected ${expected}`;
}

function expectedOf({ expected, errors = [] }: StandardIssue, depth: number): string {
  if (errors.length === 0 || depth > 3) return String(expected);
  return errors.map((error) => expectedOf(error, depth + 1)).join(" or ");
}

function toKey(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? String(key) : key;
}

/** The parts of a Zod 4 schema, classic or mini, that check a value. */
interface Zod4 extends StandardSchema {
  readonly _zod: {
    run: (payload: Payload, context: { readonly async: boolean }) => Payload | Promise<Payload>;
  };
  readonly clone: () => Zod4;
}

interface Payload {
  readonly value?: unknown;
  readonly issues: readonly unknown[];
}

function isZod4(schema: object): schema is Zod4 {
  return "_zod" in schema && "clone" in schema && typeof schema.clone === "function";
}

/**
 * Checks values with a Zod 4 schema, each of its own checks once.
 *
 * Zod's `~standard.validate` runs the checks synchronously first; where one is asynchronous it drops the promise that it
 * was given and runs all of them again. A dropped promise that rejects ends the process. So the first values are checked
 * asynchronously, until one fits: only then is it known whether the schema waits for anything.
 */
function zod4Validate(schema: object): ((value: unknown) => unknown) | undefined {
  if (!isZod4(schema)) return undefined;
  let known: "sync" | "async" | undefined;
  let toIssues: ReturnType<typeof zod4Issues> | undefined;
  const run = (value: unknown, async: boolean): Payload | Promise<Payload> =>
    schema._zod.run({ value, issues: [] }, { async });
  const toResult = (payload: Payload): StandardResult | Promise<StandardResult> =>
    payload.issues.length === 0 ? { value: payload.value } : (toIssues ??= zod4Issues(schema))(payload);
  return (value) => {
    let payload: Payload | Promise<Payload>;
    try {
      payload = run(value, known !== "sync");
    } catch (thrown) {
      if (known !== "sync") throw thrown;
      // A check that waits, in a branch that no value has taken yet.
      payload = run(value, true);
    }
    if (payload instanceof Promise) {
      known = "async";
      return payload.then(toResult);
    }
    if (payload.issues.length === 0) known ??= "sync";
    return toResult(payload);
  };
}

/**
 * Has Zod put the first issues into words, through a copy of the schema that finds the issues it is given. The schema itself
 * would do so with all of them: thousands of wrong values of a long enum take seconds. Where the value cannot be read for
 * them, Zod answers a promise that rejects.
 */
function zod4Issues(schema: Zod4): (payload: Payload) => StandardResult | Promise<StandardResult> {
  const copy = schema.clone();
  copy._zod.run = ({ value }) => value as Payload;
  const { validate } = copy["~standard"];
  return ({ issues }) => {
    const others = Math.max(0, issues.length - MAX_ISSUES);
    // Never without issues, which would be a value that fits.
    const toResult = ({ issues: worded = [] }: StandardResult): StandardResult => ({ issues: worded, others });
    const worded = validate({ issues: issues.slice(0, MAX_ISSUES) }) as StandardResult | Promise<StandardResult>;
    return isPending(worded) ? worded.then(toResult) : toResult(worded);
  };
}
