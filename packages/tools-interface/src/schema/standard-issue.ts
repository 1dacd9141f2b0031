import type { Issue } from "../error/issue.ts";

/** A Standard Schema library's description of one problem, with ArkType's additions. */
export interface StandardIssue {
  /** The problem. */
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

/**
 * The problem in this package's form. The value received is removed from the library's text: it is shown beside it, cut
 * and with secrets masked.
 */
export function toIssue(issue: StandardIssue): Issue {
  const { path = NO_PATH } = issue;
  return { path: path.every(isKey) ? path : path.map(toKey), message: wordsOf(issue) };
}

/** The prefix of most messages of Zod; it adds nothing to the text around it. */
const ZOD_PREFIX = "Invalid input: ";
/** With the word that distinguishes Zod's messages from Valibot's. */
const ZOD = `${ZOD_PREFIX}expected`;
/** Valibot's own words: `Invalid type: Expected string but received 7`, `Invalid email: Received "x"`. */
const VALIBOT = /^(Invalid [^:]{1,40}): (?:Expected (.*?) but r|R)eceived /s;

function wordsOf(issue: StandardIssue): string {
  const { message } = issue;
  // First, because most issues are Zod's: matching costs as much as all else here.
  if (message.startsWith(ZOD)) return message.slice(ZOD_PREFIX.length);
  if (typeof issue.expected === "string" && "actual" in issue) return `expected ${expectedOf(issue, 0)}`;
  // Quicker to see than that the pattern does not match.
  if (!message.includes("eceived ")) return message;
  const [, what, expected] = VALIBOT.exec(message) ?? [];
  if (what !== undefined) return expected === undefined ? what : `expected ${expected}`;
  return message;
}

function expectedOf({ expected, errors = [] }: StandardIssue, depth: number): string {
  if (errors.length === 0 || depth > 3) return String(expected);
  return errors.map((error) => expectedOf(error, depth + 1)).join(" or ");
}

const NO_PATH: readonly (string | number)[] = [];

function isKey(segment: unknown): segment is string | number {
  return typeof segment === "string" || typeof segment === "number";
}

function toKey(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? String(key) : key;
}
