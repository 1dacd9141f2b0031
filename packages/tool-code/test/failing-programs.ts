/** A program that fails as models' programs do, and the part of the answer that would help to mend it. */
export interface FailingProgram {
  readonly name: string;
  readonly code: string;
  /** Text that the answer must contain. `undefined`: the engine's own message is enough. */
  readonly helped: RegExp | undefined;
}

/** Against the tools of `hint-shop.ts`: most failures of programs with tools are a wrong guess at a tool's answer. */
export const FAILING_PROGRAMS: readonly FailingProgram[] = (
  [
    ["a list that is a field", "const r = await list_orders({});\nreturn r.map((o) => o.id);", /orders: \[\{/],
    [
      "a field that is called otherwise",
      "const { orders } = await list_orders({});\nreturn orders.map((o) => o.customer.name.toUpperCase());",
      /buyer: \{ name: string/,
    ],
    ["a field in a wrapper", "const r = await list_orders({});\nreturn r.data.orders.length;", /\{ orders: \[/],
    [
      "a field spelled in another way",
      "const { orders } = await list_orders({});\nreturn orders[0].createdAt.slice(0, 10);",
      /created_at: string/,
    ],
    [
      "a result that is not awaited",
      "const r = list_orders({});\nreturn r.orders.map((o) => o.id);",
      /list_orders.*await|when awaited:.*list_orders: \{ orders/s,
    ],
    [
      "a list in a list",
      "const { orders } = await list_orders({});\nfor (const o of orders) for (const i of o.items) console.log(i.sku);",
      /lines: \[\{/,
    ],
    [
      "a number that is a text",
      "const { orders } = await list_orders({});\nreturn orders.map((o) => o.total.toFixed(2));",
      /total: string/,
    ],
    [
      "a text that is a list",
      "const o = await get_order({ id: 1 });\nreturn o.tags.split(',').map((t) => t.trim());",
      /tags: \[string\]/,
    ],
    [
      "an object that is a list",
      "const o = await get_order({ id: 1 });\nfor (const [k, v] of o.lines.entries().map(([a, b]) => b)) console.log(k, v);",
      /lines: \[\{/,
    ],
    [
      "null where nothing was found",
      "const o = await get_order({ id: 99 });\nreturn o.order.total;",
      /get_order: \{ order: null/,
    ],
    [
      "a text where JSON was meant",
      "const r = await search_web({ query: 'x' });\nreturn r.results.map((h) => h.url);",
      /search_web: string/,
    ],
    [
      "a wrapper of another protocol",
      "const r = await search_web({ query: 'x' });\nreturn JSON.parse(r.content[0].text).hits;",
      /search_web: string/,
    ],
    [
      "a page where a list was meant",
      "const pages = await Promise.all([1, 2].map((page) => list_orders({ page })));\nreturn pages.flat().filter((o) => o.buyer.name.startsWith('A'));",
      /orders: \[\{/,
    ],
    ["an untyped answer", "const u = await get_user({ id: 1 });\nreturn u.email.toLowerCase();", /emails: \[string\]/],
    [
      "an untyped list",
      "const u = await get_user({ id: 1 });\nreturn u.address.city.length;",
      /addresses: \[\{ city: string/,
    ],
    [
      "a field of a first element",
      "const { orders } = await list_orders({});\nconst [first] = orders;\nreturn first.shipping.address.street;",
      /buyer: \{/,
    ],
    ["what is iterated", "const r = await list_orders({});\nfor (const o of r) console.log(o.id);", /orders: \[\{/],
    ["what is spread", "const r = await get_user({ id: 1 });\nreturn [...r.friends].length;", /get_user: \{/],
    [
      "what is destructured",
      "const { user: { name } } = await get_user({ id: 1 });\nreturn name;",
      /get_user: \{ name: string/,
    ],
    [
      "an entry of a list that is empty",
      "const { hits } = await find_files({ glob: '*' });\nreturn hits[0].path;",
      /hits: \[\]/,
    ],
    ["an unknown name", "return lodash.groupBy([1], (x) => x);", undefined],
    ["a method of another language", "const s = 'abc';\nreturn s.contains('b');", undefined],
    ["a constant that is assigned to", "const n = 1;\nfor (const x of [1, 2]) n += x;\nreturn n;", undefined],
    ["a name that is used too early", "console.log(total);\nconst total = 1;", undefined],
    ["big and small numbers", "return 10n + Math.floor(2.5);", undefined],
    ["nothing found in a list", "const rows = [{ a: 1 }];\nreturn rows.find((r) => r.a === 2).a;", undefined],
    ["a match that is null", "const m = 'abc'.match(/\\d+/);\nreturn m[0];", undefined],
    ["no function", "const add = 1;\nreturn add(2);", undefined],
    ["a class without new", "class A {}\nreturn A();", undefined],
    ["an object that is iterated", "for (const x of { a: 1 }) console.log(x);", undefined],
  ] as const
).map(([name, code, helped]) => ({ name, code, helped }));
