import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../src/database/database.ts";
import { toJsonLines } from "../src/history/json-lines.ts";
import type { Memory } from "../src/memory/open-memory.ts";
import { engines, openOn } from "./engines.ts";

describe.each(engines)("$name", (engine) => {
  let sql: Database;
  beforeAll(async () => {
    sql = await engine.open();
  });
  afterAll(() => sql.close());

  const open = (): Promise<Memory> => openOn(sql, { owner: randomUUID() });
  const first = async ({ manager }: Memory, question: string) => (await manager.search(question))[0]?.label;

  test("read() puts the fact first that is true since the latest time, whenever it was written", async () => {
    const memory = await open();
    const { manager } = memory;
    await manager.write({ label: "now", content: "Standup moved to 10:15, still in room Oslo" });
    await manager.write({
      label: "then",
      content: "The daily standup is at 9:30 in room Oslo",
      validFrom: "2024-05-01",
    });
    expect(await first(memory, "When is the daily standup?")).toBe("now");
    const [, then] = await manager.search("When is the daily standup?");
    expect(then).toMatchObject({ label: "then", validFrom: "2024-05-01T00:00:00.000Z" });
    await memory.close();
  });

  test("read() puts what is true before what is not yet", async () => {
    const memory = await open();
    const { manager } = memory;
    await manager.write({ label: "price", content: "The premium plan costs 29 dollars a month" });
    await manager.write({
      label: "price/next",
      content: "The premium plan costs 35 dollars a month from January on",
      validFrom: "2999-01-01",
    });
    expect(await first(memory, "What does the premium plan cost a month?")).toBe("price");
    await memory.close();
  });

  test("validFrom is a part of a block's state: hashed, undone, exported and imported", async () => {
    const memory = await open();
    const { manager, admin } = memory;
    await manager.write({ label: "rate", content: "one", validFrom: "2024-01-31" });
    await manager.write({ label: "rate", content: "one", validFrom: "2024-02-01T12:00:00+02:00" });
    expect(await manager.get("rate")).toMatchObject({ version: 2, validFrom: "2024-02-01T10:00:00.000Z" });
    await manager.write({ label: "rate", content: "two" });
    expect(await manager.get("rate")).not.toHaveProperty("validFrom");
    await admin.undo(3);
    expect(await manager.get("rate")).toMatchObject({ content: "one", validFrom: "2024-02-01T10:00:00.000Z" });
    await admin.undo(2);
    expect(await manager.get("rate")).toMatchObject({ content: "one", validFrom: "2024-01-31T00:00:00.000Z" });
    expect(await admin.verify()).toMatchObject({ ok: true });
    const [copy, other] = [await open(), await open()];
    await copy.admin.import(toJsonLines(await admin.export()), { restore: true });
    expect(await copy.admin.verify()).toMatchObject({ ok: true });
    await other.admin.import(toJsonLines(await admin.export()));
    for (const one of [copy, other])
      expect(await one.manager.get("rate")).toMatchObject({ validFrom: "2024-01-31T00:00:00.000Z" });
    for (const one of [memory, copy, other]) await one.close();
  });

  test("an edit, an addition and a move leave validFrom as it is", async () => {
    const memory = await open();
    const { manager } = memory;
    await manager.write({ label: "log", content: "one", tier: "archival", validFrom: "2024-01-31" });
    await manager.write({ label: "log", content: "two" });
    await manager.write({ label: "note", content: "one", validFrom: "2024-01-31" });
    await manager.edit({ label: "note", offset: 0, before: "one", after: "two" });
    await manager.move({ label: "note", newLabel: "moved" });
    for (const label of ["log", "moved"])
      expect(await manager.get(label)).toMatchObject({ validFrom: "2024-01-31T00:00:00.000Z" });
    await memory.close();
  });

  test("a time is proposed where a text is, and the person sees it", async () => {
    const memory = await open();
    const { manager, admin } = memory;
    await admin.write({ label: "bank", content: "DE-1", permission: "familiar" });
    await admin.write({ label: "log", content: "one", tier: "archival" });
    const asked = [
      await manager.write({ label: "bank", content: "DE-2", validFrom: "2024-01-31" }),
      await manager.write({ label: "bank", content: "DE-1", validFrom: "2030-01-31" }),
    ];
    for (const result of asked) expect(result).toMatchObject({ outcome: "queued" });
    const [queued] = await admin.pending();
    expect(queued).toMatchObject({ validFrom: "2024-01-31T00:00:00.000Z" });
    expect(queued?.diff).toContain("valid from 2024-01-31T00:00:00.000Z");
    await admin.approve(queued?.id ?? "");
    expect(await manager.get("bank")).toMatchObject({ content: "DE-2", validFrom: "2024-01-31T00:00:00.000Z" });
    await memory.close();
  });

  test("a page does not date what a person wrote, and no time is one", async () => {
    const memory = await open();
    const { manager, admin } = memory;
    await admin.write({ label: "city", content: "Paris", permission: "readwrite" });
    const dated = { label: "city", content: "Paris", validFrom: "1999-01-01", source: "web" } as const;
    expect(await manager.write(dated)).toMatchObject({ outcome: "queued" });
    expect(await manager.get("city")).not.toHaveProperty("validFrom");
    for (const validFrom of ["", "soon", "+275000-01-01", "2024-13-01"])
      expect(await manager.write({ label: "x", content: "y", validFrom })).toMatchObject({ code: "invalid_value" });
    await memory.close();
  });
});
