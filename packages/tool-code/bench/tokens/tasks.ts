/** One call of a tool. */
export type Call = readonly [name: string, params: object];

/** A task, done in both ways. The traces are fixed: the steps of a careful model, not a recording of one. */
export interface Task {
  /** The task's question. */
  readonly name: string;
  /** Whether the tools answer much more than the task needs. */
  readonly isLarge: boolean;
  /** The calls when tools are called directly. */
  readonly calls: readonly Call[];
  /** The program that does the same. */
  readonly program: string;
}

const pages = (status: string | undefined, count: number): readonly Call[] =>
  Array.from({ length: count }, (_, page) => ["list_orders", status === undefined ? { page } : { status, page }]);
const customers = (...ids: readonly number[]): readonly Call[] => ids.map((id) => ["get_customer", { id }]);
const stock = (...numbers: readonly number[]): readonly Call[] =>
  numbers.map((number) => ["get_stock", { sku: `sku-${number}` }]);
const weather = (...cities: readonly string[]): readonly Call[] => cities.map((city) => ["get_weather", { city }]);
const handbook = (...numbers: readonly number[]): readonly Call[] => numbers.map((page) => ["read_page", { page }]);

const ALL_ORDERS = `const first = await list_orders({ page: 0 });
const rest = await Promise.all(Array.from({ length: first.pages - 1 }, (_, at) => list_orders({ page: at + 1 })));
const orders = [first, ...rest].flatMap((page) => page.orders);`;
const SUMS = `const sums = new Map<number, number>();
for (const { customer_id, total_cents } of orders) sums.set(customer_id, (sums.get(customer_id) ?? 0) + total_cents);
const best = [...sums].sort((a, b) => b[1] - a[1]);`;

const large = (name: string, calls: readonly Call[], program: string): Task => ({
  name,
  isLarge: true,
  calls,
  program,
});
const small = (name: string, calls: readonly Call[], program: string): Task => ({
  name,
  isLarge: false,
  calls,
  program,
});

