import { describe, expect, test } from "vitest";
import type { Decision, Approver, ApprovalPrompt } from "./approver.ts";
import { AnsweredElsewhereError, raceApprovers } from "./race-approvers.ts";

/** A person who answers on request, and the question they were last asked. */
function waiting(where: string): { approver: Approver; say(decision: Decision): void; asked(): ApprovalPrompt } {
  let say: (decision: Decision) => void = () => {};
  let asked: ApprovalPrompt | undefined;
  const decide = (prompt: ApprovalPrompt): Promise<Decision> => {
    asked = prompt;
    return new Promise((resolve) => (say = resolve));
  };
  const last = (): ApprovalPrompt => {
    if (asked === undefined) throw new Error("Nothing was asked");
    return asked;
  };
  return { approver: { name: "you", where, decide }, say: (decision) => say(decision), asked: last };
}

const prompt = { text: "May it?", detail: ["+a"], callId: "1", signal: new AbortController().signal };

describe("raceApprovers()", () => {
  test.each([
    [0, { approved: true }],
    [1, { approved: false, reason: "not this" }],
  ])("takes the answer that comes first, from place %i, and tells the other", async (winner, decision) => {
    const places = [waiting("at the terminal"), waiting("on the page")] as const;
    const decided = raceApprovers(places[0].approver, places[1].approver).decide(prompt);
    const [first, other] = winner === 0 ? places : places.toReversed();
    expect(other?.asked()).toMatchObject({ text: "May it?", callId: "1" });
    first?.say(decision);
    expect(await decided).toEqual(decision);
    const { signal } = other?.asked() ?? prompt;
    expect(signal.reason).toBeInstanceOf(AnsweredElsewhereError);
    expect(signal.reason).toMatchObject({ where: first?.approver.where, answer: decision });
    expect(first?.asked().signal.aborted).toBe(false);
    other?.say({ approved: true });
    expect(await decided).toEqual(decision);
  });

  test("stops both when nobody waits any more, for no answer of somebody else", async () => {
    const places = [waiting("at the terminal"), waiting("on the page")] as const;
    const stop = new AbortController();
    const decided = raceApprovers(places[0].approver, places[1].approver).decide({ ...prompt, signal: stop.signal });
    stop.abort(new Error("cancelled"));
    for (const place of places) expect(place.asked().signal.reason).toMatchObject({ message: "cancelled" });
    places[1].say({ approved: false, later: true });
    expect(await decided).toMatchObject({ approved: false });
  });

  test("answers the agent's questions wherever one of both can", async () => {
    const { approver } = waiting("at the terminal");
    expect(raceApprovers(approver, approver).answer).toBeUndefined();
    const answering: Approver = { ...approver, where: "on the page", answer: async () => ["blue"] };
    const question = { text: "Which?", choices: [], several: false, signal: prompt.signal };
    expect(await raceApprovers(approver, answering).answer?.(question)).toEqual(["blue"]);
    const silent: Approver = { ...approver, answer: () => new Promise(() => {}) };
    expect(await raceApprovers(silent, answering).answer?.(question)).toEqual(["blue"]);
  });
});
