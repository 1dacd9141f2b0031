import fc from "fast-check";
import { expect, test } from "vitest";
import type { MemoryHit } from "../block/memory-block.ts";
import { toPassages } from "../block/passage.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { countByChars, fitHits, toModelHit } from "./fit-hits.ts";

const at = "2026-01-01T00:00:00.000Z";
const toHit = (content: string, n: number): MemoryHit => ({
  id: `b${n}`,
  label: `label ${n}`,
  tier: "working",
  permission: "readwrite",
  source: "agent",
  trust: "medium",
  content,
  version: 1,
  createdAt: at,
  updatedAt: at,
  score: 1,
  passages: toPassages(content)
    .map(({ start, end }) => [start, end] as const)
    .toReversed(),
});
const hits = fc
  .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3_000 }), { maxLength: 8 })
  .map((texts) => texts.map(toHit));

test("fitHits() never exceeds maxTokens by the counter given, as the tool prints it", () => {
  fc.assert(
    fc.property(
      hits,
      fc.integer({ min: 0, max: 3_000 }),
      fc.constantFrom(countByChars, (text: string) => text.length),
      (found, maxTokens, count) => {
        const { hits: fitted, omitted } = fitHits(found, maxTokens, count);
        expect(fitted.length + omitted).toBe(found.length);
        if (fitted.length === 0) return;
        const note = omitted === 0 ? undefined : `${omitted} more blocks match; there was no room for them`;
        expect(count(toPromptJson({ blocks: fitted.map(toModelHit), note }))).toBeLessThanOrEqual(maxTokens);
      },
    ),
    { numRuns: 200 },
  );
});

test("fitHits() keeps what fits whole and says how much of the rest is left out", () => {
  const found = [toHit("short", 1), toHit("A sentence of some length. ".repeat(100), 2)];
  const { hits: fitted } = fitHits(found, 500, countByChars);
  expect(fitted[0]).toBe(found[0]);
  const cut = fitted[1];
  expect(cut?.omitted).toBeGreaterThan(1_000);
  expect((cut?.content ?? "").length + (cut?.omitted ?? 0)).toBeGreaterThanOrEqual(2_700);
  expect(fitHits(found, 100_000, countByChars)).toEqual({ hits: found, omitted: 0 });
});
