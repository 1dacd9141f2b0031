import { createToolRegistry } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import type { SearchOptions } from "../src/block/memory-manager.ts";
import { registerMemoryTools } from "../src/tools/memory-tools.ts";
import { engines } from "./engines.ts";
import { useStore } from "./use-engine.ts";

for (const engine of engines)
  describe(`on ${engine.name}`, () => {
    const { database, store } = useStore(engine);

    test("a search finds only what its filters let through, by words, by label and literally", async () => {
      const { manager, admin } = store().owner("filters");
      await manager.write({ label: "Trip/Oslo", content: "tea in Oslo" });
      await manager.write({ label: "trip/rome", content: "tea in Rome", source: "web" });
      await manager.write({ label: "notes", content: "tea at home", tier: "archival" });
      const [first] = (await admin.history()).toReversed();
      const [last] = await admin.history();
      await database().query(
        "UPDATE dispatch_memory.block SET updated_at = '2020-05-05T05:05:05.000Z' WHERE owner = $1 AND key = $2",
        ["filters", "notes"],
      );
      const found = async (options: SearchOptions, query = "tea"): Promise<readonly string[]> =>
        (await manager.search(query, options)).map(({ label }) => label).toSorted();
      const all = ["Trip/Oslo", "notes", "trip/rome"];
      expect(await found({})).toEqual(all);
      expect(await found({ labelPrefix: "TRIP/" })).toEqual(["Trip/Oslo", "trip/rome"]);
      expect(await found({ labelPrefix: "trip/r" })).toEqual(["trip/rome"]);
      expect(await found({ labelPrefix: "%" })).toEqual([]);
      expect(await found({ labelPrefix: "" })).toEqual(all);
      expect(await found({ source: "web" })).toEqual(["trip/rome"]);
      expect(await found({ source: "agent", tier: "working" })).toEqual(["Trip/Oslo"]);
      expect(await found({ since: "2021" })).toEqual(["Trip/Oslo", "trip/rome"]);
      expect(await found({ before: "2021-01-01" })).toEqual(["notes"]);
      expect(await found({ since: "2020-05-05T05:05:05Z", before: "2020-05-05T05:05:05.001Z" })).toEqual(["notes"]);
      expect(await found({ since: "2020-05-05T07:05:06+02:00", before: "2021" })).toEqual([]);
      expect(await found({ since: first?.at, before: last?.at })).not.toContain("notes");
      // A label and a literal part obey the filters too.
      expect(await found({ source: "web" }, "notes")).toEqual([]);
      expect(await found({ labelPrefix: "trip" }, "notes")).toEqual([]);
      expect(await found({ source: "web" }, "at hom")).not.toContain("notes");
      const times = [
        "yesterday",
        "",
        "+275760-09-13",
        "2020-13-01",
        "-000001-01-01T00:00:00Z",
        "0000-01-01",
        "-1",
        "5",
      ];
      const loose = [
        "2026-02-30",
        "2026-1-1",
        " 2026",
        "1 May 2026",
        "2026-01-01T24:30:00Z",
        "2026-01-01T00:00:00+25:00",
      ];
      for (const bad of [...times, ...loose])
        await expect(manager.search("tea", { since: bad }), bad).rejects.toMatchObject({ code: "memory_query" });
      const wrong = [{ since: 5 }, { before: new Date() }, { labelPrefix: 7 }, { tier: "gone" }, { source: "nobody" }];
      for (const bad of [...wrong, { tier: null }, { labelPrefix: null }, { since: null }])
        await expect(manager.search("tea", bad as never)).rejects.toMatchObject({ code: "memory_query" });
    });

    test("memory_read takes the filters, and says which are none", async () => {
      const memory = store().owner("tool filters");
      const registry = registerMemoryTools(createToolRegistry(), memory);
      await memory.manager.write({ label: "log/a", content: "tea" });
      await memory.manager.write({ label: "b", content: "tea", source: "web" });
      const read = async (params: object) =>
        String(await registry.dispatch("memory_read", { query: "tea", ...params }));
      expect(await read({ label_prefix: "log/" })).not.toContain('"label":"b"');
      expect(await read({ source: "web" })).not.toContain("log/a");
      expect(await read({ since: "2999-01-01" })).toContain("Nothing");
      expect(await read({ since: "soon" })).toContain("allowed is a time such as");
    });

    test("shared scopes are read with the owner's own, marked, and never written", async () => {
      const team = store().owner("team");
      await team.admin.write({ label: "team/wifi", content: "The wifi password is on the fridge" });
      await team.manager.write({ label: "persona", content: "wifi of the team" });
      await store().owner("stranger").manager.write({ label: "wifi", content: "wifi of a stranger" });
      const ann = store().owner("ann", { readScopes: ["team", "nobody", "ann"] });
      await ann.manager.write({ label: "home", content: "The wifi at home is slow" });
      const registry = registerMemoryTools(createToolRegistry(), store());
      const context = { memoryOwner: "ann", memoryReadScopes: ["team"] };

      const hits = await ann.manager.search("wifi password");
      expect(hits.map(({ label, scope }) => [label, scope])).toEqual(
        expect.arrayContaining([
          ["team/wifi", "team"],
          ["home", undefined],
          ["persona", "team"],
        ]),
      );
      expect(hits[0]).toMatchObject({ label: "team/wifi", scope: "team", trust: "high" });
      expect(hits).toHaveLength(3);
      expect(await ann.manager.search("wifi", { limit: 2 })).toHaveLength(2);
      expect((await ann.manager.list()).map(({ label, scope }) => `${scope ?? "own"} ${label}`).toSorted()).toEqual([
        "own home",
        "team persona",
        "team team/wifi",
      ]);
      const text = String(await registry.dispatch("memory_read", { query: "wifi" }, { context }));
      expect(text).toContain('"shared":"team"');
      expect(text).not.toContain("stranger");
      expect(String(await registry.dispatch("memory_list", {}, { context }))).toContain('"shared":"team"');

      // A write under a shared label makes a block of the owner's own.
      await registry.dispatch(
        "memory_write",
        { label: "team/wifi", content: "hacked", supersedes: "persona" },
        { context },
      );
      await ann.manager.edit({ label: "persona", offset: 0, before: "wifi", after: "x" });
      await ann.manager.remove({ label: "persona" });
      await ann.manager.move({ label: "persona", newLabel: "mine" });
      expect(await team.admin.get("team/wifi")).toMatchObject({
        content: "The wifi password is on the fridge",
        version: 1,
      });
      expect(await team.admin.get("persona")).toMatchObject({ content: "wifi of the team", version: 1 });
      expect(await team.admin.history()).toHaveLength(2);
      expect(await team.admin.pending()).toEqual([]);
      const onlyOwn = String(
        await registry.dispatch("memory_read", { query: "fridge" }, { context: { memoryOwner: "ann" } }),
      );
      expect(onlyOwn).not.toContain("fridge is");
      expect(onlyOwn).not.toContain('"shared"');
      for (const readScopes of [Array.from({ length: 17 }, (_, n) => `s${n}`), [""], ["a\0"], "team", [7]])
        expect(() => store().owner("ann", { readScopes: readScopes as string[] })).toThrow("readScopes");
    });
  });
