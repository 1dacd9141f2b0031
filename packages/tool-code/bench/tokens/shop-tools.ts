import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { z } from "zod";

/** The same number for the same input, between 0 and 1. */
function chance(...parts: readonly number[]): number {
  let hash = 2_166_136_261;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85_eb_ca_6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2_b2_ae_35) ^ (hash >>> 13);
  }
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296;
}

const COUNTRIES = ["NO", "PT", "EG", "DE", "JP", "BR"];
const STATUSES = ["open", "paid", "shipped", "returned"] as const;
const SERVICES = ["checkout", "search", "mail"];
const pick = <Item>(items: readonly Item[], at: number): Item => items[Math.floor(at * items.length)] as Item;
const PAGE = 50;
const day = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString();

const order = z.object({
  id: z.int(),
  customer_id: z.int(),
  status: z.enum(STATUSES),
  total_cents: z.int(),
  created_at: z.string(),
  items: z.array(z.object({ sku: z.string(), quantity: z.int() })),
});
const orders = Array.from({ length: 300 }, (_, id) => ({
  id,
  customer_id: Math.floor(chance(id, 1) * 40),
  status: pick(STATUSES, chance(id, 2)),
  total_cents: 500 + Math.floor(chance(id, 3) * 50_000),
  created_at: day(Math.floor(id / 3)),
  items: Array.from({ length: 1 + Math.floor(chance(id, 4) * 4) }, (__, at) => ({
    sku: `sku-${Math.floor(chance(id, at, 5) * 30)}`,
    quantity: 1 + Math.floor(chance(id, at, 6) * 5),
  })),
}));

const listOrders = defineTool({
  name: "list_orders",
  description: `Lists orders, oldest first, ${PAGE} a page.`,
  parameters: z.object({ status: z.enum(STATUSES).optional(), page: z.int().min(0).default(0) }),
  output: z.object({ orders: z.array(order), pages: z.int() }),
  execute({ status, page }) {
    const found = orders.filter((each) => status === undefined || each.status === status);
    return { orders: found.slice(page * PAGE, (page + 1) * PAGE), pages: Math.ceil(found.length / PAGE) };
  },
});

const getCustomer = defineTool({
  name: "get_customer",
  description: "Tells who a customer is.",
  parameters: z.object({ id: z.int() }),
  output: z.object({ id: z.int(), name: z.string(), email: z.string(), country: z.string(), since: z.string() }),
  execute: ({ id }) => ({
    id,
    name: `Customer ${id}`,
    email: `customer${id}@example.com`,
    country: pick(COUNTRIES, chance(id, 7)),
    since: day(-id),
  }),
});

const searchLogs = defineTool({
  name: "search_logs",
  description: "Lists log lines of a service, newest first.",
  parameters: z.object({ service: z.enum(SERVICES), limit: z.int().max(1_000).default(100) }),
  output: z.object({
    lines: z.array(z.object({ at: z.string(), level: z.string(), ms: z.int(), message: z.string() })),
  }),
  execute: ({ service, limit }) => ({
    lines: Array.from({ length: limit }, (_, at) => ({
      at: day(100 - at / 500),
      level: pick(["info", "info", "info", "warn", "error"], chance(at, service.length, 8)),
      ms: Math.floor(chance(at, service.length, 9) ** 4 * 5_000),
      message: `${service} answered request ${1_000 + at} of customer ${Math.floor(chance(at, 10) * 40)} on path /v1/${service}/${at % 7}`,
    })),
  }),
});

const getStock = defineTool({
  name: "get_stock",
  description: "Tells how many pieces of an article are left, and what one costs.",
  parameters: z.object({ sku: z.string() }),
  output: z.object({ sku: z.string(), left: z.int(), price_cents: z.int() }),
  execute: ({ sku }) => ({
    sku,
    left: Math.floor(chance(sku.length, Number(sku.slice(4)), 11) * 200),
    price_cents: 100 + Math.floor(chance(Number(sku.slice(4)), 12) * 9_000),
  }),
});

const getWeather = defineTool({
  name: "get_weather",
  description: "Tells the temperature in a city, in degrees Celsius.",
  parameters: z.object({ city: z.string() }),
  output: z.object({ city: z.string(), celsius: z.number() }),
  execute: ({ city }) => ({ city, celsius: Math.round(chance(city.length, city.charCodeAt(0)) * 400) / 10 }),
});

const readPage = defineTool({
  name: "read_page",
  description: "Reads a page of the handbook as text.",
  parameters: z.object({ page: z.int().min(1).max(30) }),
  execute: ({ page }) =>
    Array.from(
      { length: 120 },
      (_, at) =>
        `${page}.${at + 1} ${pick(["Returns", "Refunds", "Shipping", "Taxes", "Support"], chance(page, at))} are handled by team ${Math.floor(chance(page, at, 13) * 9)} within ${1 + Math.floor(chance(page, at, 14) * 20)} days.`,
    ).join("\n"),
});

const sendMessage = defineTool({
  name: "send_message",
  description: "Sends a message to a customer.",
  parameters: z.object({ customer_id: z.int(), text: z.string() }),
  output: z.object({ sent: z.boolean() }),
  execute: () => ({ sent: true }),
});

/** The tools of a shop, with the same data every time. */
export function shopRegistry() {
  return createToolRegistry().register([
    listOrders,
    getCustomer,
    searchLogs,
    getStock,
    getWeather,
    readPage,
    sendMessage,
  ]);
}
