import { describe, expect, test } from "vitest";
import { createElicitationApprover, type Form, type FormAnswer } from "./elicitation-approver.ts";

const { signal } = new AbortController();

/** A client whose person gives these answers, and the forms that were shown. */
function answering(...answers: readonly unknown[]) {
  const forms: Form[] = [];
  const counts = { open: 0, most: 0 };
  const approver = createElicitationApprover(async (form) => {
    forms.push(form);
    const answer = answers[forms.length - 1];
    counts.most = Math.max(counts.most, (counts.open += 1));
    await new Promise((resolve) => setImmediate(resolve));
    counts.open -= 1;
    if (answer instanceof Error) throw answer;
    return answer as FormAnswer;
  });
  return { approver, forms, counts };
}

describe("createElicitationApprover().decide()", () => {
  const accept = (content: unknown): unknown => ({ action: "accept", content });
  test.each([
    [accept({ approve: true }), { approved: true }],
    [accept({ approve: true, reason: "go" }), { approved: true }],
    [accept({ approve: false, reason: " not now " }), { approved: false, reason: "not now" }],
    [accept({ approve: "true" }), { approved: false, reason: "the person said no" }],
    [accept({ approve: 1, reason: { a: 1 } }), { approved: false, reason: "the person said no" }],
    [accept([true]), { approved: false, reason: "the person said no" }],
    [accept(undefined), { approved: false, reason: "the person said no" }],
    [
      { action: "decline", content: { approve: true } },
      { approved: false, reason: "the person said no" },
    ],
    [
      { action: "yes", content: { approve: true } },
      { approved: false, reason: "the person said no" },
    ],
    [
      { action: "cancel", content: { approve: true } },
      { approved: false, later: true },
    ],
  ])("takes %j for %j", async (answer, decision) => {
    const { approver } = answering(answer);
    expect(await approver.decide({ text: "May it?", detail: [], signal })).toMatchObject(decision);
  });

  test("shows all of what is agreed to, without what could hide it", async () => {
    const { approver, forms } = answering({ action: "decline" });
    const detail = [...Array.from({ length: 500 }, (_, line) => `+${line}`), "a\u001B[8m\u202Eb"];
    await approver.decide({ text: "May it?", detail, signal });
    expect(forms[0]?.message).toBe(`May it?\n\n${detail.slice(0, -1).join("\n")}\na\uFFFD[8m\uFFFDb`);
    expect(forms[0]?.requestedSchema).toMatchObject({
      properties: { approve: { default: false } },
      required: ["approve"],
    });
  });

  test("asks one thing at a time, nothing that nobody waits for, and goes on after a failure", async () => {
    const { approver, forms, counts } = answering(new Error("gone"), { action: "accept", content: { approve: true } });
    const decisions = await Promise.allSettled([
      approver.decide({ text: "First?", detail: [], signal }),
      approver.decide({ text: "Left?", detail: [], signal: AbortSignal.abort() }),
      approver.decide({ text: "Second?", detail: [], signal }),
    ]);
    expect(decisions).toMatchObject([
      { status: "rejected" },
      { value: { approved: false, later: true } },
      { value: { approved: true } },
    ]);
    expect(forms.map(({ message }) => message)).toEqual(["First?", "Second?"]);
    expect(counts.most).toBe(1);
  });
});

describe("createElicitationApprover().answer()", () => {
  const choices = [{ label: "red", description: "like a rose" }, { label: "blue" }, { label: "red" }];
  const ask = async (answer: unknown, several = false, given = choices): Promise<unknown> => {
    const { approver } = answering(answer);
    return approver.answer({ text: "Which?", choices: given, several, signal });
  };

  test("offers each choice once, says what it means, and leaves room for other words", async () => {
    const { approver, forms } = answering({ action: "decline" }, { action: "decline" }, { action: "decline" });
    for (const several of [false, true]) await approver.answer({ text: "Which?", choices, several, signal });
    await approver.answer({ text: "Why?", choices: [], several: false, signal });
    const [one, many, open] = forms;
    expect(one?.message).toBe("Which?\n\nred: like a rose");
    expect(one?.requestedSchema.properties).toMatchObject({
      choice: { enum: ["red", "blue"] },
      other: { type: "string" },
    });
    expect(many?.requestedSchema.properties).toMatchObject({ choices: { items: { enum: ["red", "blue"] } } });
    expect(Object.keys(open?.requestedSchema.properties ?? {})).toEqual(["other"]);
  });

  test.each([
    [{ action: "accept", content: { choice: "blue" } }, ["blue"]],
    [{ action: "accept", content: { choice: "blue", other: " and green " } }, ["blue", "and green"]],
    [{ action: "accept", content: { choices: ["blue", "red", "blue", "pink", 3] } }, ["red", "blue"]],
    [{ action: "accept", content: { choice: "pink" } }, []],
    [{ action: "accept", content: { choice: { toString: "red" } } }, []],
    [{ action: "accept" }, []],
    [{ action: "decline", content: { choice: "blue" } }, []],
    [{ action: "cancel" }, []],
  ])("takes %j for %j", async (answer, said) => {
    expect(await ask(answer)).toEqual(said);
  });
});

describe("createElicitationApprover().showForm()", () => {
  const fields = {
    type: "object",
    properties: { name: { type: "string", maxLength: 5 }, size: { type: "integer" } },
    required: ["name"],
  } as const;
  test.each([
    [
      { action: "accept", content: { name: "Ann", size: 3 } },
      { action: "accept", content: { name: "Ann", size: 3 } },
    ],
    [
      { action: "accept", content: { name: "Ann", approve: true } },
      { action: "accept", content: { name: "Ann" } },
    ],
    [{ action: "accept", content: { name: "Bartholomew" } }, { action: "cancel" }],
    [{ action: "accept", content: { size: 3 } }, { action: "cancel" }],
    [{ action: "accept", content: [] }, { action: "cancel" }],
    [{ action: "accept" }, { action: "cancel" }],
    [{ action: "decline", content: { name: "Ann" } }, { action: "decline" }],
    [{ action: "cancel" }, { action: "cancel" }],
    [{ action: "yes", content: { name: "Ann" } }, { action: "cancel" }],
  ])("%j is %j", async (answer, expected) => {
    const { approver, forms } = answering(answer);
    expect(await approver.showForm({ text: "Who?\u001B[2J", fields: fields as never, signal })).toEqual(expected);
    expect(forms).toEqual([{ message: expect.not.stringContaining("\u001B"), requestedSchema: fields }]);
  });
});
