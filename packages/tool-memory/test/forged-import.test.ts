import { describe, expect, test } from "vitest";
import type { MemoryExport } from "../src/block/memory-admin.ts";
import type { MemoryEvent } from "../src/block/memory-event.ts";
import { toJsonLines } from "../src/history/json-lines.ts";
import { hashBody, hashLink } from "../src/rows/event-rows.ts";
import { engines } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

/** An export as somebody would forge it: every hash is right. */
function rehash(exported: MemoryExport): MemoryExport {
  let previousHash = "";
  const events = exported.events.map((event): MemoryEvent => {
    const bodyHash = hashBody(event);
    const hash = hashLink(previousHash, bodyHash);
    const linked = { ...event, bodyHash, previousHash, hash };
    previousHash = hash;
    return linked;
  });
  return { ...exported, events };
}

/** Exchanges a text in every part of an export. */
const replace =
  (find: string | RegExp, by: string) =>
  (exported: MemoryExport): MemoryExport =>
    JSON.parse(JSON.stringify(exported).replaceAll(find, by)) as MemoryExport;

describe.each(engines)("$name", (engine) => {
  const { open } = useEngine(engine);

  async function filled(): Promise<MemoryExport> {
    const { manager, admin } = await open();
    await manager.write({ label: "old", content: "tea" });
    await manager.write({ label: "new", content: "coffee", supersedes: "old" });
    await manager.write({ label: "persona", content: "I am Ada", tier: "core" });
    return admin.export();
  }

  const forgeries: readonly (readonly [name: string, forge: (exported: MemoryExport, id: string) => MemoryExport])[] = [
    ["an id that two could be", (exported, id) => replace(id, `${id.slice(0, 4)} ${id.slice(5)}`)(exported)],
    ["an id that is empty", (exported, id) => replace(id, "")(exported)],
    ["a version beyond all counting", (exported) => replace(/"version":1\b/gu, '"version":9007199254740991')(exported)],
    [
      "a proposal that waits twice",
      (exported) => ({
        ...exported,
        mutations: exported.mutations.flatMap((one) => [one, { ...one, id: `${one.id}-2` }]),
      }),
    ],
    [
      "a proposal for a version beyond all counting",
      (exported) => ({ ...exported, mutations: exported.mutations.map((one) => ({ ...one, baseVersion: 2 ** 40 })) }),
    ],
    [
      "a block that supersedes itself",
      (exported, id) => replace(/"supersedes":\["[^"]*"\]/gu, `"supersedes":["${id}","${id}"]`)(exported),
    ],
    ["a time before all times", (exported) => replace(/"(?:at|updatedAt)":"2/gu, '"at":"0')(exported)],
    ["labels that look like others", (exported) => replace('"label":"new"', '"label":"реrsona"')(exported)],
  ];

  test.each(forgeries)(
    "import({ restore }) of %s is refused, or gives a memory that is whole",
    async (_name, forge) => {
      const exported = await filled();
      const id = exported.blocks.find(({ label }) => label === "old")?.id ?? "";
      const lines = [...toJsonLines(rehash(forge(exported, id)))];
      for (const restore of [true, false]) {
        const { manager, admin, renderCore } = await open();
        const result = await admin.import(lines, { restore });
        expect(["imported", "refused"]).toContain(result.outcome);
        expect(await admin.verify()).toMatchObject({ ok: true });
        if (result.outcome === "refused") expect((await admin.export()).blocks).toEqual([]);
        await manager.search("tea or coffee");
        await manager.write({ label: "later", content: "green" });
        await admin.pending();
        expect((await renderCore()).text).not.toContain("Ada");
        expect(await admin.verify()).toMatchObject({ ok: true });
      }
    },
  );
});
