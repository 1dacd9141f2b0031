import { describe, expect, test } from "vitest";
import type { Decision, Person, Question } from "./approver.ts";
import { AnsweredElsewhere, eitherPerson } from "./race-approvers.ts";

/** Somebody who answers when told to, and the question they were last asked. */
function waiting(where: string): { person: Person; say(decision: Decision): void; asked(): Question } {
  let say: (decision: Decision) => void = () => {};
  let asked: Question | undefined;
  const decide = (question: Question): Promise<Decision> => {
    asked = question;
    return new Promise((resolve) => (say = resolve));
  };
  const last = (): Question => {
    if (asked === undefined) throw new Error("Nothing was asked");
    return asked;
  };
  return { person: { name: "you", where, decide }, say: (decision) => say(decision), asked: last };
}

const question = { text: "May it?", detail: ["+a"], callId: "1", signal: new AbortController().signal };

describe("eitherPerson()", () => {
  test.each([
    [0, { approved: true }],
    [1, { approved: false, reason: "not this" }],
  ])("takes the answer that comes first, from place %i, and tells the other", async (winner, decision) => {
    const places = [waiting("at the terminal"), waiting("on the page")] as const;
    const decided = eitherPerson(places[0].person, places[1].person).decide(question);
    const [first, other] = winner === 0 ? places : places.toReversed();
    expect(other?.asked()).toMatchObject({ text: "May it?", callId: "1" });
    first?.say(decision);
    expect(await decided).toEqual(decision);
    const { signal } = other?.asked() ?? question;
    expect(signal.reason).toBeInstanceOf(AnsweredElsewhere);
    expect(signal.reason).toMatchObject({ where: first?.person.where, answer: decision });
    expect(first?.asked().signal.aborted).toBe(false);
    other?.say({ approved: true });
    expect(await decided).toEqual(decision);
  });

  test("stops both when nobody waits any more, for no answer of somebody else", async () => {
    const places = [waiting("at the terminal"), waiting("on the page")] as const;
    const stop = new AbortController();
    const decided = eitherPerson(places[0].person, places[1].person).decide({ ...question, signal: stop.signal });
    stop.abort(new Error("cancelled"));
    for (const place of places) expect(place.asked().signal.reason).toMatchObject({ message: "cancelled" });
    places[1].say({ approved: false, later: true });
    expect(await decided).toMatchObject({ approved: false });
  });

  test("answers the agent's questions wherever one of both can", async () => {
    const { person } = waiting("at the terminal");
    expect(eitherPerson(person, person).answer).toBeUndefined();
    const answering: Person = { ...person, where: "on the page", answer: async () => ["blue"] };
    const inquiry = { text: "Which?", choices: [], several: false, signal: question.signal };
    expect(await eitherPerson(person, answering).answer?.(inquiry)).toEqual(["blue"]);
    const silent: Person = { ...person, answer: () => new Promise(() => {}) };
    expect(await eitherPerson(silent, answering).answer?.(inquiry)).toEqual(["blue"]);
  });
});
