import type { ChildError, Unparsed } from "../bridge/child-message.ts";
import type { CodeLimits } from "../code-limits.ts";
import type { CodeError } from "../code-outcome.ts";
import { findName, findOnly, findThrow, type SourcePosition } from "./source-position.ts";

/** One way to read the program that failed. */
export interface SyntaxFault {
  /** Deno's message. */
  readonly message: string;
  /** Which module it said it about. */
  readonly unparsed: Unparsed;
}

const MAX_STACK_LINES = 10;
const MAX_STACK_LINE = 300;
const MAX_EXCERPT = 160;
const LINE_END = /\r\n?|\n/;
/** How the harness's message about a thrown non-error begins. */
const THREW = "the program threw ";
/** The engine's words for a name that has no value; it may give the position of the statement the name stands in. */
const NAMELESS = /^(?:(\S+) is not defined|Cannot access '(\S+)' before initialization)/;
const POSITION = /main\.ts:(\d+):(\d+)/;
/** Where Deno says an import failed, at the end of its message. */
const IMPORT_POSITION = /\n\s+at blob:null\/[0-9a-f-]{36}:(\d+):(\d+)/;
/** Deno's words for an import from the web or of a package. */
const NOT_LOCAL =
  /--no-npm|--no-remote|--cached-only|Requires import access|not a dependency|scheme "(?:npm|jsr|https?)"/;
/** Deno's words for a relative import: the program has no address it could be relative to. */
const RELATIVE = /cannot-be-a-base|relative URL without a base/;
const ABSOLUTE_ONLY =
  "A program has no path of its own: import a file of the working directory by its URL, as in `await import(`file://${Deno.cwd()}/a.ts`)`";
const MODULE_VALUE =
  "A program with `import` or `export` statements is a module: give its value by `export default` instead of `return`, or use `await import()`";
const NAME_OF_TOOL = "That is the name of a function that calls a tool: give yours another name";
const NO_PACKAGES =
  "There are no packages and no imports from the web here: use TypeScript's own features, `fetch` where a host is allowed, or modules named `node:…`";
/** Deno's words for a right it did not grant, with the flag that would. */
const REQUIRES = /Requires \w+ access(?: to "[^"]*")?/;
const FLAG_ADVICE = /, (?:run again with|specify) the --[a-z-]+ flag(?: and --[a-z-]+ flag)?/g;
const OUT_OF_MEMORY =
  /array buffer allocation failed|invalid array (?:buffer )?length|out of memory|could not allocate memory/i;

/** Describes a failure for a model: the program is called `main.ts`, and no other file of the host is named. */
export function toCodeError(error: ChildError, faults: readonly SyntaxFault[], code: string): CodeError {
  if (error.unparsed !== undefined)
    return syntaxError([...faults, { message: error.message, unparsed: error.unparsed }], code);
  if (error.unsettled) return unsettledError(code);
  const stack = stackOf(error.stack);
  const message = cleanText(error.message.replace(IMPORT_POSITION, "")).replaceAll(FLAG_ADVICE, "");
  const position = positionOf(error, message, stack, code);
  const at = position && { ...position, ...excerptOf(code, position.line) };
  const isThrown = error.stack === "" && message.startsWith(THREW);
  const named = error.name === "" || isThrown ? message : `${cleanText(error.name)}: ${message}`;
  if (error.output) return { kind: "output", message, stack };
  if (error.tool) return { kind: "tool", message, ...at, stack };
  if (NOT_LOCAL.test(error.message)) return { kind: "permission", message, ...at, stack, hint: NO_PACKAGES };
  if (error.name === "NotCapable" || REQUIRES.test(message)) return { kind: "permission", message, ...at, stack };
  if (error.name === "RangeError" && OUT_OF_MEMORY.test(message))
    return { kind: "memory", message: named, ...at, stack };
  const hint = RELATIVE.test(message) ? { hint: ABSOLUTE_ONLY } : {};
  return { kind: "runtime", message: named, ...at, stack, ...hint };
}

/** The program had the host keep more than it may. */
export function hostFullError({ hostMb }: Pick<CodeLimits, "hostMb">): CodeError {
  return {
    kind: "memory",
    message: `the parameters and results of the program's tool calls took more than ${hostMb} MiB of the host`,
    stack: [],
    hint: "Ask tools for less, pass them less, or split the work into several programs",
  };
}

/** A program that waits for an event that cannot occur. */
export function unsettledError(code: string): CodeError {
  const position = findOnly(code, "new", "Promise");
  return {
    kind: "runtime",
    message:
      "the program waits for a promise that nothing can settle any more: no timer, request, file or tool call is under way",
    ...(position && { line: position.line, column: position.column, ...excerptOf(code, position.line) }),
    stack: [],
    hint: "Make sure that every promise you create is resolved or rejected, and send the program again",
  };
}

