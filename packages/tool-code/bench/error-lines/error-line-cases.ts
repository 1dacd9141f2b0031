/** A program that fails, with `§` before the place that its error has to name. */
export interface ErrorLineCase {
  /** The failure and where it occurs. */
  readonly name: string;
  /** The program, marked. */
  readonly marked: string;
}

/** The program without its mark, and the line and column the mark stood at, both 1-based. */
export function unmark(marked: string): { readonly code: string; readonly line: number; readonly column: number } {
  const lines = marked.slice(0, marked.indexOf("§")).split(/\r\n?|\n/);
  return { code: marked.replace("§", ""), line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

const SOON = "await new Promise((resolve) => setTimeout(resolve, 100));";

/**
 * Programs that fail in as many ways as there are places to fail at. The place is the engine's: of a thrown error where
 * it was made, of a rejection by the runtime the `await`, of a value that is no error the `throw`.
 */
export const ERROR_LINE_CASES: readonly ErrorLineCase[] = (
  [
    ["an error thrown at the top", "const a = 1;\nthrow §new Error('x');"],
    ["a property of undefined", "const a: any = undefined;\nconst b = a.§name;"],
    ["an unknown name", "const a = 1;\n\nreturn a + §missing;"],
    ["an unknown name that is returned", "const a = 1;\nfunction f() {\n  return §missing;\n}\nf();"],
    ["a name that is used too early", "const a = 1;\nconsole.log(a, §late);\nconst late = 1;"],
    ["a call of what is no function", "const a: any = {};\n  a.§b();"],
    ["what is not iterable", "const a: any = 5;\nconst [b] = §a;"],
    ["destructuring of null", "const a: any = null;\nconst { §b } = a;"],
    ["a constant that is assigned to", "const a = 1;\n(§a as any) = 2;"],
    ["a frozen object", "'use strict';\nconst a: any = Object.freeze([1]);\na.§push(2);"],
    ["an expression over several lines", "const o: any = { a: {} };\nreturn o\n  .a\n  .b\n  .§c;"],
    ["a call over several lines", "return JSON\n  .§parse(\n    '{'\n  );"],
    ["a template literal", "const a: any = null;\nreturn `one\n two ${a.§b}\n`;"],
    ["a tagged template", "const tag = (s: any) => s.nope.§x;\ntag`a\nb`;"],
    ["a callback of map", "const l: any[] = [1, null];\nreturn l.map((x) =>\n  x.§name);"],
    ["a callback of sort", "[3, 1].sort((a, b) => {\n  throw §new RangeError('s');\n});"],
    ["a callback of replace", "'abc'.replace(/b/, () => {\n  return (null as any).§x;\n});"],
    ["a callback of then", "await Promise.resolve(1).then((x: any) => {\n  return x.a.§b;\n});"],
    [
      "a function that was awaited",
      "async function f() {\n  await 0;\n  throw §new TypeError('y');\n}\nreturn await f();",
    ],
    [
      "a function behind two others",
      "const g = async () => { await 0; return (undefined as any).§x; };\nconst f = async () => await g();\nreturn await f();",
    ],
    ["a generator", "function* g() {\n  yield 1;\n  throw §new Error('g');\n}\nreturn [...g()];"],
    [
      "an async generator",
      "async function* g() {\n  yield 1;\n  throw §new Error('g');\n}\nfor await (const _ of g()) {}",
    ],
    ["a static field", "class A {\n  static x = (undefined as any).§y;\n}"],
    ["a method", "class A {\n  m() {\n    return §nothing;\n  }\n}\nnew A().m();"],
    ["a constructor", "class A { constructor() {\n  throw §new Error('no'); } }\nnew A();"],
    [
      "the constructor of a base class",
      "class B { constructor(x: any) {\n  x.§y(); } }\nclass C extends B { constructor() { super({}); } }\nnew C();",
    ],
    ["a private field", "class A { #x = 1; static get(a: any) {\n  return a.§#x; } }\nA.get({});"],
    ["a getter", "const o = { get x(): number {\n  throw §new Error('x');\n} };\nreturn o.x;"],
    ["a proxy", "const p: any = new Proxy({}, { get() {\n  return (null as any).§x;\n} });\np.a;"],
    ["a default of a parameter", "function f(a = (undefined as any).§x) { return a; }\nf();"],
    ["a member of an enum", "enum E { A = (null as any).§x }"],
    [
      "a line below types",
      "interface A { x: number }\nenum E { A, B }\ntype T = { [k: string]: A };\nconst v = E.A as any;\nreturn v.x.§y;",
    ],
    ["an error that was caught and thrown again", "try {\n  §nope();\n} catch (e) { throw e; }"],
    ["an error with a cause", "try { JSON.parse('{'); } catch (e) {\n  throw §new Error('outer', { cause: e });\n}"],
    ["an error of the program's own class", "class MyError extends Error {}\nthrow §new MyError('m');"],
    ["a module", "import { sep } from 'node:path';\nconst a: any = sep;\nexport default a.b.§c;"],
    ["an expression", "[1, 2].map((x: any) =>\n  x.y.§z)"],
    ["Windows line ends", "const a = 1;\r\n\r\nthrow §new Error('x');"],
    ["letters outside of ASCII", "const s = 'ß𝒳😀'; throw §new Error('u');"],
    ["a rejection of the runtime", "const a = 1;\n§await fetch('http://127.0.0.1:1/');"],
    ["a file that is not allowed", "const a = 1;\nawait Deno.§readTextFile('/etc/passwd');"],
    ["a package", "const a = 1;\nconst m = §await import('npm:chalk');"],
    ["a tool", "const a = 1;\n  await §boom();"],
    ["a tool in a callback", "await Promise.all([1].map((n) =>\n  §boom()));"],
    ["a tool behind a function", "async function f() {\n  return await §boom();\n}\nawait f();"],
    ["a rejection nobody awaits", `const a = 1;\nvoid Promise.reject(§new Error('r'));\n${SOON}`],
    [
      "a function nobody awaits",
      `async function bg() {\n  await 0;\n  throw §new Error('bg');\n}\nvoid bg();\n${SOON}`,
    ],
    ["a timer", `setTimeout(() => {\n  throw §new Error('t');\n}, 1);\n${SOON}`],
    ["a text that is thrown", "const a = 1;\n§throw 'text'; // throw 'other'"],
    ["an object that is thrown", "const a = 1;\nif (a) §throw { code: 7, why: 'x' };"],
    ["null that is thrown among others", "if (Math.random() > 2) throw 'no';\n\n§throw null;"],
    ["a text thrown in a timer", `setTimeout(() => {\n  §throw 'oops';\n}, 1);\n${SOON}`],
    ["a rejection with a number", "const a = 1;\nawait §Promise.reject(42);"],
    [
      "a promise that rejects with a text",
      "await new Promise((_, reject) =>\n  setTimeout(() => §reject('late'), 5));",
    ],
    ["promises that all reject", "const a = 1;\nawait §Promise.any([Promise.reject(new Error('a'))]);"],
    ["syntax in the middle", "const a = 1;\nconst §= 2;"],
    ["syntax on the first line", "const x = §;"],
    ["a program that ends too early", "const f = () => {\n  return 1;§"],
    ["a text that is not closed", "const a = 1;\nconst s = §'abc\nreturn s;"],
    ["a name that is declared twice", "const a = 1;\nconst §a = 2;"],
    ["await where there can be none", "function f() {\n  §await 1;\n}"],
    ["a comma that is missing", "const a = {\n  b: 1\n  §c: 2\n};"],
    ["a bad regular expression", "const x = 1;\nconst r = §/(/;"],
    ["syntax in a module", "import { sep } from 'node:path';\nconst §= 1;"],
    ["an import that is not there", "import { §nothere } from 'node:path';\nconsole.log(nothere);"],
  ] as const
).map(([name, marked]) => ({ name, marked }));
