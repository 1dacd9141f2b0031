import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../src/database/database.ts";
import { engines, openOn } from "./engines.ts";

const notes: Readonly<Record<string, string>> = {
  "team/standup": "The daily standup is at 9:30 in room Oslo",
  "infra/staging": "The staging database runs PostgreSQL 15",
  "people/nadia": "Nadia lives in Hamburg near the harbour",
  "user/vaccine": "The user was vaccinated against tetanus in May",
  "garden/tomatoes": "The tomatoes in the greenhouse are watered at night",
  "trip/kyoto": "In Kyoto we stay at the Sakura Terrace",
  "orders/auth": "Orders are authenticated with an OAuth token",
  "büro/schlüssel": "Der Schlüssel zum Büro liegt beim Pförtner",
  дача: "Ключ от дачи лежит под ковриком",
  "pets/rex": "Rex the dog eats only wet food",
};

const questions: readonly (readonly [question: string, label: string])[] = [
  ["standap", "team/standup"],
  ["when is the standpu?", "team/standup"],
  ["datbase", "infra/staging"],
  ["who lives in Hambrug", "people/nadia"],
  ["vacination", "user/vaccine"],
  ["tomatos in the greenhose", "garden/tomatoes"],
  ["hotel in Kiyoto", "trip/kyoto"],
  ["autentication of orders", "orders/auth"],
  ["Schlüsel", "büro/schlüssel"],
  ["коврикомм", "дача"],
];

describe.each(engines)("$name", (engine) => {
  let sql: Database;
  beforeAll(async () => {
    sql = await engine.open();
  });
  afterAll(() => sql.close());

  const open = async (texts: Readonly<Record<string, string>>) => {
    const memory = await openOn(sql, { owner: randomUUID() });
    for (const [label, content] of Object.entries(texts)) await memory.manager.write({ label, content });
    return memory;
  };

  test("read() finds notes by misspelt words", async () => {
    const { manager, close } = await open(notes);
    for (const [question, label] of questions)
      expect((await manager.search(question, { limit: 1 }))[0]?.label, question).toBe(label);
    await close();
  });

  test("read() takes a word that is there as it is, and a part of a word that is there literally", async () => {
    const { manager, close } = await open({
      horse: "The stable is red",
      price: "The price is stabile",
      fruit: "bananas",
    });
    expect((await manager.search("stabile")).map(({ label }) => label)).toStrictEqual(["price"]);
    expect((await manager.search("banan")).map(({ label }) => label)).toStrictEqual(["fruit"]);
    await close();
  });

  test("read() takes a misspelt word for another owner's never", async () => {
    const mine = await open({ note: "The meeting is on Monday" });
    const theirs = await open({ secret: "Project Nightingale starts in May" });
    expect(await mine.manager.search("nightingal")).toHaveLength(0);
    expect(await theirs.manager.search("nightingal")).toHaveLength(1);
    await mine.close();
    await theirs.close();
  });

  test("read() finds a removed note no more by a misspelt word", async () => {
    const { manager, admin, close } = await open({ gone: "The lighthouse is closed", kept: "The library is open" });
    await admin.forget({ match: "lighthouse" });
    expect(await manager.search("lighthuose")).toHaveLength(0);
    await manager.remove({ label: "kept" });
    expect(await manager.search("libary")).toHaveLength(0);
    await close();
  });
});