function positionOf(
  error: ChildError,
  message: string,
  stack: readonly string[],
  code: string,
): { readonly line: number; readonly column?: number } | undefined {
  const found = POSITION.exec(stack.join("\n"));
  if (found !== null) {
    const position = { line: Number(found[1]), column: Number(found[2]) };
    const [, undefinedName, earlyName] = error.name === "ReferenceError" ? (NAMELESS.exec(message) ?? []) : [];
    const name = undefinedName ?? earlyName;
    return (name === undefined ? undefined : findName(code, name, position)) ?? position;
  }
  // On the first line the column may be that of another reading of the program.
  const [, line, column] = IMPORT_POSITION.exec(error.message) ?? [];
  if (line !== undefined) return line === "1" ? { line: 1 } : { line: Number(line), column: Number(column) };
  if (error.name === "AggregateError") return findOnly(code, "Promise", ".", "any");
  return message.startsWith(THREW) ? findThrow(code, message.slice(THREW.length)) : undefined;
}

/** The text of a line, which an error shows. */
export function excerptOf(code: string, line: number): { readonly excerpt?: string } {
  const text = code.split(LINE_END)[line - 1]?.trimEnd();
  return text === undefined || text.trim() === "" ? {} : { excerpt: text.slice(0, MAX_EXCERPT) };
}

/** Takes the reading that got furthest: the program was probably meant that way. */
function syntaxError(faults: readonly SyntaxFault[], code: string): CodeError {
  const lines = code.split(LINE_END);
  const found = faults
    .filter(({ unparsed }) => !unparsed.prefix.endsWith("("))
    .map((fault) => ({ fault, position: faultPosition(fault) }));
  const [furthest] = found.toSorted(
    (a, b) => b.position.line - a.position.line || b.position.column - a.position.column,
  );
  if (furthest === undefined)
    return { kind: "syntax", message: "SyntaxError: the program cannot be parsed", stack: [] };
  return describeFault(furthest.fault, furthest.position, lines);
}

/** Where in the module it was, which stands at the end of the message. */
function faultPosition({ message, unparsed: { url, prefix } }: SyntaxFault): SourcePosition {
  const [, position] = splitAtEnd(message, ` at ${url}:`);
  const [line = 1, column = 1] = position.split(":").map((number) => Number.parseInt(number, 10) || 1);
  return { line, column: line === 1 ? Math.max(1, column - prefix.length) : column };
}

function describeFault(
  { message, unparsed: { url, prefix } }: SyntaxFault,
  { line, column }: SourcePosition,
  lines: readonly string[],
): CodeError {
  const said = cleanText(splitAtEnd(message, ` at ${url}:`)[0].trimEnd());
  const text = said.startsWith("SyntaxError") ? said : `SyntaxError: ${said}`;
  const [summary = ""] = text.split("\n");
  if (line > lines.length) {
    if (/already been declared/.test(summary))
      return { kind: "syntax", message: summary, stack: [], hint: NAME_OF_TOOL };
    return {
      kind: "syntax",
      message: `${summary}: the program ends before a bracket, a quote or a comment is closed`,
      line: lines.length,
      column: (lines.at(-1) ?? "").length + 1,
      stack: [],
    };
  }
  const own =
    line > 1 ? text : text.replace(`1 | ${prefix}`, "1 | ").replace(`\n  | ${" ".repeat(prefix.length)}`, "\n  | ");
  return {
    kind: "syntax",
    message: withoutLinesAfter(own, lines.length),
    line,
    column,
    stack: [],
    ...(/return/i.test(summary) && { hint: MODULE_VALUE }),
  };
}

/** An excerpt of the source, as Deno makes it, without lines that stand behind the program. */
function withoutLinesAfter(text: string, last: number): string {
  const shown = text.split("\n");
  const behind = shown.findIndex((line) => Number(/^ *(\d+) \|/.exec(line)?.[1]) > last);
  return behind === -1 ? text : shown.slice(0, behind).join("\n");
}

/** The text before and after the last occurrence of another text; all of it before if there is none. */
function splitAtEnd(text: string, found: string): readonly [before: string, after: string] {
  const at = text.lastIndexOf(found);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + found.length)];
}

function stackOf(stack: string): readonly string[] {
  return (
    stack
      .split("\n")
      // Lines with a `blob:` address belong to the message, with which a stack begins.
      .filter((line) => /^\s+at /.test(line) && !line.includes("blob:null/"))
      .slice(0, MAX_STACK_LINES)
      .map((line) => cleanText(line).trim().slice(0, MAX_STACK_LINE))
  );
}

/** Removes the addresses of code outside the program: the modules it was loaded as, and the harness. */
function cleanText(text: string): string {
  return text
    .replaceAll(/blob:null\/[0-9a-f-]{36}/g, "main.ts")
    .replaceAll(/data:application\/javascript;base64,[\w+/=.]*/g, "harness");
}
