import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { AnsweredElsewhereError } from "../supervision/race-approvers.ts";
import type { Keyboard } from "./keyboard.ts";
import { createScreen } from "./screen.ts";
import { createTerminalApprover } from "./terminal-approver.ts";

const { signal } = new AbortController();

/** A person who types these lines, one to a question; the questions are counted while they are open. */
function typing(...lines: readonly (string | undefined)[]) {
  const counts = { asked: 0, open: 0, most: 0 };
  const keyboard: Keyboard = {
    ended: false,
    close() {},
    async ask() {
      counts.most = Math.max(counts.most, (counts.open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      counts.open -= 1;
      return lines[(counts.asked += 1) - 1];
    },
  };
  const chunks: string[] = [];
  const sink = new Writable({ write: (chunk, _, done) => (chunks.push(String(chunk)), done()) });
  const approver = createTerminalApprover(keyboard, createScreen(sink as unknown as NodeJS.WriteStream));
  return { approver, counts, written: () => chunks.join("") };
}

describe("createTerminalApprover()", () => {
  test.each([
    ["y", true, undefined],
    [" YES ", true, undefined],
    ["", false, "the person said no"],
    ["n", false, "the person said no"],
    ["yes, but not that file", false, "yes, but not that file"],
    ["yy", false, "yy"],
    ["l", false, "the person has not decided"],
    [undefined, false, "the person has not decided"],
  ])("takes %j for approved: %j", async (typed, approved, reason) => {
    const decision = await typing(typed).approver.decide({ text: "May it?", detail: [], signal });
    expect([decision.approved, decision.reason]).toEqual([approved, reason]);
  });

  test("asks one thing at a time, shows it whole, and nothing that nobody waits for", async () => {
    const { approver, counts, written } = typing("y", "n");
    const detail = Array.from({ length: 500 }, (_, line) => `+${line}`);
    const gone = AbortSignal.abort();
    const decisions = await Promise.all([
      approver.decide({ text: "First?", detail, signal }),
      approver.decide({ text: "Gone?", detail, signal: gone }),
      approver.decide({ text: "Second?", detail: [], signal }),
    ]);
    expect(decisions.map(({ approved }) => approved)).toEqual([true, false, false]);
    expect(counts).toMatchObject({ asked: 2, most: 1 });
    expect(written()).toMatch(/First\?[^]*\+0\n[^]*\+499\n[^]*Second\?/);
    expect(written()).not.toContain("Gone?");
  });

  test("shows the changes with which a question was answered elsewhere", async () => {
    const { approver, written } = typing("n");
    const stop = new AbortController();
    const asked = approver.decide({ text: "May it?", detail: [], signal: stop.signal });
    while (!written().includes("May it?")) await Promise.resolve();
    const edited = { params: {}, changes: ["-path: a", "+path: b\u202E"] };
    stop.abort(new AnsweredElsewhereError("on the page", { approved: true, edited }));
    await asked;
    expect(written()).toMatch(/answered on the page: yes, with these changes\n\s+-path: a\n\s+\+path: b\S?\n/);
    expect(written()).not.toContain("\u202E");
  });

  test("answers the agent's questions too, one thing at a time, and no answer is one", async () => {
    const { approver, counts, written } = typing("2", "y", undefined);
    const question = { text: "Which?", choices: [{ label: "a" }, { label: "b" }], several: false, signal };
    const [answer, decision, none, gone] = await Promise.all([
      approver.answer?.(question),
      approver.decide({ text: "May it?", detail: [], signal }),
      approver.answer?.(question),
      approver.answer?.({ ...question, text: "Gone?", signal: AbortSignal.abort() }),
    ]);
    expect([answer, decision?.approved, none, gone]).toEqual([["b"], true, [], []]);
    expect(counts).toMatchObject({ asked: 3, most: 1 });
    expect(written()).not.toContain("Gone?");
  });
});