/** Tasks that take several calls. */
export const COMPOSITION_TASKS: readonly Task[] = [
  large(
    "Sum of all orders",
    pages(undefined, 6),
    `${ALL_ORDERS}\nreturn orders.reduce((sum, order) => sum + order.total_cents, 0);`,
  ),
  large(
    "The customer who spent most",
    [...pages(undefined, 6), ...customers(7)],
    `${ALL_ORDERS}\n${SUMS}\nreturn [await get_customer({ id: best[0][0] }), best[0][1]];`,
  ),
  large(
    "Names of the five best customers",
    [...pages(undefined, 6), ...customers(1, 2, 3, 4, 5)],
    `${ALL_ORDERS}\n${SUMS}\nreturn await Promise.all(best.slice(0, 5).map(async ([id, sum]) => [(await get_customer({ id })).name, sum]));`,
  ),
  large(
    "Share of returned orders",
    pages(undefined, 6),
    `${ALL_ORDERS}\nreturn orders.filter(({ status }) => status === "returned").length / orders.length;`,
  ),
  large(
    "The article that was sold most",
    pages(undefined, 6),
    `${ALL_ORDERS}\nconst sold: Record<string, number> = {};\nfor (const { sku, quantity } of orders.flatMap(({ items }) => items)) sold[sku] = (sold[sku] ?? 0) + quantity;\nreturn Object.entries(sold).sort((a, b) => b[1] - a[1])[0];`,
  ),
  large(
    "Articles of open orders that are not in stock",
    [...pages("open", 2), ...stock(...Array(30).keys())],
    `const { orders } = await list_orders({ status: "open" });\nconst skus = [...new Set(orders.flatMap(({ items }) => items.map(({ sku }) => sku)))];\nconst found = await Promise.all(skus.map((sku) => get_stock({ sku })));\nreturn found.filter(({ left }) => left < 10).map(({ sku }) => sku);`,
  ),
  large(
    "Errors of a service by path",
    [["search_logs", { service: "checkout", limit: 500 }]],
    `const { lines } = await search_logs({ service: "checkout", limit: 500 });\nconst counts: Record<string, number> = {};\nfor (const { level, message } of lines) if (level === "error") { const path = message.split(" ").at(-1)!; counts[path] = (counts[path] ?? 0) + 1; }\nreturn counts;`,
  ),
  large(
    "The slowest requests of three services",
    [
      ["search_logs", { service: "checkout", limit: 300 }],
      ["search_logs", { service: "search", limit: 300 }],
      ["search_logs", { service: "mail", limit: 300 }],
    ],
    `const found = await Promise.all((["checkout", "search", "mail"] as const).map((service) => search_logs({ service, limit: 300 })));\nreturn found.map(({ lines }) => lines.sort((a, b) => b.ms - a.ms)[0].message);`,
  ),
  large(
    "The 99th percentile of a service",
    [["search_logs", { service: "search", limit: 1_000 }]],
    `const { lines } = await search_logs({ service: "search", limit: 1000 });\nreturn lines.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(lines.length * 0.99)];`,
  ),
  large(
    "What the handbook says of refunds by team 4",
    handbook(1, 2, 3, 4, 5, 6),
    `const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => read_page({ page }))) as string[];\nreturn pages.flatMap((page) => page.split("\\n")).filter((line) => /Refunds.*team 4/.test(line)).slice(0, 10);`,
  ),
  large(
    "Longest time in ten pages",
    handbook(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    `let longest = 0;\nfor (let page = 1; page <= 10; page++)\n  for (const [, days] of String(await read_page({ page })).matchAll(/within (\\d+) days/g)) longest = Math.max(longest, +days);\nreturn longest;`,
  ),
  large(
    "Orders of a month by country",
    [...pages(undefined, 2), ...customers(...Array(30).keys())],
    `const found = await Promise.all([0, 1].map((page) => list_orders({ page })));\nconst orders = found.flatMap((page) => page.orders).filter(({ created_at }) => created_at < "2026-02");\nconst byCountry: Record<string, number> = {};\nawait Promise.all(orders.map(async ({ customer_id }) => { const { country } = await get_customer({ id: customer_id }); byCountry[country] = (byCountry[country] ?? 0) + 1; }));\nreturn byCountry;`,
  ),
  small(
    "The warmest of five cities",
    weather("Oslo", "Lisbon", "Cairo", "Berlin", "Tokyo"),
    `const found = await Promise.all(["Oslo", "Lisbon", "Cairo", "Berlin", "Tokyo"].map((city) => get_weather({ city })));\nreturn found.sort((a, b) => b.celsius - a.celsius)[0];`,
  ),
  small(
    "The mean of twenty cities",
    weather(...Array.from({ length: 20 }, (_, at) => `City ${at}`)),
    `const found = await Promise.all(Array.from({ length: 20 }, (_, at) => get_weather({ city: "City " + at })));\nreturn found.reduce((sum, { celsius }) => sum + celsius, 0) / 20;`,
  ),
  small(
    "The price of a basket",
    stock(1, 2, 3),
    `const found = await Promise.all([1, 2, 3].map((n) => get_stock({ sku: "sku-" + n })));\nreturn found.reduce((sum, { price_cents }) => sum + price_cents, 0);`,
  ),
  small(
    "The cheapest of thirty articles",
    stock(...Array(30).keys()),
    `const found = await Promise.all(Array.from({ length: 30 }, (_, n) => get_stock({ sku: "sku-" + n })));\nreturn found.sort((a, b) => a.price_cents - b.price_cents)[0];`,
  ),
  small(
    "Greet three customers by name",
    [
      ...customers(1, 2, 3),
      ...[1, 2, 3].map((id): Call => ["send_message", { customer_id: id, text: `Hello Customer ${id}` }]),
    ],
    `for (const id of [1, 2, 3]) await send_message({ customer_id: id, text: "Hello " + (await get_customer({ id })).name });`,
  ),
  small(
    "Tell twenty customers of a delay",
    Array.from({ length: 20 }, (_, id): Call => [
      "send_message",
      { customer_id: id, text: "Your order is late, we are sorry" },
    ]),
    `await Promise.all(Array.from({ length: 20 }, (_, id) => send_message({ customer_id: id, text: "Your order is late, we are sorry" })));`,
  ),
  small(
    "Whether two customers live in one country",
    customers(3, 9),
    `const [a, b] = await Promise.all([get_customer({ id: 3 }), get_customer({ id: 9 })]);\nreturn a.country === b.country;`,
  ),
  small(
    "The oldest of ten customers",
    customers(...Array(10).keys()),
    `const found = await Promise.all(Array.from({ length: 10 }, (_, id) => get_customer({ id })));\nreturn found.sort((a, b) => a.since.localeCompare(b.since))[0].name;`,
  ),
];

/** Tasks that take one call. */
export const SINGLE_CALL_TASKS: readonly Task[] = (
  [
    ["The weather in Oslo", "get_weather", { city: "Oslo" }],
    ["The weather in Cairo", "get_weather", { city: "Cairo" }],
    ["Who customer 7 is", "get_customer", { id: 7 }],
    ["Where customer 12 lives", "get_customer", { id: 12 }],
    ["What is left of an article", "get_stock", { sku: "sku-3" }],
    ["What an article costs", "get_stock", { sku: "sku-21" }],
    ["The last five lines of a log", "search_logs", { service: "mail", limit: 5 }],
    ["Tell a customer", "send_message", { customer_id: 4, text: "Your order is on its way" }],
    ["Read a page", "read_page", { page: 2 }],
    ["The orders of the last page", "list_orders", { page: 5 }],
  ] as const
).map(([name, tool, params]) => small(name, [[tool, params]], `return await ${tool}(${JSON.stringify(params)});`));
