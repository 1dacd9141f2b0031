import type { AnyTool } from "../call/tool.ts";
import { lineComment } from "./doc-comment.ts";
import { toolStubs, type StubDetail, type ToolStub } from "./tool-stub.ts";

/** Options of `generateStubs`. */
export interface StubOptions {
  /** Names of tools to leave out. Default none. */
  readonly exclude?: readonly string[];
  /** How much is told at most. Default `full`. */
  readonly detail?: StubDetail;
  /**
   * How many tokens the source may have, at four characters a token (measured with o200k_base: 3.6 to 4.4). When it has
   * more, all functions are told as `signatures`; when that is too much, as many of the first as fit, and the others as
   * `names`. Functions are never left out, because the program that calls them has to run; declarations are, from the
   * end. A comment says so, and stays whatever the limit. Default no limit.
   */
  readonly maxTokens?: number;
  /**
   * Whether to print declarations without bodies, to be read by a model. Where the program runs it needs the functions
   * themselves, which have the same names. Default false.
   */
  readonly declarations?: boolean;
  /**
   * How to learn what was left out to stay within `maxTokens` or `detail`, one sentence for a model, such as the name of
   * a function that prints a stub. Default: calls that do not fit are answered with what does.
   */
  readonly hint?: string;
}

/** Generic, because not even `any` is assignable to a type that no value has. */
const BRIDGE = "declare function __callTool__<T>(name: string, params: unknown): Promise<T>;\n";
const HINT = "A call with parameters that do not fit is told what does.";
const CHARS_PER_TOKEN = 4;

/**
 * TypeScript source with one function for each tool. Every function passes its parameters to `__callTool__`, which
 * the place where the source runs must provide. Compiles under `tsc --strict` as a module or the end of one. The same
 * tools in the same order give the same source.
 *
 * A literal that its schema accepts is assignable to the type, where fields count only if a part of the schema that
 * applies names them, or lets objects have others (`additionalProperties`, `patternProperties`). Other fields are type
 * errors, although a call with them may pass: validation drops them, or leaves them alone under a union or a reference.
 * Enums, constants, tuples, records, discriminated unions and recursive schemas are exact. Where TypeScript cannot say
 * what a schema does the type is wider, never narrower: bounds, patterns, formats, integers, `not`, conditions, a `oneOf`
 * that must not match twice, unions of objects that share no constant, objects that are closed and no literal, typed
 * fields beside others of another type. A schema without a `type` accepts values of every kind, and prints so.
 *
 * Parameters are what a caller may send: fields with a default may be left out. Answers are what the tool declares as
 * its `output`, against which every success is checked when it runs; without one they are `unknown`.
 *
 * @throws {RangeError} When `maxTokens` is not a number above 0.
 */
export function generateStubs(tools: readonly AnyTool[], options: StubOptions = {}): string {
  return printStubs(toolStubs(tools), options);
}

/** The source of stubs that are built already, as {@link generateStubs} describes it. */
export function printStubs(all: readonly ToolStub[], options: StubOptions): string {
  const { exclude = [], detail = "full", maxTokens = Infinity, declarations = false, hint = HINT } = options;
  if (!(maxTokens > 0)) {
    throw new RangeError(`Cannot generate stubs: maxTokens is ${maxTokens}, allowed is a number above 0`);
  }
  const stubs = all.filter(({ name }) => !exclude.includes(name));
  const print = (level: StubDetail): readonly string[] => stubs.map((stub) => stub.print(level, declarations));
  const full = print("full").join("");
  const source = (parts: readonly string[], missing: string): string => {
    const text = parts.join("");
    return (declarations ? "" : BRIDGE) + (text === full ? "" : lineComment(`${missing}. ${hint}`)) + text;
  };
  const fits = (text: string): boolean => text.length <= maxTokens * CHARS_PER_TOKEN;

  let text = source([full], "");
  if (detail === "full" && fits(text)) return text;
  const signatures = detail === "names" ? [] : print("signatures");
  text = source(signatures, "Without the descriptions of fields");
  if (detail !== "names" && fits(text)) return text;
  const names = print("names");
  const withTypes = (count: number): string =>
    source([...signatures.slice(0, count), ...names.slice(count)], "Some functions stand here without their types");
  text = longestThatFits(signatures.length, withTypes, fits);
  if (!declarations || fits(text)) return text;
  const left = (count: number): string =>
    source(names.slice(0, count), `Functions without their types, ${names.length - count} more not shown`);
  return longestThatFits(names.length, left, fits);
}

/** The text of the most parts, up to `most`, that fits; the text of none when even that does not. Texts grow with parts. */
function longestThatFits(most: number, text: (parts: number) => string, fits: (text: string) => boolean): string {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text(middle))) low = middle;
    else high = middle - 1;
  }
  return text(low);
}
