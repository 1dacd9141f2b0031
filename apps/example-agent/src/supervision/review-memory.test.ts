import { openMemory, type Memory } from "@dispatch/tool-memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { absentApprover, type Decision, type Approver, type ApprovalPrompt } from "./approver.ts";
import { reviewMemory } from "./review-memory.ts";

const { signal } = new AbortController();

/** A person with these decisions, and the questions they were asked. */
function saying(...decisions: readonly Decision[]): { approver: Approver; asked: ApprovalPrompt[] } {
  const asked: ApprovalPrompt[] = [];
  const decide = async (prompt: ApprovalPrompt): Promise<Decision> => {
    asked.push(prompt);
    return decisions[asked.length - 1] ?? { approved: false };
  };
  return { approver: { name: "double", decide }, asked };
}

describe("reviewMemory()", () => {
  let memory: Memory;
  beforeAll(async () => {
    memory = await openMemory(":memory:");
    for (const label of ["a", "b", "c"]) await memory.manager.write({ label, content: `I am ${label}`, tier: "core" });
  });
  afterAll(() => memory.close());

  test("does what the person says, and asks no second time about what is left for later", async () => {
    const { approver, asked } = saying(
      { approved: true },
      { approved: false, reason: "not you" },
      { approved: false, later: true },
    );
    const postponed = new Set<string>();
    const reviews = await reviewMemory(memory.admin, approver, postponed, signal);
    expect(reviews.map(({ label, outcome }) => `${label} ${outcome}`)).toEqual([
      "a approved",
      "b rejected",
      "c left for later",
    ]);
    expect(asked[0]?.detail).toEqual(["+I am a"]);
    expect((await memory.admin.get("a"))?.content).toBe("I am a");
    expect(await reviewMemory(memory.admin, approver, postponed, signal)).toEqual([]);
    const again = await reviewMemory(memory.admin, absentApprover, new Set(), signal);
    expect(again).toEqual([{ label: "c", about: "core memory c", outcome: "left for later" }]);
  });

  test("asks for what would be done, with all of the text and where it comes from", async () => {
    const { manager, admin } = memory;
    for (const { id } of await admin.pending()) await admin.reject(id, "out of the way");
    const kept = { tier: "core", content: "one\ntwo" } as const;
    for (const label of ["gone", "old"]) await admin.write({ label, ...kept });
    await manager.remove({ label: "gone" });
    await manager.move({ label: "old", tier: "working", newLabel: "new" });
    // A line that resembles the head of a diff is a line like any other.
    const content = "++ b/hidden\n-- a/hidden";
    await manager.write({ label: "forged", content, tier: "core", source: "web" });
    const { approver, asked } = saying({ approved: true }, { approved: true }, { approved: false });
    const reviews = await reviewMemory(admin, approver, new Set(), signal);
    const said = asked.map(({ text, detail }) => [text, ...detail].join("\n")).toSorted();
    expect(said).toEqual([
      "Let the agent move old to its working memory as new?\n one\n two",
      "Let the agent remove gone from its core memory?\n-one\n-two",
      "Let the agent write forged to its core memory?\n+++ b/hidden\n+-- a/hidden\nwritten after reading pages of the web",
    ]);
    expect(reviews.map(({ about, outcome }) => `${about} ${outcome}`)).toEqual([
      "removal of core memory gone approved",
      "move of old to working memory as new approved",
      "core memory forged rejected",
    ]);
    expect(await admin.get("new")).toMatchObject({ tier: "working" });
  });
});
