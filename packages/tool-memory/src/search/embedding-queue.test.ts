import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { engines, isServer, openOn } from "../../test/engines.ts";
import { useEngine } from "../../test/use-engine.ts";
import type { Database, Query } from "../database/database.ts";
import { indexSpace, findSchema } from "../postgres/vector-store.ts";
import type { Embedder } from "./embedder.ts";
import { selectEmbeddingSpaces } from "./embedding-space.ts";

/** The words that the numbers of a vector count. */
const themes = [/car|automobile|vehicle/i, /dog|puppy|hound/i, /rain|storm|weather/i];

/** An embedder that knows synonyms of three themes. It can be held up and can be down. */
class ThemeEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly floor = 0.1;
  readonly texts: string[] = [];
  gate: Promise<void> = Promise.resolve();
  down = false;

  constructor(dimensions = 4, id: string = randomUUID()) {
    this.id = id;
    this.dimensions = dimensions;
  }

  async embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
    await this.gate;
    if (this.down) throw new Error("down");
    this.texts.push(...texts);
    return texts.map((text) =>
      Array.from({ length: this.dimensions }, (_, at) => (themes[at]?.test(text) === true ? 1 : at === 3 ? 0.1 : 0)),
    );
  }
}

/** A database that reports each statement and each transaction. */
function toSpied(
  database: Database,
  tell: (text: string, params?: readonly (string | number | null)[]) => void,
): Database {
  const toQuery = (inner: Query): Query => ({
    ...inner,
    query: (text, params) => {
      tell(text, params);
      return inner.query(text, params);
    },
  });
  return {
    ...database,
    ...toQuery(database),
    search: (owner, search) => {
      tell("search");
      return database.search(owner, search);
    },
    transaction: (work) => {
      tell("transaction");
      return database.transaction((tx) => work(toQuery(tx)));
    },
    close: async () => undefined,
  };
}

