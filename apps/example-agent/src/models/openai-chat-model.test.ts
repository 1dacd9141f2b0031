import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterEach, describe, expect, test } from "vitest";
import { askModel, HELLO } from "../../test/fake-provider/ask-model.ts";
import { chatEvents } from "../../test/fake-provider/chat-events.ts";
import { startFakeProvider, stream, type FakeProvider, type Reply } from "../../test/fake-provider/fake-provider.ts";
import type { Message } from "../agent/conversation.ts";
import { createOpenAiChatModel } from "./openai-chat-model.ts";

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const read = defineTool({ name: "read", description: "d", parameters, execute: ({ path }) => String(path) });
const registry = createToolRegistry().register(read);

let provider: FakeProvider;
async function start(...replies: readonly Reply[]) {
  provider = await startFakeProvider(...replies);
  return createOpenAiChatModel("m", provider.url);
}
afterEach(() => provider.close());

const sends = (...deltas: readonly object[]): Reply =>
  stream(
    [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: "tool_calls" }].map(
      (choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`,
    ),
  );
const called = (path: string) => ({ name: "read", arguments: JSON.stringify({ path }) });

describe("createOpenAiChatModel()", () => {
  test("gives ids of its own to calls without, and to those whose id was there before", async () => {
    const again = stream(chatEvents({ calls: [{ id: "call_1", name: "read", input: { path: "a" } }] }));
    const model = await start(again, again, sends({ tool_calls: [{ index: 0, function: called("b") }] }));
    const conversation: Message[] = [...HELLO];
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await askModel(model, conversation, registry);
      conversation.push(
        { role: "assistant", ...answer },
        { role: "tool", results: await registry.dispatchAll(answer.calls) },
      );
    }
    const ids = conversation
      .flatMap((message) => (message.role === "assistant" ? message.calls : []))
      .map(({ id }) => id);
    expect(ids[0]).toBe("call_1");
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id !== undefined && id !== "")).toBe(true);
  });

  test("tells calls apart that a server gives one number, by their ids", async () => {
    const model = await start(
      sends(
        { tool_calls: [{ index: 0, id: "a", function: called("one") }] },
        { tool_calls: [{ index: 0, id: "b", function: called("two") }] },
      ),
    );
    const { calls } = await askModel(model, HELLO, registry);
    expect(calls.map(({ id, arguments: sent }) => [id, sent])).toEqual([
      ["a", { path: "one" }],
      ["b", { path: "two" }],
    ]);
  });

  test("leaves arguments that are no JSON for the registry to repair or refuse", async () => {
    const model = await start(
      sends({ tool_calls: [{ index: 0, id: "a", function: { name: "read", arguments: '{"path":' } }] }),
    );
    const { calls } = await askModel(model, HELLO, registry);
    const [result] = await registry.dispatchAll(calls);
    expect(result?.success).toBe(false);
  });
});
