import fc from "fast-check";
import { expect, test } from "vitest";
import { DotProducts, toStride } from "./vector-cache.ts";

test("each() gives the dot product of a vector and each row, whatever their number and dimensions", () => {
  const products = new DotProducts();
  const byte = fc.integer({ min: -127, max: 127 });
  const shape = fc.record({
    dimensions: fc.integer({ min: 1, max: 2_000 }),
    count: fc.integer({ min: 0, max: 70 }),
    seed: byte,
    scale: fc.integer({ min: 0, max: 10_000 }),
  });
  fc.assert(
    fc.property(shape, ({ dimensions, count, seed, scale }) => {
      const stride = toStride(dimensions);
      const rows = new Int8Array(count * stride);
      for (let row = 0; row < count; row++)
        for (let at = 0; at < dimensions; at++) rows[row * stride + at] = ((row + 1) * (at + seed) * 31) % 128;
      const vector = Int16Array.from(
        { length: dimensions },
        (_, at) => ((at * 7_919 + seed) % (2 * scale + 1)) - scale,
      );
      const found: number[] = [];
      products.each(rows, count, vector, (row, sum) => (found[row] = sum));
      const wanted = Array.from({ length: count }, (_, row) =>
        vector.reduce((sum, weight, at) => sum + weight * (rows[row * stride + at] ?? 0), 0),
      );
      expect(found).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});
