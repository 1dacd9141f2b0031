import type { AnyTool } from "../call/tool.ts";
import { fitStubs } from "./fit-stubs.ts";
import { toolStubs, type StubDetail, type ToolStub } from "./tool-stub.ts";

/** Options of `generateStubs`. */
export interface StubOptions {
  /** Names of tools to leave out. Default none. */
  readonly exclude?: readonly string[];
  /** The highest level of detail. Default `full`. */
  readonly detail?: StubDetail;
  /**
   * Names of tools that come first, in this order, such as the result of a search of `createToolIndex`: the last ones
   * lose detail first to satisfy `maxTokens`. The others follow in their own order. Default none.
   */
  readonly first?: readonly string[];
  /**
   * Limit of the source in tokens, at four characters a token (measured with o200k_base: 3.6 to 4.4). Within it,
   * declarations show first the names of all tools, then as many of the first as fit as signatures, then with all
   * documentation. Functions are all there with less detail, or else as many of the first as fit. A comment counts the
   * omissions, and stays even beyond the limit. Default no limit.
   */
  readonly maxTokens?: number;
  /**
   * Whether to print declarations without bodies, to be read by a model. Where the program runs it needs the functions
   * themselves, which have the same names. Default false.
   */
  readonly declarations?: boolean;
  /**
   * How to learn the parts omitted to satisfy `maxTokens` or `detail`, one sentence for a model, such as the name of a
   * function that prints a stub. Default: calls that do not fit are answered with an example that does.
   */
  readonly hint?: string;
}

/** Generic, because not even `any` is assignable to a type that no value has. */
const BRIDGE = "declare function __callTool__<T>(name: string, params: unknown): Promise<T>;\n";
const HINT = "A call with parameters that do not fit is told what does.";
const CHARS_PER_TOKEN = 4;

/**
 * TypeScript source with one function for each tool. Every function passes its parameters to `__callTool__`, which the
 * place where the source runs must provide. Compiles under `tsc --strict` as a module or the end of one. The same tools
 * in the same order give the same source.
 *
 * A literal that its schema accepts is assignable to the type, where fields count only if a part of the schema that
 * applies names them, or lets objects have others (`additionalProperties`, `patternProperties`). Other fields are type
 * errors, although a call with them may pass: validation drops them, or leaves them alone under a union or a reference.
 * Enums, constants, tuples, records, discriminated unions and recursive schemas are exact. If TypeScript cannot express
 * a constraint the type is wider, never narrower: bounds, patterns, formats, integers, `not`, conditions, a `oneOf`
 * that must not match twice, unions of objects that share no constant, objects that are closed and no literal, typed
 * fields beside others of another type. A schema without a `type` accepts values of every kind, and prints so.
 *
 * Parameters have the type of a caller's input: fields with a default may be left out. Answers have the type of the
 * tool's declared `output`, against which every success is checked when it runs; without one they are `unknown`.
 *
 * @throws {RangeError} When `maxTokens` is not a number above 0.
 */
export function generateStubs(tools: readonly AnyTool[], options: StubOptions = {}): string {
  return printStubs(toolStubs(tools), options);
}

/** The source of stubs that are built already, as {@link generateStubs} describes it. */
export function printStubs(all: readonly ToolStub[], options: StubOptions): string {
  const {
    exclude = [],
    first = [],
    detail = "full",
    maxTokens = Infinity,
    declarations = false,
    hint = HINT,
  } = options;
  if (!(maxTokens > 0)) {
    throw new RangeError(`Cannot generate stubs: maxTokens is ${maxTokens}, allowed is a number above 0`);
  }
  const stubs = inOrder(
    all.filter(({ name }) => !exclude.includes(name)),
    first,
  );
  return fitStubs(stubs, {
    detail,
    maxChars: maxTokens * CHARS_PER_TOKEN,
    declarations,
    head: declarations ? "" : BRIDGE,
    hint,
  });
}

/** The stubs of the tools named first, in this order, then the others. */
function inOrder(stubs: readonly ToolStub[], first: readonly string[]): readonly ToolStub[] {
  if (first.length === 0) return stubs;
  const places = new Map(first.map((name, place) => [name, place]));
  return stubs.toSorted((a, b) => (places.get(a.name) ?? Infinity) - (places.get(b.name) ?? Infinity) || 0);
}
