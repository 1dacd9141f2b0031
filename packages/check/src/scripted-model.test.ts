import { createToolRegistry, defineTool, type ToolResult } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { createScriptedModel, type ScriptedModel, type ScriptedTurn } from "./scripted-model.ts";

type Message =
  | { readonly role: "user"; readonly text: string }
  | ({ readonly role: "assistant" } & ScriptedTurn)
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

const echo = defineTool({
  name: "echo",
  description: "Answers what it is told.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }) => String(text),
});
const registry = createToolRegistry().register(echo);
const asksTwice = { text: "Let me ask.", calls: [ask("a"), ask("b")] };

function ask(text: string): { name: string; arguments: { text: string } } {
  return { name: "echo", arguments: { text } };
}

/** A loop as agents have it. */
async function converse(model: ScriptedModel<Message>): Promise<readonly Message[]> {
  const messages: Message[] = [{ role: "user", text: "the task" }];
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await model.respond(messages, registry.toModelTools());
    messages.push({ role: "assistant", ...answer });
    if (answer.calls.length === 0) return messages;
    messages.push({ role: "tool", results: await registry.dispatchAll(answer.calls) });
  }
  return messages;
}

describe("createScriptedModel()", () => {
  test("answers step by step, from what it sees", async () => {
    const model = createScriptedModel<Message>([
      asksTwice,
      ({ results, tools, turn }) => `${results.join()} ${tools.length} ${turn}`,
    ]);
    const messages = await converse(model);
    expect(messages.at(-1)).toEqual({ role: "assistant", text: "a,b 1 1", calls: [] });
    expect(model.turns).toHaveLength(2);
    model.assertDone();
  });

  test("follows a dialogue", async () => {
    const model = createScriptedModel<Message>(function* ({ messages }) {
      const [task] = messages;
      const { results } = yield { calls: [ask("a")] };
      const second = yield { calls: [ask(`${String(results[0])}!`)] };
      return `${task?.role}: ${String(second.results[0])}`;
    });
    expect((await converse(model)).at(-1)).toMatchObject({ text: "user: a!" });
    model.assertDone();
    await expect(model.respond([])).rejects.toThrow("Cannot answer turn 4: the script has 3 turns");
  });

  test("gives each call an id of its own, and keeps those that were given", async () => {
    const model = createScriptedModel([{ calls: [{ id: "call_2", name: "a" }, { name: "b" }, { name: "c" }] }]);
    const { calls } = await model.respond([]);
    expect(calls[0]?.id).toBe("call_2");
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    expect(calls[1]).toMatchObject({ name: "b", arguments: {} });
  });

  test("rejects when the script is at its end, with the last result", async () => {
    const model = createScriptedModel<Message>([asksTwice]);
    await expect(converse(model)).rejects.toThrow(
      "Cannot answer turn 2: the script has 1 steps. The last result was: b",
    );
  });

  test("rejects when a step fails, with what it threw", async () => {
    const model = createScriptedModel<Message>([
      asksTwice,
      ({ results }) => {
        expect(results).toHaveLength(3);
        return "never said";
      },
    ]);
    await expect(converse(model)).rejects.toThrow(/^Cannot answer turn 2: its step failed, .*length/s);
  });

  test("rejects when calls have no results, as real models do", async () => {
    const model = createScriptedModel<Message>([asksTwice, asksTwice, "done"]);
    const question: Message = { role: "user", text: "the task" };
    await model.respond([question]);
    await expect(model.respond([question])).rejects.toThrow("made 2 calls, and 0 results");
    const results = await registry.dispatchAll(model.turns[0]?.calls ?? []);
    const answered: Message[] = [question, { role: "tool", results }];
    await model.respond(answered);
    await expect(model.respond(answered)).rejects.toThrow("made 2 calls, and 0 results");
  });

  test("finds results at the given place, or does without", async () => {
    const model = createScriptedModel<string>([asksTwice, ({ results }) => `${results.length} results`], {
      resultsOf: () => undefined,
    });
    await model.respond([]);
    expect(await model.respond(["tool: a, b"])).toEqual({ text: "0 results", calls: [] });
  });

  test("rejects once its signal is aborted, without taking a step", async () => {
    const model = createScriptedModel(["done"]);
    await expect(model.respond([], [], AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    expect(() => model.assertDone()).toThrow("1 of 1 steps were never asked for");
  });
});
