import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { openDbosEngine } from "@dispatch/durable/dbos";
import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";

const registry = createToolRegistry();
const durable = createDurable(createMemoryEngine());

test.each<[string, string, string, (given: never) => unknown]>([
  ["createDurable", "onErrors", "onError", (given) => createDurable(createMemoryEngine(), given)],
  ["durable.submit", "sesion", "session", (given) => durable.submit(registry, { id: "a1", name: "act" }, given)],
  ["durable.serve", "aprove", "approve", (given) => durable.serve(registry, given)],
  ["openDbosEngine", "serve", "serves", (given) => openDbosEngine(given)],
])("%s names the option that was meant", async (_, misspelt, meant, use) => {
  const said = await (async () => use({ [misspelt]: undefined } as never))().then(String, String);
  expect(said).toContain(`found the option "${misspelt}", did you mean "${meant}"`);
});
