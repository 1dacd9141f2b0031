import fc from "fast-check";
import { expect, test } from "vitest";
import { hashEmbedder } from "./hash-embedder.ts";

const { embed, dimensions, floor = 0 } = hashEmbedder();
const signal = new AbortController().signal;
const cosine = async (a: string, b: string): Promise<number> => {
  const [one, two] = await embed([a, b], { signal });
  return Array.from(one ?? []).reduce((sum, value, at) => sum + value * (two?.[at] ?? 0), 0);
};

test("hashEmbedder() gives any text a vector of its length, of length 1 or nothing but zeros, always the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (text) => {
      const [first, second] = await embed([text, text], { signal });
      expect(first).toHaveLength(dimensions);
      expect(first).toEqual(second);
      const length = Math.hypot(...Array.from(first ?? []));
      expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
    }),
  );
});

test("hashEmbedder() puts texts together that share stems or parts of words, and others apart", async () => {
  expect(await cosine("Dogs running", "the dog runs")).toBeGreaterThan(0.7);
  expect(await cosine("photosynthesis", "fotosynthesis")).toBeGreaterThan(floor);
  expect(await cosine("green tea in the morning", "deploys on Fridays")).toBeLessThan(floor);
  expect(await cosine("the of and", "dog")).toBe(0);
});
