import type { MeantIdiom } from "./idiom.ts";

/** Programs as models write them for code modes of other systems, and scripts that use APIs a sandbox lacks. */
export const CODE_MODE: readonly MeantIdiom[] = [
  ["codemode.x", "const orders = await codemode.list_orders({});\nreturn orders.length;", { value: 3 }],
  ["tools.x", "const orders = await tools.list_orders({});\nreturn orders.map(o => o.id);", { value: [1, 2, 3] }],
  [
    "async arrow alone with tools",
    "async () => {\n  const orders = await list_orders({});\n  const total = orders.reduce((s, o) => s + o.total, 0);\n  return { total };\n}",
    { value: { total: 62.5 } },
  ],
  [
    "async arrow in parens w/ semicolon",
    "(async () => {\n  return (await get_order({ id: 2 })).city;\n});",
    { value: "Rome" },
  ],
  [
    "codemode destructured",
    "const { list_orders: list, get_order } = codemode;\nreturn (await get_order({ id: 1 })).city;",
    { value: "Oslo" },
  ],
  ["tools by brackets", "const r = await tools['get_order']({ id: 3 });\nreturn r.total;", { value: 12.5 }],
  ["callTool", "const order = await callTool('get_order', { id: 1 });\nreturn order.id;", { value: 1 }],
  [
    "export default async function",
    "export default async function () {\n  const o = await get_order({ id: 2 });\n  return o.city;\n}",
    { value: "Rome" },
  ],
  ["export default arrow", "export default async () => (await list_orders({})).length;", { value: 3 }],
  [
    "export async function main",
    "export async function main() {\n  return (await list_orders({})).length;\n}",
    { value: 3 },
  ],
  [
    "export async function run",
    "export async function run(): Promise<number> {\n  return (await list_orders({})).length;\n}",
    { value: 3 },
  ],
  [
    "module exports main",
    "module.exports = async function main() {\n  return (await list_orders({})).length;\n};",
    { value: 3 },
  ],
  [
    "const main = async; main().then(console.log)",
    "const main = async () => {\n  const orders = await list_orders({});\n  return orders.length;\n};\nmain().then(console.log);",
    { output: "3\n" },
  ],
  [
    "main then log and exit",
    "async function main() {\n  console.log((await list_orders({})).length);\n}\nmain()\n  .then(() => process.exit(0))\n  .catch((err) => {\n    console.error(err);\n    process.exit(1);\n  });",
    { output: "3\n" },
  ],
  [
    "async iife with catch",
    "(async () => {\n  try {\n    await fail({});\n  } catch (err) {\n    console.error('Error:', err.message);\n  }\n})();",
    { output: "Error: It is closed\n" },
  ],
  [
    "try catch finally",
    "let status = 'open';\ntry {\n  await fail({});\n} catch (e: any) {\n  status = e.code ?? 'unknown';\n} finally {\n  console.log('done');\n}\nstatus;",
    { value: "closed", output: "done\n" },
  ],
  [
    "retry helper",
    "async function withRetry<T>(fn: () => Promise<T>, n = 3): Promise<T> {\n  let last: unknown;\n  for (let i = 0; i < n; i++) {\n    try { return await fn(); } catch (e) { last = e; await new Promise(r => setTimeout(r, 5 * 2 ** i)); }\n  }\n  throw last;\n}\nlet tries = 0;\nconst r = await withRetry(async () => { if (++tries < 3) throw new Error('x'); return tries; });\nreturn r;",
    { value: 3 },
  ],
  [
    "allSettled",
    "const results = await Promise.allSettled([1, 2].map(id => get_order({ id })).concat(fail({})));\nreturn results.map(r => r.status === 'fulfilled' ? r.value.city : r.reason.message);",
    { value: ["Oslo", "Rome", "It is closed"] },
  ],
  [
    "for await of promises",
    "const out: string[] = [];\nfor await (const o of [get_order({ id: 1 }), get_order({ id: 2 })]) out.push(o.city);\nreturn out;",
    { value: ["Oslo", "Rome"] },
  ],
  [
    "Object.groupBy",
    "const orders = await list_orders({});\nconst byCity = Object.groupBy(orders, ({ city }) => city);\nreturn Object.fromEntries(Object.entries(byCity).map(([c, os]) => [c, os.length]));",
    { value: { Oslo: 2, Rome: 1 } },
  ],
  [
    "Map.groupBy",
    "const m = Map.groupBy(await list_orders({}), o => o.city);\nreturn [...m.keys()];",
    { value: ["Oslo", "Rome"] },
  ],
  [
    "markdown table",
    "const orders = await list_orders({});\nconst rows = orders.map(o => `| ${o.id} | ${o.city} | ${o.total.toFixed(2)} |`);\nconsole.log(['| id | city | total |', '|---|---|---|', ...rows].join('\\n'));",
    {
      output:
        "| id | city | total |\n|---|---|---|\n| 1 | Oslo | 30.00 |\n| 2 | Rome | 20.00 |\n| 3 | Oslo | 12.50 |\n",
    },
  ],
  [
    "console.table",
    "console.table((await list_orders({})).map(({ id, city }) => ({ id, city })));",
    {
      output:
        '┌───────┬────┬────────┐\n│ (idx) │ id │ city   │\n├───────┼────┼────────┤\n│     0 │  1 │ "Oslo" │\n│     1 │  2 │ "Rome" │\n│     2 │  3 │ "Oslo" │\n└───────┴────┴────────┘\n',
    },
  ],
  [
    "log and last object",
    "const orders = await list_orders({});\nconst summary = { count: orders.length, cities: [...new Set(orders.map(o => o.city))] };\nconsole.log('Summary ready');\nsummary",
    { value: { count: 3, cities: ["Oslo", "Rome"] }, output: "Summary ready\n" },
  ],
  [
    "result variable",
    "let result = {};\nconst o = await get_order({ id: 1 });\nresult = { city: o.city };\nresult;",
    { value: { city: "Oslo" } },
  ],
  ["result assigned last", "const orders = await list_orders({});\nresult = orders.length;", { value: 3 }],
  [
    "class with static",
    "class Stats {\n  private values: number[] = [];\n  constructor(private readonly name: string) {}\n  add(v: number): this { this.values.push(v); return this; }\n  get mean() { return this.values.reduce((a, b) => a + b, 0) / this.values.length; }\n  toString() { return `${this.name}: ${this.mean}`; }\n}\nconst s = new Stats('m').add(1).add(3);\n`${s}`;",
    { value: "m: 2" },
  ],
  [
    "enum and interface",
    "enum Level { Low = 1, High = 10 }\ninterface Row { level: Level; n: number }\nconst rows: Row[] = [{ level: Level.High, n: 2 }];\nreturn rows.map((r): [string, number] => [Level[r.level], r.n * r.level]);",
    { value: [["High", 20]] },
  ],
  [
    "satisfies, as const",
    "const cfg = { a: 1, b: 'x' } as const satisfies Record<string, unknown>;\ntype K = keyof typeof cfg;\nconst keys = Object.keys(cfg) as K[];\nreturn keys;",
    { value: ["a", "b"] },
  ],
  [
    "generator pagination",
    "async function* pages(size: number) {\n  const all = await list_orders({});\n  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);\n}\nconst sizes: number[] = [];\nfor await (const p of pages(2)) sizes.push(p.length);\nsizes;",
    { value: [2, 1] },
  ],
  [
    "while pagination",
    "let page = 0; let cursor: string | null = 'start'; const seen: number[] = [];\nwhile (cursor) {\n  const orders = await list_orders({ cursor });\n  seen.push(orders[page].id);\n  page++;\n  cursor = page < 3 ? String(page) : null;\n}\nreturn seen;",
    { value: [1, 2, 3] },
  ],
  [
    "pLimit",
    "async function mapLimit(items, limit, fn) {\n  const ret = new Array(items.length); let i = 0;\n  await Promise.all(Array.from({ length: limit }, async () => { while (i < items.length) { const k = i++; ret[k] = await fn(items[k], k); } }));\n  return ret;\n}\nreturn mapLimit([1, 2, 3], 2, async (id) => (await get_order({ id })).total);",
    { value: [30, 20, 12.5] },
  ],
  [
    "timeout race",
    "const timeout = (ms) => new Promise((_, rej) => setTimeout(() => rej(new Error('timeout')), ms));\nconst r = await Promise.race([get_order({ id: 1 }), timeout(20000)]);\nreturn r.city;",
    { value: "Oslo" },
  ],
  [
    "env default",
    "const limit = Number(process.env.LIMIT ?? 2);\nreturn (await list_orders({})).slice(0, limit).length;",
    { value: 2 },
  ],
  [
    "process.env truthy",
    "if (process.env.DEBUG) console.log('debug');\nreturn process.env.NODE_ENV ?? 'none'",
    { value: "none" },
  ],
  ["argv", "const [,, name = 'world'] = process.argv;\nconsole.log(`hello ${name}`);", { output: "hello world\n" }],
  [
    "assert",
    "import assert from 'assert';\nassert.strictEqual(1 + 1, 2);\nassert.deepStrictEqual({ a: [1] }, { a: [1] });\nconsole.log('All tests passed');",
    { output: "All tests passed\n" },
  ],
  [
    "EventEmitter once",
    "import { EventEmitter, once } from 'node:events';\nconst e = new EventEmitter();\nsetTimeout(() => e.emit('done', 5), 1);\nconst [v] = await once(e, 'done');\nreturn v;",
    { value: 5 },
  ],
  [
    "util.promisify, inspect",
    "const util = require('util');\nconst sleep = util.promisify(setTimeout);\nawait sleep(1);\nreturn util.format('%s=%d %j', 'a', 1, { b: 2 });",
    { value: 'a=1 {"b":2}' },
  ],
  [
    "dates",
    "const d = new Date('2024-03-10T12:00:00Z');\nd.setUTCDate(d.getUTCDate() + 30);\nreturn d.toISOString().slice(0, 10);",
    { value: "2024-04-09" },
  ],
  [
    "Intl",
    "return [new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(1234.5), (1e6).toLocaleString('en-US')];",
    { value: ["$1,234.50", "1,000,000"] },
  ],
  [
    "regex named groups",
    "const log = '2024-01-02 ERROR x\\n2024-01-03 INFO y';\nreturn [...log.matchAll(/^(?<d>\\S+) (?<l>\\w+) (?<m>.*)$/gm)].map(({ groups }) => ({ ...groups }));",
    {
      value: [
        { d: "2024-01-02", l: "ERROR", m: "x" },
        { d: "2024-01-03", l: "INFO", m: "y" },
      ],
    },
  ],
  [
    "if else last value",
    "const n = (await list_orders({})).length;\nlet answer: string;\nif (n > 2) { answer = 'many'; } else { answer = 'few'; }\nanswer",
    { value: "many" },
  ],
  [
    "using",
    "class R { [Symbol.dispose]() { console.log('closed'); } }\n{ using r = new R(); console.log('open'); }\nreturn 1;",
    { value: 1, output: "open\nclosed\n" },
  ],
  [
    "memo fib",
    "const fib = (n: number, m = new Map<number, number>()): number => n < 2 ? n : m.get(n) ?? (m.set(n, fib(n - 1, m) + fib(n - 2, m)), m.get(n)!);\nconsole.log(fib(50));",
    { output: "12586269025\n" },
  ],
  [
    "jsx-like generics",
    "const id = <T,>(x: T): T => x;\nconst first = <T extends { id: number }>(xs: T[]) => xs[0]?.id;\nreturn [id(1), first(await list_orders({}))];",
    { value: [1, 1] },
  ],
  [
    "arrow returning log",
    "const orders = await list_orders({});\norders.forEach(o => console.log(o.id));",
    { output: "1\n2\n3\n" },
  ],
  ["last is map of promises", "[1, 2].map(async (id) => (await get_order({ id })).city)", { value: ["Oslo", "Rome"] }],
  [
    "last is await all",
    "const ids = [1, 3];\nawait Promise.all(ids.map(id => get_order({ id })))",
    {
      value: [
        { id: 1, city: "Oslo", total: 30, at: "2024-01-05" },
        { id: 3, city: "Oslo", total: 12.5, at: "2024-02-09" },
      ],
    },
  ],
  [
    "function declared and called with arg",
    "async function total(city: string) {\n  return (await list_orders({})).filter(o => o.city === city).reduce((s, o) => s + o.total, 0);\n}\ntotal('Oslo')",
    { value: 42.5 },
  ],
  ["object literal last no parens", "const a = 1;\n{ a, b: 2 }", { value: { a: 1, b: 2 } }],
  [
    "default import node: plus return",
    "import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(2);\nreturn 'slept';",
    { value: "slept" },
  ],
];

