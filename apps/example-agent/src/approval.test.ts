import { openMemory, type Memory } from "@dispatch/tool-memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApprover, reviewMemory } from "./approval.ts";
import { absentPerson, type Decision, type Person, type Question } from "./person.ts";

const { signal } = new AbortController();

/** Somebody who says this, and what they were asked. */
function saying(...decisions: readonly Decision[]): { person: Person; asked: Question[] } {
  const asked: Question[] = [];
  const decide = async (question: Question): Promise<Decision> => {
    asked.push(question);
    return decisions[asked.length - 1] ?? { approved: false };
  };
  return { person: { name: "double", decide }, asked };
}

describe("createApprover()", () => {
  const request = { callId: "1", name: "write_file", annotations: {}, digest: "", expiresAt: 0, signal };

  test("shows the whole call and who makes it, and passes the answer on", async () => {
    const { person, asked } = saying({ approved: true }, { approved: false, reason: "no thanks" });
    const approve = createApprover(person, (id) => (id === "1" ? "execute_code" : undefined));
    expect(await approve({ ...request, params: { path: "a", content: "x\ny" } })).toEqual({ approved: true });
    expect(asked[0]).toMatchObject({
      text: "Let the agent call write_file, from execute_code?",
      detail: ["path: a", "content:", "  x", "  y"],
    });
    const second = await approve({ ...request, callId: "2", params: {} });
    expect(second).toEqual({ approved: false, reason: "no thanks" });
    expect(asked[1]?.text).toBe("Let the agent call write_file?");
  });
});

describe("reviewMemory()", () => {
  let memory: Memory;
  beforeAll(async () => {
    memory = await openMemory(":memory:");
    for (const label of ["a", "b", "c"]) await memory.manager.write({ label, content: `I am ${label}`, tier: "core" });
  }, 60_000);
  afterAll(() => memory.close());

  test("does what the person says, and asks no second time about what is left for later", async () => {
    const { person, asked } = saying(
      { approved: true },
      { approved: false, reason: "not you" },
      { approved: false, later: true },
    );
    const postponed = new Set<string>();
    const reviews = await reviewMemory(memory.steward, person, postponed, signal);
    expect(reviews.map(({ label, outcome }) => `${label} ${outcome}`)).toEqual([
      "a approved",
      "b rejected",
      "c left for later",
    ]);
    expect(asked[0]?.detail).toEqual(["+I am a"]);
    expect((await memory.steward.get("a"))?.content).toBe("I am a");
    expect(await reviewMemory(memory.steward, person, postponed, signal)).toEqual([]);
    const again = await reviewMemory(memory.steward, absentPerson, new Set(), signal);
    expect(again).toEqual([{ label: "c", outcome: "left for later" }]);
  });
});
