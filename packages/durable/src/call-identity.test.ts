import { randomInt } from "node:crypto";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { z } from "zod";
import { createDurable, createMemoryEngine } from "./index.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz0123456789";
const ALL = `${LOWER}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");

const ran: string[] = [];
const add = defineTool({
  name: "add",
  description: "Adds.",
  parameters: z.object({ by: z.number() }),
  execute: ({ by }, run) => (ran.push(run.callId), `${by} added`),
});
const registry = createToolRegistry().register(add);
const callOf = (id: string) => ({ id, name: "add", arguments: { by: 1 } });

test.each([
  ["Mistral", () => pick(ALL, 9)],
  ["Ollama", () => `call_${pick(LOWER, 8)}`],
  ["Gemini", () => pick(LOWER, 8)],
  ["Groq", () => `call_${pick(LOWER, 4)}`],
  ["the AI SDK", () => pick(ALL, 16)],
  ["OpenAI", () => `call_${pick(ALL, 24)}`],
])("dispatch() with durable runs every call with a random id of %s once, without a turn", async (_vendor, make) => {
  ran.length = 0;
  const durable = createDurable(createMemoryEngine()).session("chat");
  const ids = [...new Set(Array.from({ length: 2_000 }, make))];
  for (const _ of [1, 2]) {
    const results = await registry.dispatchAll(ids.map(callOf), { durable });
    expect(results.filter(({ success }) => !success)).toEqual([]);
  }
  expect(ran.toSorted()).toEqual(ids.toSorted());
});

test.each(["call_0", "0", "functions.add:3", "add"])(
  "dispatch() with durable refuses %s without a turn, and runs it with one",
  async (id) => {
    ran.length = 0;
    const durable = createDurable(createMemoryEngine()).session("chat");
    expect(await registry.dispatch(callOf(id), { durable })).toMatchObject({ code: "invalid_call", effects: "none" });
    for (const turn of ["m1", "m2", "m1"]) await registry.dispatch({ ...callOf(id), turn }, { durable });
    expect(ran).toHaveLength(2);
  },
);
