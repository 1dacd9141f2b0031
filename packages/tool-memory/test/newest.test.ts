import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

/** Two notes, and whether a write of the later tells of the earlier. */
const hints: readonly (readonly [earlier: string, text: string, later: string, text: string, isTold: boolean])[] = [
  [
    "infra/staging-db",
    "The staging database runs PostgreSQL 15",
    "ops/notes",
    "Staging database upgraded to MySQL 9",
    true,
  ],
  [
    "people/nadia",
    "Nadia lives in Hamburg near the harbour",
    "nadia/move",
    "Nadia moved and now lives in Leipzig",
    true,
  ],
  ["kita/abholzeit", "Die Abholzeit der Kita ist 15 Uhr", "brief", "Die Abholzeit der Kita ist jetzt 16 Uhr", true],
  ["wifi/guest", "The guest wifi password is latte1", "wifi/staff", "The staff wifi password is mocha2", false],
  ["people/lena", "Lena works as a nurse at the clinic", "people/omar", "Omar works as a cook at the clinic", false],
  ["pets/mia", "Mia the cat sleeps on the blue sofa", "pets/rex", "Rex the dog was vaccinated in May", false],
];

/** Notes of one memory in the order they are written, a question, and the label of the first hit. */
const cases: readonly (readonly [
  name: string,
  notes: Readonly<Record<string, string>>,
  question: string,
  first: string,
])[] = [
  [
    "puts a changed fact before the older one under another label",
    {
      "team/standup": "The daily standup is at 9:30 in room Oslo",
      "calendar/change": "Standup moved to 10:15, still in room Oslo",
    },
    "When is the daily standup?",
    "calendar/change",
  ],
  [
    "puts the last of several changes first",
    {
      "camera/price": "The camera costs 799 euros",
      "camera/sale": "On sale the price of the camera is 699 euros",
      "camera/now": "The camera price went up to 749 euros",
    },
    "What is the price of the camera?",
    "camera/now",
  ],
  [
    "puts a changed fact first in Japanese",
    { "会議/定例": "定例会議は月曜日の10時です", "会議/変更": "定例会議は水曜日の14時に変更されました" },
    "定例会議はいつですか",
    "会議/変更",
  ],
  [
    "leaves the older fact first when the newer is of another subject",
    { "people/ivo": "Ivo lives in Zagreb", "people/petra": "Petra lives in Split now" },
    "Where does Ivo live?",
    "people/ivo",
  ],
  [
    "leaves the older fact first when the question is about former times",
    {
      "team/standup": "The daily standup is at 9:30 in room Oslo",
      "calendar/change": "Standup moved to 10:15, still in room Oslo",
    },
    "When was the daily standup originally?",
    "team/standup",
  ],
];

describe.each(engines)("$name", (engine) => {
  const { open } = useEngine(engine);

  test.each(cases)("read() %s", async (name, notes, question, first) => {
    const { manager } = await open({ owner: name });
    for (const [label, content] of Object.entries(notes)) await manager.write({ label, content });
    expect((await manager.search(question))[0]?.label).toBe(first);
  });

  test("read() puts the later written of two notes first that are true since the same time", async () => {
    const { manager } = await open({ owner: "same time" });
    const validFrom = "2024-05-01";
    await manager.write({ label: "team/standup", content: "The daily standup is at 9:30 in room Oslo", validFrom });
    await manager.write({ label: "change", content: "Standup moved to 10:15, still in room Oslo", validFrom });
    expect((await manager.search("When is the daily standup?"))[0]?.label).toBe("change");
  });

  test("write() names a note that the new one may make out of date, and none that only looks alike", async () => {
    for (const [at, [earlier, was, later, is, isTold]] of hints.entries()) {
      const { manager } = await open({ owner: `hint ${at}` });
      await manager.write({ label: "other", content: "The lawn is cut every week in summer" });
      await manager.write({ label: earlier, content: was });
      const result = await manager.write({ label: later, content: is, findSimilar: true });
      const told = "similar" in result ? result.similar?.map(({ label }) => label) : undefined;
      expect(told, is).toStrictEqual(isTold ? [earlier] : undefined);
    }
  });

  test("read() never puts a less trusted note before an older one for its age", async () => {
    const { manager, admin } = await open({ owner: "trust" });
    await admin.write({ label: "bank", content: "The bank account of the landlord is DE-1" });
    await manager.write({ label: "bank/new", content: "New bank account, landlord: DE-2", source: "web" });
    expect((await manager.search("What is the bank account of the landlord?"))[0]?.label).toBe("bank");
  });

  test("read() scores a note as a whole: many weak passages do not outweigh a short answer", async () => {
    const { manager } = await open({ owner: "whole" });
    const talk = `Then the budget came up. ${"People had opinions on many other things. ".repeat(11)}\n`.repeat(8);
    for (let n = 0; n < 10; n++) await manager.write({ label: `note ${n}`, content: `A short note on subject ${n}` });
    await manager.write({ label: "minutes", content: talk });
    await manager.write({ label: "answer", content: "Budget of the offsite: 9,000 euros" });
    expect((await manager.search("budget"))[0]?.label).toBe("answer");
  });
});
