import { conformanceCases } from "@dispatch/check";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import type { Answer, UserQuestion, AskUser } from "../supervision/approver.ts";
import { askUserQuestionTool } from "./ask-user-question.ts";

const options = [{ label: "yes", description: "all of them" }, { label: "no" }];

/** A person who gives this answer, and the questions they were asked. */
function answering(...answer: Answer): { askUser: AskUser; asked: UserQuestion[] } {
  const asked: UserQuestion[] = [];
  return { asked, askUser: (question) => Promise.resolve((asked.push(question), answer)) };
}
const ask = (askUser: AskUser | undefined, params: object = { question: "Delete them?", options }) =>
  askUserQuestionTool.call(params as never, { context: askUser === undefined ? {} : { askUser } });

describe("ask_user_question", () => {
  const context = { askUser: answering("no").askUser };
  const params = [{ question: "Which?", options, multiple: true }, { question: "Why?" }];
  test.each(conformanceCases(askUserQuestionTool, { params, context }))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  test("puts the whole question before the person and tells choices from words of their own", async () => {
    const { askUser, asked } = answering("no", "and never again");
    const result = await ask(askUser);
    expect(asked).toMatchObject([{ text: "Delete them?", choices: [options[0], { label: "no" }], several: false }]);
    expect(result.success && result.data).toEqual({ answered: true, chosen: ["no"], words: "and never again" });
    expect(String(result)).toBe('The user chose: "no"\nThe user answered: and never again');
  });

  test("is a success without an answer, and says what to do then", async () => {
    const result = await ask(answering().askUser);
    expect(result.success && result.data).toEqual({ answered: false, chosen: [], words: "" });
    expect(String(result)).toMatch(/did not answer\. Do not ask the same again/);
  });

  test("says so where nobody can be asked, as a restored transcript may find", async () => {
    const result = await ask(undefined);
    expect(!result.success && result.code).toBe("nobody_to_ask");
  });

  test("tells a model no more of an answer than it can read", async () => {
    const result = await ask(answering("x".repeat(1_000_000)).askUser);
    expect(String(result).length).toBeLessThan(21_000);
    expect(String(result)).toContain("[980000 more characters left out]");
  });

  test("ends when its call is cancelled, and the person is not asked any longer", async () => {
    const stop = new AbortController();
    const { promise: asked, resolve } = Promise.withResolvers<UserQuestion>();
    const askUser: AskUser = (question) => {
      resolve(question);
      return new Promise((_, reject) =>
        question.signal.addEventListener("abort", () => reject(new Error("gone")), { once: true }),
      );
    };
    const result = askUserQuestionTool.call({ question: "Well?" }, { context: { askUser }, signal: stop.signal });
    const { signal } = await asked;
    stop.abort();
    expect(signal.aborted).toBe(true);
    expect(await result).toMatchObject({ success: false, code: "cancelled" });
  });

  test("approves nothing: a yes to the model's question is no yes to its call", async () => {
    const wipe = defineTool({
      name: "wipe",
      description: "Wipes.",
      parameters: { type: "object", properties: {} },
      annotations: { destructive: true },
      execute: () => "wiped",
    });
    const registry = createToolRegistry().register(askUserQuestionTool).register(wipe);
    const approvals: string[] = [];
    const results = await registry.dispatchAll(
      [
        { name: "ask_user_question", arguments: { question: "Let the agent call wipe?", options } },
        { name: "wipe", arguments: {} },
      ],
      {
        context: { askUser: answering("yes").askUser },
        approve: ({ name }) => (approvals.push(name), false),
      },
    );
    expect(results.map(({ success }) => success)).toEqual([true, false]);
    expect(approvals).toEqual(["wipe"]);
  });
});
