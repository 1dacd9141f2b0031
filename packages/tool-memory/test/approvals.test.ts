import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { WriteResult } from "../src/block/memory-manager.ts";
import type { PendingMutation } from "../src/block/mutation.ts";
import { toJsonLines } from "../src/history/json-lines.ts";
import { engines } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

const page = Array.from({ length: 30 }, (_, n) => `line ${n}`).join("\n");
const toProposal = (result: WriteResult): PendingMutation => {
  if (result.outcome !== "queued") throw new Error(result.outcome);
  return result.mutation;
};

/** An approval covers exactly the shown change. */
describe.each(engines)("$name", (engine) => {
  const { open } = useEngine(engine);

  test("the diff holds every line that an approval makes trusted", async () => {
    const { manager, admin } = await open();
    await manager.write({ label: "page", content: `${page}\nline teh`, source: "web" });
    const move = toProposal(await manager.move({ label: "page", tier: "core", source: "web" }));
    await manager.write({ label: "log", content: page, tier: "archival", source: "web" });
    const fix = toProposal(await manager.edit({ label: "log", offset: 0, before: "line", after: "Line" }));
    for (const { diff } of [move, fix])
      for (const line of page.split("\n").slice(1)) expect(diff).toContain(`\n ${line}`);
    expect(move.diff).toContain("+++ page (proposed, in tier core; the whole text becomes trusted)\n@@ -1,31 +1,31 @@");
    expect(fix.diff).toContain("\n-line 0\n+Line 0\n line 1");
    await admin.approveAll();
    expect(await admin.get("page")).toMatchObject({ source: "web", trust: "high" });
    const small = toProposal(await manager.edit({ label: "log", offset: 0, before: "Line", after: "line" }));
    expect(small.diff).toContain("@@ -1,4 +1,4 @@");
    expect(small.diff).not.toContain("line 20");
  });

  test("a proposal shows the text that it would hide, and is stale once that text has changed", async () => {
    const { manager, admin } = await open();
    await admin.write({ label: "city", content: "Lives in Paris", tier: "archival" });
    const write = { label: "home", content: "Lives in Lyon", supersedes: "city", source: "web" } as const;
    const asked = toProposal(await manager.write({ ...write, reason: "Supersedes nothing" }));
    expect(asked).toMatchObject({
      supersedesLabel: "city",
      supersedesVersion: 1,
      stale: false,
      reason: "Supersedes nothing",
    });
    expect(asked.diff).toContain(
      "--- city (version 1)\n+++ /dev/null (superseded: searches no longer find it)\n@@ -1,1 +0,0 @@\n-Lives in Paris",
    );
    await admin.write({ label: "city", content: "Lives in Paris, and never moves" });
    expect(await admin.pending()).toMatchObject([{ id: asked.id, stale: true }]);
    const conflict = await admin.approve(asked.id);
    expect(conflict).toMatchObject({ outcome: "conflict", superseded: { content: "Lives in Paris, and never moves" } });
    expect(await admin.get("home")).toBeNull();
    expect(await admin.approve(asked.id, { supersededVersion: 1 })).toMatchObject({ outcome: "conflict" });
    expect(await admin.approve(asked.id, { supersededVersion: 2 })).toMatchObject({ outcome: "applied" });
    expect((await manager.search("lives in")).map(({ label }) => label)).toEqual(["home"]);
  });

  test("a proposal is stale when the text that it would hide is gone, and exports keep that", async () => {
    const { manager, admin } = await open();
    await admin.write({ label: "city", content: "Lives in Paris", tier: "archival" });
    const write = { label: "home", content: "Lives in Lyon", supersedes: "city" };
    const { id } = toProposal(await manager.write(write));
    const copy = await open();
    expect(await copy.admin.import(toJsonLines(await admin.export()), { restore: true })).toMatchObject({
      proposals: 1,
    });
    expect(await copy.admin.approve(id)).toMatchObject({ outcome: "applied" });
    await admin.remove("city");
    expect(await admin.approve(id)).toMatchObject({ outcome: "conflict", superseded: null });
    expect(await admin.approve(id, { supersededVersion: 0 })).toMatchObject({ outcome: "applied" });
    expect((await admin.get("home"))?.supersedes).toBeUndefined();
  });

  test.each([
    "I am  Eve",
    "i am eve",
    "I am\tEve ",
    "I am E\u200bve",
    "I\nam Eve",
    "Ｉ am Eve",
    "I am E\u{E0041}ve",
    "Iam Eve",
  ])("a rejected change does not come back as %j", async (content) => {
    const { manager, admin } = await open();
    await admin.write({ label: "persona", content: "I am Ada", tier: "core" });
    await admin.write({ label: "log", content: "Start", tier: "archival" });
    const { id } = toProposal(await manager.write({ label: "persona", content: "I am Eve" }));
    await admin.reject(id, "never");
    for (const more of [{}, { supersedes: "log" }])
      expect(await manager.write({ label: "persona", content, ...more })).toMatchObject({ code: "rejected_before" });
    await admin.write({ label: "persona", content: "I am nobody" });
    expect(await manager.write({ label: "persona", content })).toMatchObject({ outcome: "queued" });
  });

  test("a rejected change does not come back after an addition elsewhere", async () => {
    const { manager, admin } = await open();
    await admin.write({ label: "log", content: "Pay DE02", tier: "archival" });
    const edit = { label: "log", offset: 4, before: "DE02", after: "XX66" };
    await admin.reject(toProposal(await manager.edit(edit)).id, "never");
    await manager.write({ label: "log", content: "Paid" });
    expect(await manager.edit(edit)).toMatchObject({ outcome: "refused", code: "rejected_before" });
    expect(await manager.edit({ ...edit, after: "DE03" })).toMatchObject({ outcome: "queued" });
  });

  test("one source and one session leave room in the queue for others", async () => {
    const owner = randomUUID();
    const a = await open({ owner, session: "a" });
    const b = await open({ owner, session: "b" });
    const propose = ({ manager }: typeof a, label: string, source?: "web" | "tool") =>
      manager.write({ label, content: "x", tier: "core", source });
    const outcomes = new Map<string, number>();
    for (let n = 0; n < 97; n++) {
      const { outcome } = await propose(n % 2 === 0 ? a : b, `web ${n}`, n % 3 === 0 ? "tool" : "web");
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({ queued: 50, refused: 47 });
    expect(await propose(a, "one more", "web")).toMatchObject({
      code: "queue_full",
      reason: expect.stringContaining(
        "50 proposals from import, tool and web wait for a person already, allowed are 50 of 100",
      ),
    });
    for (let n = 0; n < 25; n++) expect(await propose(a, `a ${n}`)).toMatchObject({ outcome: "queued" });
    expect(await propose(a, "a more")).toMatchObject({
      code: "queue_full",
      reason: expect.stringContaining("this session"),
    });
    expect(await propose(b, "b 1")).toMatchObject({ outcome: "queued" });
    expect(await propose(await open({ owner }), "own")).toMatchObject({ outcome: "queued" });
  });

  test("rewriting one block is limited by the characters written in a day, and so are all blocks together", async () => {
    const { manager, admin } = await open({ limits: { blockCharsPerDay: 1_000, charsPerDay: 2_000 } });
    const text = (n: number) => `${n}`.padEnd(100, "x");
    const rewrite = async (label: string) => {
      for (let n = 0; n < 20; n++) {
        const result = await manager.write({ label, content: text(n) });
        if (result.outcome === "refused") return { n, ...result };
      }
      return { n: Number.POSITIVE_INFINITY };
    };
    expect(await rewrite("a")).toMatchObject({
      n: 5,
      code: "quota",
      reason: expect.stringContaining(
        "900 characters of it were written today and it would be 1100, allowed are 1000 a day for one block",
      ),
    });
    expect(await rewrite("b")).toMatchObject({ n: 5 });
    expect(await rewrite("c")).toMatchObject({
      n: 1,
      reason: expect.stringContaining("allowed are 2000 a day for all blocks"),
    });
    expect(await manager.write({ label: "d", content: "x".repeat(200), tier: "core" })).toMatchObject({
      code: "quota",
    });
    expect(await admin.write({ label: "a", content: text(9) })).toMatchObject({ outcome: "applied" });
  });
});
