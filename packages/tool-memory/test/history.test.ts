import fc from "fast-check";
import { expect, test } from "vitest";
import { PERMISSIONS, TIERS } from "../src/block/memory-block.ts";
import { replayEvents } from "../src/block/memory-event.ts";
import type { Memory } from "../src/memory/open-memory.ts";
import { useSharedDatabase } from "./shared-database.ts";

const { open } = useSharedDatabase();

const labels = fc.constantFrom("a", "b", "c");
const contents = fc.oneof(fc.constantFrom("one", "two"), fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }));
const tiers = fc.option(fc.constantFrom(...TIERS), { nil: undefined });

const sources = fc.constantFrom(undefined, "web", "tool");

/** One random act of the agent or of a person. */
const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(labels, fc.constantFrom("a", "b", "d"), tiers).map(
      ([label, newLabel, tier]) =>
        ({ manager }: Memory) =>
          manager.move({ label, newLabel, tier }),
    ),
  },
  {
    weight: 2,
    arbitrary: labels.map(
      (label) =>
        ({ manager }: Memory) =>
          manager.remove({ label }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(labels, fc.nat(12), fc.string({ unit: "binary", maxLength: 3 }), sources)
      .map(([label, offset, after, source]) => async ({ manager }: Memory) => {
        const before = (await manager.get(label))?.content.slice(offset, offset + 2) ?? "";
        return manager.edit({ label, offset, before, after, source });
      }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(labels, fc.constantFrom("d", undefined), tiers).map(
      ([label, newLabel, tier]) =>
        ({ admin }: Memory) =>
          admin.move(label, { newLabel, tier }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("agent", "person").map(
      (actor) =>
        ({ admin }: Memory) =>
          admin.undo({ actor }),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(labels, contents, tiers, fc.option(labels, { nil: undefined })).map(
      ([label, content, tier, supersedes]) =>
        ({ manager }: Memory) =>
          manager.write({ label, content, tier, supersedes }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(labels, contents, fc.option(labels, { nil: undefined })).map(
      ([label, content, supersedes]) =>
        ({ admin }: Memory) =>
          admin.write({ label, content, supersedes }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(labels, fc.constantFrom(...PERMISSIONS)).map(
      ([label, permission]) =>
        ({ admin }: Memory) =>
          admin.setPermission(label, permission),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat(4).map(
      (nth) =>
        async ({ admin }: Memory) =>
          admin.approve((await admin.pending())[nth]?.id ?? "none"),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(4).map(
      (nth) =>
        async ({ admin }: Memory) =>
          admin.reject((await admin.pending())[nth]?.id ?? "none", "no"),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 15 }).map(
      (seq) =>
        ({ admin }: Memory) =>
          admin.undo(seq),
    ),
  },
);

test("the blocks are what their events amount to, at every moment of any history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 14 }), async (acts) => {
      const memory = await open();
      const moments = new Map<number, unknown>();
      for (const perform of acts) {
        await perform(memory);
        const { blocks, events } = await memory.admin.export();
        moments.set(events.length, blocks);
      }
      const { events } = await memory.admin.export();
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(await memory.admin.verify()).toMatchObject({ ok: true });
      for (const [length, blocks] of moments) {
        expect(await memory.admin.at({ seq: length })).toEqual(blocks);
        expect(replayEvents(events.slice(0, length))).toEqual(blocks);
      }
    }),
    { numRuns: 60 },
  );
});

test("undoing what was undone gives the text back, in any history", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      async (acts, seq) => {
        const memory = await open();
        for (const perform of acts) await perform(memory);
        const state = async () => {
          const { blocks } = await memory.admin.export();
          return blocks.map(({ id, label, tier, content, permission, supersedes }) =>
            JSON.stringify([id, label, tier, content, permission, supersedes]),
          );
        };
        const before = await state();
        const undone = await memory.admin.undo(seq);
        if (undone.outcome !== "undone") return;
        expect(undone.events).toHaveLength(1);
        expect(await memory.admin.undo(undone.events.map((event) => event.seq))).toMatchObject({ outcome: "undone" });
        expect(await state()).toEqual(before);
      },
    ),
    { numRuns: 60 },
  );
});

test("replayEvents() refuses a history with a gap or a false text", async () => {
  const { manager, admin } = await open();
  for (const text of ["one", "two", "three"]) await manager.write({ label: "a", content: text });
  const { events } = await admin.export();
  expect(replayEvents(events)).toMatchObject([{ content: "three", version: 3 }]);
  expect(() => replayEvents(events.filter(({ seq }) => seq !== 2))).toThrow(/event 3 does not follow/);
  const swaps = await open();
  await swaps.manager.write({ label: "a", content: "one" });
  for (const permission of ["readonly", "readwrite", "append"] as const)
    await swaps.admin.setPermission("a", permission);
  const { events: swapped } = await swaps.admin.export();
  expect(() => replayEvents(swapped.filter(({ seq }) => seq !== 2 && seq !== 3))).toThrow(/event 4 does not follow/);
  expect(() => replayEvents(events.map((event) => (event.seq === 1 ? { ...event, after: "other" } : event)))).toThrow(
    /event 2/,
  );
});
