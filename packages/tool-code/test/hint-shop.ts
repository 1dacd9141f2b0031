import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { z } from "zod";

const order = {
  id: 1,
  buyer: { name: "Ann", city: "Oslo" },
  total: "12.50",
  created_at: "2024-01-05",
  lines: [{ sku: "A1", count: 2 }],
};
const orderSchema = z.object({
  id: z.number(),
  buyer: z.object({ name: z.string(), city: z.string() }),
  total: z.string(),
  created_at: z.string(),
  lines: z.array(z.object({ sku: z.string(), count: z.number() })),
});

const listOrders = defineTool({
  name: "list_orders",
  description: "Lists the orders, a page at a time.",
  parameters: z.object({ page: z.number().optional() }),
  output: z.object({ orders: z.array(orderSchema), next_page: z.number().nullable() }),
  execute: () => ({ orders: [order, { ...order, id: 2 }], next_page: null }),
});
const getOrder = defineTool({
  name: "get_order",
  description: "Finds an order by its number.",
  parameters: z.object({ id: z.number() }),
  output: z.object({ order: orderSchema.nullable(), tags: z.array(z.string()), lines: orderSchema.shape.lines }),
  execute: ({ id }) => ({ order: id === 1 ? order : null, tags: ["new"], lines: order.lines }),
});
const getUser = defineTool({
  name: "get_user",
  description: "Finds a user.",
  parameters: z.object({ id: z.number() }),
  output: z.record(z.string(), z.unknown()),
  execute: () => ({ name: "Ann", emails: ["ann@shop.example"], addresses: [{ city: "Oslo", zip: "0150" }] }),
});
const searchWeb = defineTool({
  name: "search_web",
  description: "Searches the web.",
  parameters: z.object({ query: z.string() }),
  execute: ({ query }) => `1. ${query}\n2. more of ${query}`,
});
const findFiles = defineTool({
  name: "find_files",
  description: "Finds files.",
  parameters: z.object({ glob: z.string() }),
  output: z.object({ hits: z.array(z.object({ path: z.string() })) }),
  execute: () => ({ hits: [] }),
});

/** Tools whose answers programs guess wrong: some document their answers, some do not. */
export function hintShop() {
  return createToolRegistry().register([listOrders, getOrder, getUser, searchWeb, findFiles]);
}
