import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { findRisen, trustAttacks } from "./trust-attacks.ts";
import { useEngine } from "./use-engine.ts";

describe.each(engines)("$name", (engine) => {
  const { open } = useEngine(engine);

  test("no attack raises the trust of what was not shown, or hides what a person wrote", async () => {
    expect(trustAttacks.length).toBeGreaterThan(250);
    // Every fifth: each setting, sequence and source is met, and the bench runs all of them.
    for (const { name, run } of trustAttacks.filter((_, n) => n % 5 === 0)) {
      const found = await run(await open({ embedder: "none" }));
      expect({ name, ...found }).toEqual({ name, risen: [], hidden: [] });
    }
  });
});

test("trust that rose unseen is found", () => {
  const block = { label: "x", content: "seen\nunseen", trust: "high" } as Parameters<typeof findRisen>[0][number];
  expect(findRisen([block], new Set(["seen"]))).toEqual(["x"]);
  expect(findRisen([block], new Set(["seen", "unseen"]))).toEqual([]);
});
