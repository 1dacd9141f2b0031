import { describe, expect, test } from "vitest";
import type { Memory } from "../src/memory/open-memory.ts";
import { engines } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

for (const engine of engines)
  describe(`on ${engine.name}`, () => {
    const { database, open } = useEngine(engine);
    const labels = async ({ manager }: Memory) => (await manager.list()).map(({ label }) => label).toSorted();
    const age = (owner: string, key: string, time: string) =>
      database().query("UPDATE dispatch_memory.block SET updated_at = $3 WHERE owner = $1 AND key = $2", [
        owner,
        key,
        time,
      ]);
    const note = { tier: "archival", content: "0123456789" } as const;

    test("a full memory makes room: least trusted first, then oldest, and never a block of a person", async () => {
      const owner = "evict";
      const memory = await open({ owner, limits: { blocks: 5 }, retention: { evict: true } });
      const { manager, admin } = memory;
      await admin.write({ ...note, label: "persons" });
      await manager.write({ label: "working", content: "x" });
      await manager.write({ ...note, label: "old" });
      await manager.write({ ...note, label: "new" });
      await manager.write({ ...note, label: "web", source: "web" });
      await age(owner, "persons", "2001-01-01T00:00:00.000Z");
      await age(owner, "old", "2002-01-01T00:00:00.000Z");
      await manager.write({ ...note, label: "a" });
      expect(await labels(memory)).toEqual(["a", "new", "old", "persons", "working"]);
      await manager.write({ ...note, label: "b" });
      expect(await labels(memory)).toEqual(["a", "b", "new", "persons", "working"]);
      // A page cannot push out what is more trusted than itself.
      expect(await manager.write({ ...note, label: "flood", source: "web" })).toMatchObject({ code: "memory_full" });
      expect(await labels(memory)).toEqual(["a", "b", "new", "persons", "working"]);
      const [{ seq } = { seq: 0 }] = await admin.history("old", { limit: 1 });
      expect(await admin.history("old", { limit: 1 })).toMatchObject([
        { kind: "removed", reason: "Evicted: the memory was full" },
      ]);
      await admin.remove("b");
      expect(await admin.undo(seq)).toMatchObject({ outcome: "undone" });
    });

    test("a write that would not fit even so removes nothing", async () => {
      const memory = await open({ owner: "tight", limits: { totalChars: 30 }, retention: { evict: true } });
      await memory.manager.write({ ...note, label: "a" });
      await memory.admin.write({ ...note, label: "persons" });
      expect(await memory.manager.write({ label: "long", content: "x".repeat(25) })).toMatchObject({
        code: "memory_full",
      });
      expect(await labels(memory)).toEqual(["a", "persons"]);
      expect(await memory.manager.write({ label: "fits", content: "x".repeat(15) })).toMatchObject({
        outcome: "applied",
      });
      expect(await labels(memory)).toEqual(["fits", "persons"]);
    });

    test("writes at once keep to the limit, and none is refused", async () => {
      const memory = await open({ owner: "race", limits: { blocks: 3 }, retention: { evict: true } });
      const written = await Promise.all(
        Array.from({ length: 12 }, (_, n) => memory.manager.write({ ...note, label: `n${n}` })),
      );
      expect(new Set(written.map(({ outcome }) => outcome))).toEqual(new Set(["applied"]));
      expect(await labels(memory)).toHaveLength(3);
      expect(await memory.admin.verify()).toMatchObject({ ok: true });
    });

    test("old notes expire at the agent's next write, but not the one that it writes to", async () => {
      const owner = "expire";
      const memory = await open({ owner, retention: { expireDays: 30 } });
      const { manager, admin } = memory;
      await manager.write({ ...note, label: "stale" });
      await manager.write({ ...note, label: "continued" });
      await manager.write({ ...note, label: "fresh" });
      await manager.write({ label: "working", content: "x" });
      await admin.write({ ...note, label: "persons" });
      await admin.write({ ...note, label: "guarded", permission: "readonly", source: "agent" });
      for (const key of ["stale", "continued", "working", "persons", "guarded"])
        await age(owner, key, "2001-01-01T00:00:00.000Z");
      await admin.write({ label: "by a person", content: "x" });
      expect(await labels(memory)).toContain("stale");
      await manager.write({ ...note, label: "continued" });
      expect(await labels(memory)).toEqual(["by a person", "continued", "fresh", "guarded", "persons", "working"]);
      expect(await admin.history("stale", { limit: 1 })).toMatchObject([
        { reason: "Expired: not changed for 30 days" },
      ]);
      for (const retention of [{ expireDays: 0 }, { expireDays: 1.5 }, { evict: "yes" as never }])
        await expect(open({ retention })).rejects.toMatchObject({ code: "memory_options" });
    });
  });