describe.each(engines)("$name", (engine) => {
  const { database, open } = useEngine(engine);
  const hasVectors = async () => (await database().openVectors()) !== undefined;
  const garage = [
    ["vehicle", "Drives an old automobile"],
    ["pet", "Has a hound"],
    ["sky", "It will storm tomorrow"],
  ] as const;
  const openGarage = async (embedder: Embedder, owner: string = randomUUID()) => {
    const memory = await open({ embedder, owner });
    for (const [label, content] of garage) await memory.manager.write({ label, content });
    return memory;
  };

  /** Gives an owner's space an index, however few vectors it has. Resolves to its number. */
  const index = async (owner: string, { dimensions }: Embedder): Promise<number> => {
    const { active } = await selectEmbeddingSpaces(database(), owner);
    const space = { id: active ?? 0, dimensions };
    await indexSpace(database(), (await findSchema(database())) ?? "", owner, space, 1);
    return space.id;
  };

  test("search() finds by vectors what no word of the query is in, and explains it", async () => {
    const { manager, settled } = await openGarage(new ThemeEmbedder());
    await settled();
    const hits = await manager.search("puppy");
    if (!(await hasVectors())) {
      expect([...hits]).toEqual([]);
      return;
    }
    expect(hits.map(({ label }) => label)).toEqual(["pet"]);
    expect(hits[0]?.explain).toMatchObject({
      lexical: 0,
      dense: expect.closeTo(1, 1),
      weights: { lexical: 0.5, dense: 0.5 },
    });
    expect(hits.degraded).toBeUndefined();
  });

  test("search() goes by words and says so while the embedder is down; writes go on; all is made up for later", async () => {
    const embedder = new ThemeEmbedder();
    embedder.down = true;
    const owner = randomUUID();
    const { manager, settled, close } = await openGarage(embedder, owner);
    await settled();
    const hits = await manager.search("automobile");
    expect(hits.map(({ label }) => label)).toEqual(["vehicle"]);
    if (!(await hasVectors())) {
      expect(hits[0]?.explain?.missing).toContain("no pgvector");
      return;
    }
    expect(hits.degraded).toBe("the embedder did not answer");
    expect(hits[0]?.explain).toMatchObject({
      dense: null,
      missing: "the embedder did not answer",
      weights: { lexical: 1, dense: 0 },
    });
    expect((await manager.search("puppy")).degraded).toBe("the embedder did not answer");
    await close();
    embedder.down = false;
    const again = await open({ embedder, owner });
    await again.settled();
    expect((await again.manager.search("puppy")).map(({ label }) => label)).toEqual(["pet"]);
  });

  test("a new embedder takes over when all its vectors are made; until then the one before serves, or words do", async () => {
    if (!(await hasVectors())) return;
    const owner = randomUUID();
    const [before, after] = [new ThemeEmbedder(4), new ThemeEmbedder(7)];
    const first = await openGarage(before, owner);
    await first.settled();
    await first.close();
    let openGate = (): void => undefined;
    after.gate = new Promise((resolve) => (openGate = resolve));
    const alone = await open({ embedder: after, owner });
    const both = await open({ embedder: after, previousEmbedder: before, owner });
    expect((await alone.manager.search("automobile")).degraded).toContain("still being made");
    expect((await both.manager.search("puppy")).map(({ label }) => label)).toEqual(["pet"]);
    const spaces = await selectEmbeddingSpaces(database(), owner);
    expect(spaces.building).not.toBeNull();
    openGate();
    await Promise.all([alone.settled(), both.settled()]);
    await both.settled();
    expect(await selectEmbeddingSpaces(database(), owner)).toEqual({ active: spaces.building, building: null });
    for (const { manager } of [alone, both]) {
      const hits = await manager.search("puppy");
      expect([hits.map(({ label }) => label), hits.degraded]).toEqual([["pet"], undefined]);
    }
    expect(after.texts.filter((text) => text !== "puppy").length).toBe(garage.length);
  });

  test("several memories of one owner share the work", async () => {
    if (!(await hasVectors())) return;
    const owner = randomUUID();
    const embedder = new ThemeEmbedder();
    const batchOf8 = Object.assign(embedder, { batch: 8 });
    const plain = await open({ embedder: "none", owner });
    for (let n = 0; n < 60; n++)
      await plain.manager.write({ label: `${themes.length} cars ${n}`, content: `car ${n}` });
    const memories = await Promise.all([1, 2, 3].map(() => open({ embedder: batchOf8, owner })));
    for (let n = 0; n < 2; n++) await Promise.all(memories.map(({ settled }) => settled()));
    expect(embedder.texts.length).toBe(60);
    expect(new Set(embedder.texts).size).toBe(60);
  });

  test("vectors of many passages are stored a few at a time, so that searches come in between", async () => {
    if (!(await hasVectors())) return;
    const owner = randomUUID();
    const { admin } = await open({ embedder: "none", owner });
    await Promise.all(Array.from({ length: 70 }, (_, n) => admin.write({ label: `n${n}`, content: `car ${n}` })));
    const stored: number[] = [];
    const spied = toSpied(database(), (text, params) => {
      if (text.includes("INSERT INTO dispatch_memory.embedding (")) stored.push(JSON.parse(String(params?.[2])).length);
    });
    const memory = await openOn(spied, { owner, embedder: Object.assign(new ThemeEmbedder(), { batch: 256 }) });
    await memory.settled();
    await memory.close();
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(70);
    expect(Math.max(...stored)).toBeLessThanOrEqual(32);
  });

  test("search() asks for the searched space, then searches, and opens no transaction, with an index too", async () => {
    if (!(await hasVectors())) return;
    const owner = randomUUID();
    const embedder = new ThemeEmbedder();
    const { settled } = await openGarage(embedder, owner);
    await settled();
    if (isServer(engine)) await index(owner, embedder);
    const asked: string[] = [];
    const spied = toSpied(database(), (text) => asked.push(text));
    const memory = await openOn(spied, { owner, embedder });
    await memory.settled();
    asked.length = 0;
    await memory.manager.search("automobile");
    expect(asked).toStrictEqual([expect.stringContaining("SELECT"), "search"]);
    await memory.close();
  });

  test("an edit while a text is embedded leaves no vector behind that is not its own", async () => {
    if (!(await hasVectors())) return;
    const embedder = new ThemeEmbedder();
    let openGate = (): void => undefined;
    embedder.gate = new Promise((resolve) => (openGate = resolve));
    const owner = randomUUID();
    const { manager, settled } = await open({ embedder, owner });
    await manager.write({ label: "note", content: "car" });
    const making = settled();
    await manager.write({ label: "note", content: "dog" });
    openGate();
    await making;
    await settled();
    expect((await manager.search("automobile")).length).toBe(0);
    expect((await manager.search("hound")).map(({ label }) => label)).toEqual(["note"]);
    const rows = await database().query("SELECT 1 AS one FROM dispatch_memory.embedding WHERE owner = $1", [owner]);
    expect(rows).toHaveLength(1);
  });

  test("search() finds the same with an index for nearest neighbours, whatever else shares it", async ({ skip }) => {
    skip(!isServer(engine), "only a server has such an index");
    if (!(await hasVectors())) return;
    const embedder = new ThemeEmbedder();
    const others = await openGarage(embedder);
    for (let n = 0; n < 30; n++) await others.manager.write({ label: `dogs/a${n}b`, content: `dog number ${n}` });
    const owner = randomUUID();
    const { manager, settled } = await openGarage(embedder, owner);
    await settled();
    await others.settled();
    const exact = await manager.search("puppy weather");
    const active = await index(owner, embedder);
    expect(
      await database().query("SELECT 1 AS one FROM pg_catalog.pg_indexes WHERE indexname = $1", [
        `embedding_hnsw_${active}`,
      ]),
    ).toHaveLength(1);
    expect(await manager.search("puppy weather")).toEqual(exact);
    expect(new Set(exact.map(({ label }) => label))).toEqual(new Set(["pet", "sky"]));
    const [left] = await database().query("SELECT current_setting('hnsw.iterative_scan', true) AS scan");
    expect(left).not.toEqual({ scan: "relaxed_order" });
  });

  test("a search by words alone, as the host wants it, is nothing to mention", async () => {
    const { manager } = await open({ embedder: "none" });
    await manager.write({ label: "a", content: "tea" });
    const hits = await manager.search("tea");
    expect([hits[0]?.explain?.missing, hits.degraded]).toEqual(["the memory has no embedder", undefined]);
  });
});
