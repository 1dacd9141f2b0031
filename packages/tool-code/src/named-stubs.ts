/** A function as `generateStubs()` and `hostStubs()` write it. */
const STUB = /^async function ([\w$]+)\((\.\.\.)?([\w$]+)[^]*?\n {2}return (.+);\n\}$/gm;
/** A program with one of these may hold a name that is not written in it. */
const HIDES_NAMES = /\beval\b|\\u/;

/**
 * The functions of `stubs` that a program can name, in JavaScript: each source line that a process reads costs time;
 * with a hundred tools, more than the rest of a short run.
 */
export function namedStubs(code: string, stubs: string): string {
  const words = HIDES_NAMES.test(code) ? undefined : new Set(code.match(/[\w$]+/g));
  let named = "";
  for (const [, name = "", rest = "", parameter = "", call = ""] of stubs.matchAll(STUB))
    if (words?.has(name) ?? true) named += `function ${name}(${rest}${parameter}) {\n  return ${call};\n}\n`;
  return named;
}
