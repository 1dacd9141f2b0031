import { describe, expect, test } from "vitest";
import { createMemoryTools } from "../src/tools/memory-tools.ts";
import { engines } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

const ASIDES = ["", ", as of today", ", they told me", " (it seems)", "; at least for now", " – so they say", "!"];

describe.each(engines)("repeats on $name", (engine) => {
  const { open } = useEngine(engine);

  test("a hit stands for notes that state the same: the newest is shown, the others are counted and named", async () => {
    const { manager, admin } = await open();
    await admin.write({ label: "car", content: "Maria drives a red Volvo from Gothenburg" });
    for (const [n, aside] of ASIDES.entries())
      await admin.write({ label: `unsure/${n}`, content: `Maria is not sure about the car${aside}` });
    for (const thing of ["flat", "trip", "cat"])
      await admin.write({ label: thing, content: `Maria likes the ${thing}` });
    const hits = await manager.search("What car does Maria have?", { limit: 5 });
    expect(hits.map(({ label }) => label).toSorted()).toEqual([
      "car",
      "cat",
      "flat",
      "trip",
      `unsure/${ASIDES.length - 1}`,
    ]);
    const repeated = hits.find(({ similar }) => similar !== undefined);
    expect(repeated).toMatchObject({
      label: `unsure/${ASIDES.length - 1}`,
      similar: { count: 6, labels: expect.arrayContaining(["unsure/0", "unsure/5"]) },
    });
    const [read] = createMemoryTools(manager);
    const shown = await read.call({ query: "What car does Maria have?" });
    expect(String(shown)).toContain('"say_the_same":6');
  });

  test("nothing is left out where there is room, nor another's note, nor one that states something else", async () => {
    const { manager, admin } = await open();
    const contents = [
      "Maria is sure about the car",
      "Maria is not sure about the car",
      "Maria is not sure about the car, but Ben is",
      "Maria is not sure about the car, not any more",
      "Maria is not sure about the car, with Ola",
      "Maria is not sure about the car, room 5",
      "Maria is not sure about the red car",
      "Ben is not sure about the car",
      "The car is not sure about Maria",
    ];
    for (const [n, content] of contents.entries()) await admin.write({ label: `n/${n}`, content });
    expect(await manager.search("Maria car", { limit: 9 })).toHaveLength(9);
    for (const hit of await manager.search("Maria car", { limit: 4 })) expect(hit.similar).toBeUndefined();
    // Of equal statements, those of another trust or tier stay apart.
    await manager.write({ label: "low", content: "Maria is sure about the car", source: "web" });
    await admin.write({ label: "archive", content: "Maria is sure about the car", tier: "archival" });
    for (const hit of await manager.search("Maria car", { limit: 8 })) expect(hit.similar).toBeUndefined();
  });

  test("repeats fill the places that no other statement needs", async () => {
    const { manager, admin } = await open();
    for (const [n, aside] of ASIDES.entries())
      await admin.write({ label: `unsure/${n}`, content: `Maria is not sure about the car${aside}` });
    await admin.write({ label: "car", content: "Maria drives a red car" });
    const hits = await manager.search("Maria car", { limit: 5 });
    expect(new Set(hits.map(({ label }) => label)).size).toBe(5);
    const named = hits.flatMap(({ similar }) => similar?.labels ?? []);
    expect(new Set([...hits.map(({ label }) => label), ...named]).size).toBe(8);
  });
});
