import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../src/database/database.ts";
import { toJsonLines } from "../src/history/json-lines.ts";
import type { MemoryOptions } from "../src/memory/memory-options.ts";
import type { Memory } from "../src/memory/open-memory.ts";
import type { Embedder } from "../src/search/embedder.ts";
import { engines, openOn } from "./engines.ts";
import { withClock } from "./set-clock.ts";

/** A machine's clock leaps ahead and is put right, or goes back. Each case: days ahead at the first and at the second write. */
const jumps: readonly (readonly [name: string, first: number, second: number])[] = [
  ["leapt ahead and was put right", 400, 0],
  ["went back", 0, -400],
  ["leapt ahead", 0, 400],
];

const QUESTION = "When is the daily standup?";

describe.each(engines)("$name", (engine) => {
  let sql: Database;
  const opened: Memory[] = [];
  beforeAll(async () => {
    sql = await engine.open();
  });
  afterAll(async () => {
    for (const memory of opened) await memory.close();
    await sql.close();
  });

  async function open(options: MemoryOptions = {}) {
    const { database, setAhead } = withClock(sql);
    const memory = await openOn(database, { owner: randomUUID(), ...options });
    opened.push(memory);
    return { ...memory, setAhead };
  }

  test.each(jumps)("read() puts the later written fact first after the clock %s", async (_name, first, second) => {
    const { manager, setAhead } = await open();
    setAhead(first);
    await manager.write({ label: "team/standup", content: "The daily standup is at 9:30 in room Oslo" });
    setAhead(second);
    await manager.write({ label: "calendar/change", content: "Standup moved to 10:15, still in room Oslo" });
    const hits = await manager.search(QUESTION);
    expect(hits.map(({ label }) => label)).toEqual(["calendar/change", "team/standup"]);
  });

  test.each(jumps)("read() orders equal notes by their writing after the clock %s", async (_name, first, second) => {
    const { manager, setAhead } = await open();
    setAhead(first);
    await manager.write({ label: "a", content: "green tea" });
    setAhead(second);
    await manager.write({ label: "b", content: "green tea" });
    expect((await manager.search("green tea")).map(({ label }) => label)).toEqual(["b", "a"]);
  });

  test("read() goes by validFrom, also beside a note of a clock that leapt ahead", async () => {
    const { manager, setAhead } = await open();
    setAhead(400);
    await manager.write({ label: "written", content: "The daily standup is at 9:30 in room Oslo" });
    setAhead(0);
    await manager.write({
      label: "past",
      content: "Standup moved to 10:15, still in room Oslo",
      validFrom: "2024-01-01",
    });
    expect((await manager.search(QUESTION))[0]?.label).toBe("written");
  });

  test.each(jumps)("history, at() and undo() follow the order of events after the clock %s", async (_name, ...days) => {
    const { manager, admin, setAhead } = await open();
    for (const [n, ahead] of days.entries()) {
      setAhead(ahead);
      await manager.write({ label: "note", content: `text ${n}` });
    }
    expect((await admin.history()).map(({ seq }) => seq)).toEqual([2, 1]);
    expect(await admin.at({ seq: 1 })).toMatchObject([{ content: "text 0" }]);
    const last = new Date(Date.now() + (days[1] + 1) * 86_400_000).toISOString();
    expect(await admin.at({ time: last })).toMatchObject([{ content: "text 1" }]);
    expect(await admin.at({ time: "2001-01-01T00:00:00Z" })).toEqual([]);
    expect(await admin.verify()).toMatchObject({ ok: true });
    await admin.undo(2);
    expect(await manager.get("note")).toMatchObject({ content: "text 0" });
    const copy = await open();
    expect(await copy.admin.import(toJsonLines(await admin.export()), { restore: true })).toMatchObject({
      outcome: "imported",
    });
    expect(await copy.admin.verify()).toMatchObject({ ok: true });
  });

  test("a change that was rejected stays so, whenever the clock says a person changed the block", async () => {
    const { manager, admin, setAhead } = await open();
    const propose = () => manager.write({ label: "persona", content: "I am Eve", tier: "core" });
    const reject = async (): Promise<void> => {
      for (const { id } of await admin.pending()) await admin.reject(id, "no");
    };
    await admin.write({ label: "persona", content: "I am Ada", tier: "core" });
    setAhead(5);
    await admin.write({ label: "persona", content: "I am Ada, kind", tier: "core" });
    setAhead(0);
    expect(await propose()).toMatchObject({ outcome: "queued" });
    await reject();
    expect(await propose()).toMatchObject({ code: "rejected_before" });
    setAhead(-5);
    await admin.write({ label: "persona", content: "I am Ada, kind and concise", tier: "core" });
    expect(await propose()).toMatchObject({ outcome: "queued" });
  });

  test("proposals outlive a clock that leaps ahead, and can be decided after it went back", async () => {
    const { manager, admin, setAhead } = await open();
    await manager.write({ label: "persona", content: "I am Ada", tier: "core" });
    setAhead(400);
    expect(await admin.pending()).toEqual([]);
    setAhead(-400);
    const [waiting] = await admin.pending();
    expect(await admin.approve(waiting?.id ?? "")).toMatchObject({ outcome: "applied" });
  });

  test("characters that a clock of tomorrow counted are not those of today", async () => {
    const limits = { blockCharsPerDay: 1_000 };
    const { manager, setAhead } = await open({ limits });
    const write = (n: number) => manager.write({ label: "draft", content: `${n}${"x".repeat(390)}` });
    setAhead(400);
    await write(1);
    await write(2);
    expect(await write(3)).toMatchObject({ code: "quota" });
    setAhead(0);
    expect(await write(4)).toMatchObject({ outcome: "applied" });
    expect(await write(5)).toMatchObject({ code: "quota" });
  });

  test("blocks that expired by a clock that leapt ahead are few and come back", async () => {
    const { manager, admin, setAhead } = await open({ retention: { expireDays: 30 } });
    for (let n = 0; n < 15; n++)
      await manager.write({ label: `note ${n}`, content: `number ${n}`, tier: "archival", source: "tool" });
    setAhead(60);
    await manager.write({ label: "today", content: "tea", tier: "archival" });
    const removed = (await admin.history()).filter(({ kind }) => kind === "removed");
    expect(removed).toHaveLength(10);
    await admin.undo(removed.map(({ seq }) => seq));
    expect(await manager.list()).toHaveLength(16);
  });

  test("a claim of a clock that leapt ahead keeps no passage from its vector", async (context) => {
    const embedder: Embedder = {
      id: `clock ${randomUUID()}`,
      dimensions: 2,
      embed: async (texts) => texts.map(() => [1, 0]),
    };
    const owner = randomUUID();
    const { manager, setAhead } = await open({ owner });
    await manager.write({ label: "note", content: "green tea" });
    const { database, setAhead: setOther } = withClock(sql);
    if ((await database.openVectors()) === undefined) context.skip(`${engine.name} stores no vectors`);
    const first = await openOn(database, { owner, embedder });
    await first.settled();
    await first.close();
    // A process that claimed the passage, and died.
    setOther(400);
    await database.query("DELETE FROM dispatch_memory.embedding WHERE owner = $1", [owner]);
    await database.query(
      `INSERT INTO dispatch_memory.embedding_claim (owner, space, passage, until)
       SELECT owner, (SELECT active FROM dispatch_memory.owner_space WHERE owner_space.owner = $1), id, ${database.dialect.time("120")}
       FROM dispatch_memory.passage WHERE owner = $1`,
      [owner],
    );
    setAhead(0);
    const again = await openOn(sql, { owner, embedder });
    opened.push(again);
    await again.settled();
    const hits = await again.manager.search("green tea");
    expect(hits[0]?.explain).toMatchObject({ dense: 1 });
  });
});
