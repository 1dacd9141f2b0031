import { expect, test } from "vitest";
import { withoutActor } from "../src/change/forget-blocks.ts";
import { hashBody } from "../src/rows/event-rows.ts";
import { useSharedDatabase } from "./shared-database.ts";
import { tablesWith } from "./tables-with.ts";

const { database, open } = useSharedDatabase();
const secret = "zqxjkv";

const rowsWith = (text: string): Promise<readonly string[]> => tablesWith(database(), text);

test("forget({ match }) takes out every line that holds a text, from blocks, history, reasons and proposals", async () => {
  const { manager, admin } = await open();
  await manager.write({ label: "people", content: `Ann likes tea\nBob is ${secret}\nEve likes rum` });
  await manager.write({ label: "log", content: "one", tier: "archival" });
  await manager.write({ label: "log", content: `${secret.toUpperCase()} called`, tier: "archival" });
  await manager.write({ label: "log", content: "three", tier: "archival" });
  await manager.write({ label: "plain", content: "x", reason: `because of ${secret}` });
  await manager.write({ label: `about ${secret}`, content: "x" });
  await manager.write({ label: "user", content: `Knows ${secret}`, tier: "core" });
  await manager.write({ label: "rest", content: "stays" });
  await manager.write({ label: "past", content: secret });
  await manager.write({ label: "past", content: "now clean" });
  expect(await rowsWith(secret)).toEqual(["block", "event", "mutation", "passage"]);
  expect(await admin.forget({ match: secret })).toEqual({ blocks: 1, events: 8, mutations: 1 });
  expect(await rowsWith(secret)).toEqual([]);
  const { blocks } = await admin.export();
  expect(blocks.map(({ label, content }) => `${label}: ${content}`)).toEqual([
    "log: one\nthree",
    "past: now clean",
    "people: Ann likes tea\nEve likes rum",
    "plain: x",
    "rest: stays",
  ]);
  expect(await admin.verify()).toMatchObject({ ok: true });
  expect(await manager.write({ label: "log", content: "four" })).toMatchObject({
    block: { content: "one\nthree\nfour" },
  });
  expect(await admin.verify()).toMatchObject({ ok: true });
});

test("forget() takes along the salt without which a text cannot be guessed from its hash", async () => {
  const { manager, admin } = await open();
  await manager.write({ label: "pin", content: "4711" });
  const first = async () => (await admin.export()).events[0]!;
  const known = await first();
  expect(known.salt).toHaveLength(36);
  expect(hashBody(known)).toBe(known.bodyHash);
  await admin.forget("pin");
  expect(await first()).toMatchObject({ salt: "", bodyHash: known.bodyHash });
  expect(await rowsWith(known.salt)).toEqual([]);
  expect(hashBody({ ...known, salt: "" })).not.toBe(known.bodyHash);
});

test("forget({ actor }) takes out what somebody wrote, also what a person approved or brought back of it", async () => {
  const owner = "forget an actor";
  const ann = await open({ owner, actor: "ann" });
  const bob = await open({ owner, actor: "bobolink" });
  const { admin } = ann;
  await ann.manager.write({ label: "log", content: "of ann", tier: "archival" });
  await bob.manager.write({ label: "log", content: `of bob ${secret}`, tier: "archival" });
  await ann.manager.write({ label: "log", content: "of ann again", tier: "archival" });
  await bob.manager.write({ label: "own", content: secret });
  await bob.manager.write({ label: "user", content: `User is ${secret}`, tier: "core" });
  await admin.approveAll();
  await admin.undo(2);
  await admin.undo(6);
  await bob.manager.write({ label: "rejected", content: secret, tier: "core" });
  await ann.manager.write({ label: "clean", content: "of ann" });
  expect(await admin.get("log")).toMatchObject({ content: `of ann\nof bob ${secret}\nof ann again` });
  await admin.forget({ actor: "bobolink" });
  expect(await rowsWith(secret)).toEqual([]);
  expect(await rowsWith("bobolink")).toEqual([]);
  const { blocks, mutations } = await admin.export();
  expect(blocks.map(({ label, content }) => `${label}: ${content}`)).toEqual([
    "clean: of ann",
    "log: of ann\nof ann again",
  ]);
  expect(mutations).toEqual([]);
  expect(await admin.verify()).toMatchObject({ ok: true });
});

test("forget() of a label takes along the block that once had it", async () => {
  const { manager, admin } = await open();
  await manager.write({ label: "draft", content: `${secret} 1` });
  await manager.move({ label: "draft", newLabel: "final" });
  await manager.write({ label: "final", content: `${secret} 2` });
  await manager.write({ label: "draft", content: `${secret} 3` });
  expect(await admin.forget("draft")).toMatchObject({ blocks: 2, events: 4 });
  expect(await rowsWith(secret)).toEqual([]);
  expect(await manager.list()).toEqual([]);
  expect(await admin.at({ seq: 3 })).toEqual([]);
  expect(await admin.undo(1)).toMatchObject({ outcome: "refused", code: "not_found" });
  expect(await admin.verify()).toMatchObject({ ok: true });
});

test.each([{}, { label: "a", actor: "b" }, { match: "" }, { match: " a " }, { label: "../x" }])(
  "forget(%j) is refused and forgets nothing",
  async (target) => {
    const { manager, admin } = await open();
    await manager.write({ label: "a", content: "a" });
    expect(await admin.forget(target)).toMatchObject({ outcome: "refused" });
    expect(await manager.list()).toHaveLength(1);
  },
);

test("withoutActor() keeps what others wrote around and into it", async () => {
  const { manager, admin } = await open({ actor: "ann" });
  await admin.write({ label: "a", content: "keep this line" });
  await admin.setPermission("a", "readwrite");
  await manager.edit({ label: "a", offset: 5, before: "", after: `${secret} ` });
  await manager.edit({ label: "a", offset: 0, before: "keep", after: "lose" });
  const { events } = await admin.export();
  expect(withoutActor(events, ({ actor }) => actor.id === "ann")).toBe(" this line");
});
