import type { MeantIdiom } from "./idiom.ts";

/** Programs of the kinds that code modes ask of models. */
export const ANSWERS: readonly MeantIdiom[] = [
  // Answers of code modes.
  [
    "an async arrow function",
    "async () => {\n  const all = await list_orders({});\n  return all.length;\n}",
    { value: 3 },
  ],
  ["the same with a semicolon", "async () => {\n  return 1;\n};", { value: 1 }],
  ["an arrow function with an expression", "() => 42", { value: 42 }],
  [
    "an arrow function with parameters that have defaults",
    "async (limit = 2) => (await list_orders({})).slice(0, limit).length",
    { value: 2 },
  ],
  ["an exported arrow function", "export default async () => { return 1; }", { value: 1 }],
  ["an exported function without a name", "export default function () {\n  return 42;\n}", { value: 42 }],
  ["an exported value", "export default 42", { value: 42 }],
  ["an exported main", "export async function main() {\n  return (await list_orders({})).length;\n}", { value: 3 }],
  [
    "a named function alone",
    "async function run() {\n  return (await get_order({ id: 2 })).city;\n}",
    { value: "Rome" },
  ],
  [
    "functions of which the last is meant to run",
    "async function load() {\n  return list_orders({});\n}\n\nasync function main() {\n  const all = await load();\n  return all.length;\n}",
    { value: 3 },
  ],
  [
    "a constant that holds main",
    "const double = (n: number) => n * 2;\nconst main = async () => {\n  return double(21);\n};",
    { value: 42 },
  ],
  [
    "an import and a function that is meant to run",
    'import { basename } from "path";\nasync function main() {\n  return basename("a/b");\n}',
    { value: "b" },
  ],
  ["a name of a function as the last line", "const main = async () => {\n  return 5;\n};\nmain", { value: 5 }],
  [
    "several calls at once, taken apart",
    "const [a, b] = await Promise.all([get_order({ id: 1 }), get_order({ id: 2 })]);\na.total + b.total",
    { value: 50 },
  ],
  [
    "a map with async functions, not awaited",
    "const all = await list_orders({});\nall.map(async ({ id }) => (await get_order({ id })).city)",
    { value: ["Oslo", "Rome", "Oslo"] },
  ],
  [
    "the same in an object",
    "return { cities: [1, 2].map(async (id) => (await get_order({ id })).city) };",
    { value: { cities: ["Oslo", "Rome"] } },
  ],
  [
    "forEach with async functions",
    "[1, 2].forEach(async (id) => console.log((await get_order({ id })).city));",
    { output: "Oslo\nRome\n" },
  ],
  [
    "settled calls",
    "const found = await Promise.allSettled([get_order({ id: 1 }), fail({})]);\nfound.map(({ status }) => status)",
    { value: ["fulfilled", "rejected"] },
  ],
  [
    "a caught failure of a tool",
    "try {\n  await fail({});\n} catch (e) {\n  return e instanceof Error ? e.message : 'unknown';\n}",
    { value: "It is closed" },
  ],
  [
    "a caught failure, typed any",
    "try {\n  await fail({});\n} catch (err: any) {\n  console.error('Failed:', err.message, err.code);\n}",
    { output: "Failed: It is closed closed\n" },
  ],
  [
    "a chain of then and catch",
    "fail({}).then((r) => console.log(r)).catch((e) => console.log('caught', e.message))",
    { output: "caught It is closed\n" },
  ],
  [
    "a loop over pages",
    "let page = 0;\nconst all: any[] = [];\nwhile (true) {\n  const some = await list_orders({ page });\n  all.push(...some);\n  if (++page >= 2) break;\n}\nconsole.log(all.length);",
    { output: "6\n" },
  ],
  [
    "a for await loop",
    "async function* each() {\n  for (const id of [1, 2]) yield await get_order({ id });\n}\nconst names: string[] = [];\nfor await (const { city } of each()) names.push(city);\nreturn names;",
    { value: ["Oslo", "Rome"] },
  ],
  [
    "a race against a timer",
    "const late = new Promise((r) => setTimeout(() => r('late'), 5_000));\nreturn await Promise.race([get_order({ id: 1 }).then((o) => o.city), late]);",
    { value: "Oslo" },
  ],
  [
    "retries with waiting between",
    "async function retry<T>(f: () => Promise<T>, n = 3): Promise<T> {\n  for (let i = 0; ; i++) {\n    try {\n      return await f();\n    } catch (e) {\n      if (i + 1 >= n) throw e;\n      await new Promise((r) => setTimeout(r, 2 ** i));\n    }\n  }\n}\nawait retry(() => fail({})).catch((e) => e.message)",
    { value: "It is closed" },
  ],
  [
    "an IIFE with a catch",
    "(async () => {\n  const o = await get_order({ id: 3 });\n  console.log(`Total: ${o.total.toFixed(2)}`);\n})().catch((error) => {\n  console.error(error);\n  process.exit(1);\n});",
    { output: "Total: 12.50\n" },
  ],
  [
    "an IIFE after a line without a semicolon",
    "const id = 3;\n\n;(async function () {\n  console.log((await get_order({ id })).total)\n})()",
    { output: "12.5\n" },
  ],
  [
    "void main()",
    "async function main(): Promise<void> {\n  console.log('ran');\n}\nvoid main();",
    { output: "ran\n" },
  ],
  ["use strict", "'use strict';\nconst a = 1;\na", { value: 1 }],
  ["a line for the shell", "#!/usr/bin/env -S deno run\nconsole.log('ran');", { output: "ran\n" }],
  [
    "an object without brackets at the end",
    "const total = 3, count = 2;\n{ total, count }",
    { value: { total: 3, count: 2 } },
  ],
  ["a conditional value", "const n = 5;\nn > 3 ? { big: true } : { big: false }", { value: { big: true } }],
];
