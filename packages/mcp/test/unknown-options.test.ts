import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import * as client from "../src/client/index.ts";
import * as server from "../src/server/index.ts";

const { connectMcp } = client;
const { serveMcp } = server;
const act = defineTool({ name: "act", description: "Acts.", parameters: z.object({}), execute: () => "done" });
const registry = createToolRegistry().register(act);

type Case = readonly [misspelt: string, meant: string, use: (options: never) => unknown];

/** A public function that takes options, with a misspelt one. */
const TAKES_OPTIONS: Readonly<Record<string, Case>> = {
  serveMcp: ["aprove", "approve", (given) => serveMcp(registry, given)],
  "serveMcp, HTTP": ["tokn", "token", (given) => serveMcp(registry, { transport: { port: 0, ...(given as object) } })],
  "serveMcp, tasks": ["ttl", "ttlMs", (given) => serveMcp(registry, { tasks: given })],
  "serveMcp, a tool": ["titel", "title", (given) => serveMcp(registry, { tools: { act: given } })],
  connectMcp: ["needsAproval", "needsApproval", (given) => connectMcp("far", { url: "http://127.0.0.1:1" }, given)],
  "connectMcp, the server": [
    "header",
    "headers",
    (given) => connectMcp("far", { url: "http://a", ...(given as object) }),
  ],
};

test.each(Object.entries(TAKES_OPTIONS))("%s names the option that was meant", async (_, [misspelt, meant, use]) => {
  const said = await (async () => use({ [misspelt]: undefined } as never))().then(String, String);
  expect(said).toContain(`found the option "${misspelt}", did you mean "${meant}"`);
});

test("every public function is among those above, or takes none", () => {
  const listed = [...Object.keys(TAKES_OPTIONS).filter((name) => !name.includes(",")), "pinFile"];
  expect(Object.keys({ ...client, ...server }).toSorted()).toEqual(listed.toSorted());
});
