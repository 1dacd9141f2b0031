import type { AnyTool } from "../call/tool.ts";
import { fitStubs, type StubOptions } from "./fit-stubs.ts";
import { toolStubs, type ToolStub } from "./tool-stub.ts";

export type { StubOptions } from "./fit-stubs.ts";

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
  const { exclude = [], first = [], maxTokens = Infinity } = options;
  if (!(maxTokens > 0)) {
    throw new RangeError(`Cannot generate stubs: maxTokens is ${maxTokens}, allowed is a number above 0`);
  }
  const stubs = inOrder(
    all.filter(({ name }) => !exclude.includes(name)),
    first,
  );
  return fitStubs(stubs, options);
}

/** The stubs of the tools named first, in this order, then the others. */
function inOrder(stubs: readonly ToolStub[], first: readonly string[]): readonly ToolStub[] {
  if (first.length === 0) return stubs;
  const places = new Map(first.map((name, place) => [name, place]));
  return stubs.toSorted((a, b) => (places.get(a.name) ?? Infinity) - (places.get(b.name) ?? Infinity) || 0);
}
