import { success } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { askModel } from "../../test/fake-provider/ask-model.ts";
import type { AssistantTurn, Message } from "../agent/conversation.ts";
import { call, createScriptedModel, turn } from "./scripted-model.ts";

const model = createScriptedModel(function* (task) {
  const [first] = yield turn("one", call("look", { at: task }));
  const [second] = yield turn(`saw ${String(first)}`, call("look", {}), call("look", {}));
  return `then ${String(second)}`;
});

/** Answers like tools would, until the model asks for nothing. */
async function finish(conversation: Message[]): Promise<void> {
  for (;;) {
    // Another process each time, for all the model knows.
    const answer: AssistantTurn = await askModel(model, [...conversation]);
    conversation.push({ role: "assistant", ...answer });
    if (answer.calls.length === 0) return;
    conversation.push({ role: "tool", results: answer.calls.map(({ id }) => success(`result of ${id}`)) });
    conversation.push({ role: "user", text: "Approved: something" });
  }
}

test("createScriptedModel() follows its script through any conversation, task after task, and counts its calls on", async () => {
  const conversation: Message[] = [{ role: "user", text: "a" }];
  await finish(conversation);
  expect(conversation.at(-1)).toMatchObject({ text: "then result of call_2" });
  conversation.push({ role: "user", text: "b" });
  await finish(conversation);
  expect(conversation.at(-1)).toMatchObject({ text: "then result of call_5" });
});
