import { createToolRegistry } from "@dispatch/tools-interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStoreOn, type MemoryStore } from "../src/memory/open-memory.ts";
import { createMemoryFilesTool } from "../src/tools/memory-files-tool.ts";
import { engines, withoutClose } from "./engines.ts";
import { useStore } from "./use-engine.ts";

for (const engine of engines)
  describe(`shared scopes on ${engine.name}`, () => {
    const { database, store } = useStore(engine);

    test("the files tool shows, moves and deletes the owner's own files only", async () => {
      const [team, ann] = [store().owner("files team"), store().owner("files ann")];
      for (const name of ["a", "b"]) await team.admin.write({ label: `plans/${name}`, content: `team's ${name}` });
      await ann.manager.write({ label: "plans/a", content: "Ann's own" });
      const registry = createToolRegistry().register([createMemoryFilesTool(store())]);
      const context = { memoryOwner: "files ann", memoryReadScopes: ["files team"] };
      const call = async (params: object): Promise<string> =>
        String(await registry.dispatch({ name: "memory", arguments: params }, { context }));

      const listed = await call({ command: "view", path: "/memories" });
      expect(listed).toContain("/memories/plans/a");
      expect(listed).not.toContain("/memories/plans/b");
      const renamed = await call({ command: "rename", old_path: "/memories/plans", new_path: "/memories/old" });
      expect(renamed).toBe("Successfully renamed /memories/plans to /memories/old");
      expect((await ann.manager.list()).map(({ label }) => label)).toEqual(["old/a"]);
      // A label of the team is free for Ann, also as a directory or a file above one.
      expect(await call({ command: "create", path: "/memories/plans", file_text: "mine" })).toContain("successfully");
      expect(await call({ command: "delete", path: "/memories/plans/b" })).toContain("does not exist");
      expect(await call({ command: "delete", path: "/memories/old" })).toContain("Successfully deleted");
      expect((await team.manager.list()).map(({ label }) => label).toSorted()).toEqual(["plans/a", "plans/b"]);
    });

    test("the block whose label is the query comes first, the owner's own before a shared one", async () => {
      const [team, ann] = [store().owner("named team"), store().owner("named ann", { readScopes: ["named team"] })];
      await ann.manager.write({ label: "plan", content: "Nothing decided. ".repeat(60) });
      for (let n = 0; n < 5; n++) await team.admin.write({ label: `t${n}`, content: `plan plan plan ${n}` });
      for (let n = 0; n < 20; n++) await team.admin.write({ label: `o${n}`, content: `something else ${n}` });
      const read = async (limit: number): Promise<unknown> =>
        (await ann.manager.search("plan", { limit })).slice(0, 2).map(({ label, scope }) => [label, scope]);
      expect(await read(1)).toEqual([["plan", undefined]]);
      await team.admin.write({ label: "Plan", content: "The team meets on Friday" });
      expect(await read(5)).toEqual([
        ["plan", undefined],
        ["Plan", "named team"],
      ]);
    });

    describe("with an embedder", () => {
      const asked: string[] = [];
      let vectors: MemoryStore | undefined;
      beforeAll(async () => {
        vectors = await createStoreOn(withoutClose(database()), {
          embedder: {
            id: "counts its queries",
            dimensions: 2,
            embed: async (texts) => {
              asked.push(...texts);
              return texts.map((text) => [text.length, 1]);
            },
          },
        });
      });
      afterAll(() => vectors?.close());

      test("a query is embedded once, whatever the number of scopes", async () => {
        const readScopes = Array.from({ length: 16 }, (_, n) => `many ${n}`);
        const owners = [...readScopes, "many"].map((id) => vectors?.owner(id, { readScopes }));
        for (const owner of owners) {
          await owner?.manager.write({ label: "note", content: "green tea" });
          await owner?.settled();
        }
        asked.length = 0;
        const hits = (await owners.at(-1)?.manager.search("which tea", { limit: 50 })) ?? [];
        expect(hits).toHaveLength(17);
        expect(asked.filter((text) => text === "which tea").length).toBeLessThanOrEqual(1);
      });
    });
  });
