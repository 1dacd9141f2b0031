import { beforeAll, describe, expect, test } from "vitest";
import { engines } from "../../test/engines.ts";
import { useEngine } from "../../test/use-engine.ts";
import type { Memory } from "../memory/open-memory.ts";

const corpus: readonly (readonly [label: string, content: string])[] = [
  ["user/drinks", "Prefers green tea in the morning and never drinks coffee after noon."],
  ["user/pets", "Has two dogs, Rex and Bella, and is allergic to cats."],
  ["project/build", "The build runs on pnpm; vitest is the test runner. The project deploys on Fridays."],
  ["project/database", "The project keeps its data in PostgreSQL 15. Migrations are numbered files in the project."],
  ["project/people", "Maria leads the project, Jonas reviews the project's pull requests."],
  ["meeting 2026-03-02", "Talked about the project budget: 40,000 euros, decided by Maria."],
  ["日本語", "彼女は東京に住んでいます。"],
  ["code", "const retryLimit = maxAttempts * 2; // see parseLooseHeader"],
];
describe.each(engines)("$name", (engine) => {
  const { open } = useEngine(engine);
  let memory: Memory;

  beforeAll(async () => {
    memory = await open();
    for (const [label, content] of corpus)
      await memory.admin.write({ label, content, tier: label.startsWith("project") ? "archival" : "working" });
  });

  const labels = async (...query: Parameters<Memory["manager"]["search"]>): Promise<readonly string[]> =>
    (await memory.manager.search(...query)).map(({ label }) => label);

  test.each([
    ["what does the user drink?", "user/drinks"],
    ["dog", "user/pets"],
    ["which migrations does the database have", "project/database"],
    ["test runner", "project/build"],
    ["who decided the budget", "meeting 2026-03-02"],
    ["MARIA budget", "meeting 2026-03-02"],
    ["Jonas", "project/people"],
  ])("search() answers %j with %j first", async (query, first) => {
    expect((await labels(query))[0]).toBe(first);
  });

  test("search() weighs a rare word more than a frequent one", async () => {
    expect((await labels("project vitest"))[0]).toBe("project/build");
    expect((await labels("project Bella"))[0]).toBe("user/pets");
  });

  test("search() finds blocks that hold any of the words, best first, with falling scores", async () => {
    const hits = await memory.manager.search("tea dogs Rex", { limit: 50 });
    expect(new Set(hits.map(({ label }) => label))).toEqual(new Set(["user/drinks", "user/pets"]));
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  test("search() puts the block first whose label is the query, and finds words of labels", async () => {
    expect((await labels("code"))[0]).toBe("code");
    expect((await labels("Project/People"))[0]).toBe("project/people");
    expect(await labels("pets")).toContain("user/pets");
  });

  test("search() finds a block by its label even if that is no word to search for", async () => {
    const { manager } = await open();
    await manager.write({ label: "the/a", content: "zebra" });
    await manager.write({ label: "other", content: "see the/a for more" });
    expect((await manager.search("The/A")).map(({ label }) => label)).toEqual(["the/a", "other"]);
  });

  test("search() scores a memory alike whatever else the database holds", async () => {
    const scores = async (): Promise<readonly number[]> => {
      const { manager } = await open();
      for (const [label, content] of [
        ["d1", "papaya"],
        ["d2", "papaya mango"],
        ["d3", "mango"],
      ] as const)
        await manager.write({ label, content });
      return (await manager.search("papaya")).map(({ score }) => score);
    };
    expect(await scores()).toEqual(await scores());
  });

  test("search() finds parts of words and scripts without spaces when no word matches", async () => {
    expect(await labels("東京")).toEqual(["日本語"]);
    expect(await labels("LooseHead")).toEqual(["code"]);
  });

  test("search() narrows to a tier and to a limit", async () => {
    expect(await labels("project Maria", { tier: "working" })).toEqual(["meeting 2026-03-02"]);
    expect(await labels("project", { limit: 2 })).toHaveLength(2);
    expect(await labels("project", { limit: 0 })).toHaveLength(1);
  });

  test.each(["", "   ", "the of and", "zzzz", "''", "\\", "%", "&|!()", "\0", "\ud800", "a:*", "<->"])(
    "search() finds nothing, and fails at nothing, with %j",
    async (query) => {
      expect(await labels(query)).toEqual([]);
    },
  );

  test("search() searches for the first part of a query beyond the limit, and says so", async () => {
    const hits = await memory.manager.search(`Jonas ${"and so on ".repeat(100)} dogs`);
    expect(hits[0]?.label).toBe("project/people");
    expect(hits.searched).toMatch(/^Jonas [a-z ]+$/u);
    expect(hits.searched?.length).toBeLessThanOrEqual(1_000);
    expect((await memory.manager.search("Jonas")).searched).toBeUndefined();
    expect([...(await memory.manager.search("\u{1F600}".repeat(1_000)))]).toEqual([]);
  });

  test("search() explains a score by BM25 of the block and of its passage, to the digit", async () => {
    const { manager } = await open();
    for (const [label, content] of [
      ["da", "apple banana"],
      ["db", "apple apple cherry plum"],
      ["dc", "grape"],
    ] as const)
      await manager.write({ label, content });
    // Lengths count the label's word: 3, 5 and 2; "apple" is in 2 of 3 blocks.
    const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    const part = (tf: number, length: number, b: number): number =>
      (idf * tf * 2.2) / (tf + 1.2 * (1 - b + (b * length) / (10 / 3)));
    const bm25 = (tf: number, length: number): number => 0.7 * part(tf, length, 1) + 0.3 * part(tf, length, 0.75);
    const hits = await manager.search("apples");
    expect(Object.fromEntries(hits.map(({ label, explain }) => [label, explain?.lexical]))).toEqual({
      db: expect.closeTo(bm25(2, 5), 3),
      da: expect.closeTo(bm25(1, 3), 3),
    });
  });

  test("search() finds a rare word among more blocks than it scores", async () => {
    const { manager, admin } = await open();
    const rare = ["zebra", "walrus", "ocelot"];
    for (let n = 0; n < 120; n++) await admin.write({ label: `n${n}`, content: `common words, common number ${n}` });
    for (const word of rare) await admin.write({ label: `about ${word}`, content: `common ${word}` });
    for (const word of rare) expect((await manager.search(`common ${word}`))[0]?.label).toBe(`about ${word}`);
  });

  test("search() finds a text as it is now, not as it was", async () => {
    const { manager, admin } = await open();
    await manager.write({ label: "a", content: "walrus" });
    await manager.write({ label: "a", content: "ocelot" });
    expect(await manager.search("walrus")).toEqual([]);
    expect(await manager.search("ocelot")).toMatchObject([{ label: "a", content: "ocelot", version: 2 }]);
    await admin.undo(2);
    expect(await manager.search("walrus")).toHaveLength(1);
  });
});