/** The same, for files, standard input and modules that only Deno has. */
export const CODE_MODE_OF_DENO: readonly MeantIdiom[] = [
  ["Deno.env default", "const key = Deno.env.get('API_KEY') || 'none';\nreturn key;", { value: "none" }],
  ["tmpdir", "import os from 'node:os';\nreturn typeof os.tmpdir();", { value: "string" }],
  [
    "uuid and hash",
    "import { createHash, randomUUID } from 'crypto';\nreturn [createHash('sha256').update('a').digest('hex').slice(0, 8), randomUUID().length];",
    { value: ["ca978112", 36] },
  ],
  [
    "decorator",
    "function log(value: any, ctx: any) { return function (this: any, ...a: any[]) { console.log(ctx.name); return value.apply(this, a); }; }\nclass A { @log m() { return 4; } }\nreturn new A().m();",
    { value: 4, output: "m\n" },
  ],
  [
    "path join cwd",
    "import * as fs from 'fs';\nimport * as path from 'path';\nconst file = path.join(process.cwd(), 'data.csv');\nreturn fs.readFileSync(file, 'utf8').split('\\n')[0];",
    { value: "name,n" },
  ],
  ["glob", "import { globSync } from 'node:fs';\nreturn globSync('*.csv');", { value: ["data.csv"] }],
  [
    "readdir recursive",
    "import fs from 'node:fs/promises';\nconst all = await fs.readdir('.', { recursive: true });\nreturn all.includes('lib/tax.ts');",
    { value: true },
  ],
  [
    "Deno walk",
    "const names: string[] = [];\nfor await (const e of Deno.readDir('.')) if (e.isFile && e.name.startsWith('data')) names.push(e.name);\nreturn names.sort();",
    { value: ["data.csv", "data.json"] },
  ],
  [
    "stdin empty",
    "import fs from 'fs';\nconst input = fs.readFileSync(0, 'utf8');\nconsole.log(input.length);",
    { output: "0\n" },
  ],
  [
    "stdin stream",
    "let data = '';\nprocess.stdin.on('data', (c) => (data += c));\nprocess.stdin.on('end', () => console.log('got', data.length));",
    { output: "got 0\n" },
  ],
  [
    "readline stdin",
    "const readline = require('readline');\nconst rl = readline.createInterface({ input: process.stdin, output: process.stdout });\nlet n = 0;\nrl.on('line', () => n++);\nrl.on('close', () => console.log(n));",
    { output: "0\n" },
  ],
];
