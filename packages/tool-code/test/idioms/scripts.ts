import { orders } from "../shop-programs.ts";
import type { MeantIdiom } from "./idiom.ts";

/** Scripts of Deno and Node, and programs for data and for programming tasks. */
export const SCRIPTS: readonly MeantIdiom[] = [
  // Scripts of Deno and Node.
  [
    "import.meta.main",
    "async function main() {\n  console.log('ran');\n}\nif (import.meta.main) {\n  await main();\n}",
    { output: "ran\n" },
  ],
  [
    "require.main",
    "const path = require('path');\nfunction main() {\n  console.log(path.extname('a.ts'));\n}\nif (require.main === module) main();",
    { output: ".ts\n" },
  ],
  [
    "the directory of the script",
    "import path from 'path';\nimport { fileURLToPath } from 'url';\nimport fs from 'fs';\nconst here = path.dirname(fileURLToPath(import.meta.url));\nconsole.log(fs.existsSync(path.join(here, 'data.csv')));",
    { output: "true\n" },
  ],
  ["a file beside it", "import tax from './lib/tax.ts';\ntax(100)", { value: 25 }],
  [
    "a dynamic import of a file beside it",
    "const { default: tax } = await import('./lib/tax.ts');\nreturn tax(8);",
    { value: 2 },
  ],
  ["an import of JSON", "import data from './data.json';\ndata.rows", { value: [1, 2] }],
  [
    "an import of JSON with its type",
    "import data from './data.json' with { type: 'json' };\ndata.rows.length",
    { value: 2 },
  ],
  [
    "a dynamic import of JSON",
    "const { default: data } = await import('./data.json');\nreturn data.rows;",
    { value: [1, 2] },
  ],
  [
    "a dynamic import of Node's",
    "const fs = await import('fs/promises');\n(await fs.readFile('data.csv', 'utf8')).trim().split('\\n').length",
    { value: 3 },
  ],
  [
    "an import after statements",
    "const a = 1;\nimport { sep } from 'node:path';\nreturn [a, sep];",
    { value: [1, "/"] },
  ],
  [
    "lines read one by one",
    "import readline from 'readline';\nimport fs from 'fs';\nconst rl = readline.createInterface({ input: fs.createReadStream('data.csv') });\nlet n = 0;\nrl.on('line', () => n++);\nrl.on('close', () => console.log('lines', n));",
    { output: "lines 3\n" },
  ],
  [
    "callbacks",
    "const fs = require('fs');\nfs.readFile('data.csv', 'utf8', (err, data) => {\n  if (err) throw err;\n  console.log(data.length);\n});",
    { output: "15\n" },
  ],
  [
    "files of Deno",
    "await Deno.writeTextFile('out.txt', 'x');\nfor await (const { name } of Deno.readDir('lib')) if (name === 'tax.ts') console.log(name);",
    { output: "tax.ts\n" },
  ],
  [
    "util.promisify",
    "const { promisify } = require('util');\nawait promisify(setTimeout)(1);\nreturn 'slept';",
    { value: "slept" },
  ],
  [
    "an event emitter",
    "import { EventEmitter } from 'events';\nconst e = new EventEmitter();\ne.on('x', (n) => console.log('got', n));\ne.emit('x', 1);",
    { output: "got 1\n" },
  ],
  // Data.
  [
    "groups and sums",
    "const all = await list_orders({});\nconst by = all.reduce((acc, { city, total }) => {\n  acc[city] = (acc[city] ?? 0) + total;\n  return acc;\n}, {} as Record<string, number>);\nby",
    { value: { Oslo: 42.5, Rome: 20 } },
  ],
  [
    "Object.groupBy",
    "Object.groupBy(await list_orders({}), ({ city }: any) => city)",
    { value: { Oslo: [orders[0], orders[2]], Rome: [orders[1]] } },
  ],
  [
    "a Map of counts, sorted",
    "const all = await list_orders({});\nconst n = new Map<string, number>();\nfor (const { city } of all) n.set(city, (n.get(city) || 0) + 1);\nnew Map([...n].sort((a, b) => b[1] - a[1]))",
    {
      value: [
        ["Oslo", 2],
        ["Rome", 1],
      ],
    },
  ],
  ["the distinct values", "new Set((await list_orders({})).map((o: any) => o.city))", { value: ["Oslo", "Rome"] }],
  [
    "rows of a CSV",
    "const text = await Deno.readTextFile('data.csv');\nconst [head, ...rows] = text.trim().split('\\n').map((l) => l.split(','));\nrows.map((r) => Object.fromEntries(r.map((v, i) => [head[i], v])))",
    {
      value: [
        { name: "a", n: "1" },
        { name: "b", n: "2" },
      ],
    },
  ],
  [
    "a mean of nothing",
    "const none: number[] = [];\n({ mean: none.reduce((a, b) => a + b, 0) / none.length })",
    { value: { mean: "NaN" } },
  ],
  [
    "dates in rows",
    "(await list_orders({})).slice(0, 1).map((o: any) => ({ ...o, at: new Date(o.at) }))",
    { value: [{ ...orders[0], at: "2024-01-05T00:00:00.000Z" }] },
  ],
  [
    "a large factorial",
    "const f = (n: bigint): bigint => (n < 2n ? 1n : n * f(n - 1n));\nf(25n)",
    { value: "15511210043330985984000000" },
  ],
  [
    "JSON, printed",
    "console.log(JSON.stringify(await get_order({ id: 2 }), null, 2));",
    { output: `${JSON.stringify(orders[1], null, 2)}\n` },
  ],
  [
    "a table, printed",
    "console.table([{ a: 1 }]);",
    { output: "┌───────┬───┐\n│ (idx) │ a │\n├───────┼───┤\n│     0 │ 1 │\n└───────┴───┘\n" },
  ],
  [
    "classes with private fields",
    "class Cart {\n  #items: number[] = [];\n  add(n: number) {\n    this.#items.push(n);\n    return this;\n  }\n  get total() {\n    return this.#items.reduce((a, b) => a + b, 0);\n  }\n}\nnew Cart().add(1).add(2).total",
    { value: 3 },
  ],
  [
    "enums, generics and satisfies",
    "enum Level { Low = 1, High }\ntype Row<T> = { level: Level; value: T };\nconst rows = [{ level: Level.High, value: 'x' }] satisfies Row<string>[];\nrows[0]!.level",
    { value: 2 },
  ],
  [
    "an assertion and a task's checks",
    "const add = (a, b) => a + b;\nconsole.assert(add(1, 2) === 3);\nconst testAdd = () => {\n  console.assert(add(2, 2) === 4);\n};\n\ntestAdd()",
    { output: "" },
  ],
  [
    "variables without a declaration",
    "function count(text) {\n  total = 0;\n  for (c of text) total = total + 1;\n  return total;\n}\nconsole.log(count('abc'));",
    { output: "3\n" },
  ],
  [
    "a generator",
    "function* fib() {\n  let [a, b] = [0, 1];\n  for (;;) {\n    yield a;\n    [a, b] = [b, a + b];\n  }\n}\nfib().take(5)",
    { value: [0, 1, 1, 2, 3] },
  ],
];
