/** A program as the type checker is given it. */
export interface CheckableSource {
  /** TypeScript, the program first, so that its lines keep their numbers. */
  readonly source: string;
  /** What stands before the program on its first line, in characters. */
  readonly offset: number;
}

/** Declares what the harness puts there. */
const BRIDGE = "declare function __callTool__<T = any>(name: string, params: unknown): Promise<T>;\n";
const HAS_BRIDGE = /^declare function __callTool__\b/m;
/** An import of a module of the runtime itself. Nothing else can stand between its words: the name has no quote. */
const OWN_IMPORT =
  /\bimport\s{1,9}(?:[\w$*\s{},]{1,500}?\s{1,9}from\s{0,9})?(["'])node:[a-z_]{1,30}(?:\/[a-z_]{1,30})?\1/g;
const OWN_DYNAMIC_IMPORT = /\bimport\(\s{0,9}(["'])node:[a-z_]{1,30}(?:\/[a-z_]{1,30})?\1\s{0,9}\)/g;
/**
 * How a source can have a type checker read another file: the words `import` and `export`, modules that are declared,
 * comments with three slashes, `@ts-types` and the like, source maps, and letters of those words that are escaped.
 * Wherever they stand, also in a text or a comment, the program is not checked: what is a comment is a question for a
 * parser, and there are two that may differ.
 */
const LOADS = /import|export|\bmodule\b|\brequire\b|\/\/\/|@(?:deno|ts|jsx)|sourceMappingURL|sourceURL|\\u/i;
const IS_MODULE = /^[ \t]*(?:import|export)\s/m;

/**
 * The source to check instead of a program, or `undefined` when the program could have the checker read files.
 * Deno asks for no permission when it checks types.
 */
export function checkableSource(code: string, stubs: string): CheckableSource | undefined {
  const own = code
    .replaceAll(OWN_IMPORT, "")
    .replaceAll(OWN_DYNAMIC_IMPORT, "")
    .replaceAll(/^[ \t]*export default\b/gm, "");
  if (LOADS.test(own)) return undefined;
  const bridged = HAS_BRIDGE.test(stubs) ? stubs : BRIDGE + stubs;
  if (IS_MODULE.test(code)) return { source: `${code}\n${bridged}`, offset: 0 };
  const prefix = "export default async () => {";
  return { source: `${prefix}${code}\n}\n${bridged}`, offset: prefix.length };
}
