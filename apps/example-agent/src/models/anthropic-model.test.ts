import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { anthropicEvents } from "../../test/fake-provider/anthropic-events.ts";
import { askModel, HELLO } from "../../test/fake-provider/ask-model.ts";
import { startFakeProvider, stream, type FakeProvider } from "../../test/fake-provider/fake-provider.ts";
import type { Message } from "../agent/conversation.ts";
import { createAnthropicModel } from "./anthropic-model.ts";
import { retryingModel } from "./retrying-model.ts";

const parameters = { type: "object", properties: {} };
const [first, last] = ["first", "last"].map((name) =>
  defineTool({ name, description: "d", parameters, execute: () => "done" }),
);
const registry = createToolRegistry();
if (first !== undefined && last !== undefined) registry.register(first).register(last);

let provider: FakeProvider;
beforeEach(async () => {
  const calls = [{ id: "toolu_1", name: "first", input: {} }];
  const thinks = stream(anthropicEvents({ text: "Let me think.", calls }));
  provider = await startFakeProvider(thinks, stream(anthropicEvents({ text: "Done." })));
  vi.stubEnv("ANTHROPIC_BASE_URL", provider.url);
  vi.stubEnv("ANTHROPIC_API_KEY", "test");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await provider.close();
});

describe("createAnthropicModel()", () => {
  test("takes an error in the middle of a stream for an answer that broke off", async () => {
    const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const half = anthropicEvents({ text: "Let me" }).slice(0, 6);
    await provider.close();
    provider = await startFakeProvider(
      stream([...half, `event: error\ndata: ${JSON.stringify(overloaded)}\n\n`]),
      stream(anthropicEvents({ text: "Done." })),
    );
    vi.stubEnv("ANTHROPIC_BASE_URL", provider.url);
    expect((await askModel(retryingModel(await createAnthropicModel("m")))).text).toBe("Done.");
  });

  describe("when the JSON of a call is broken", () => {
    const place = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
    const ran: unknown[] = [];
    const execute = (params: unknown) => (ran.push(params), "cold");
    const weather = createToolRegistry().register(
      defineTool({ name: "weather", description: "d", parameters: place, execute }),
    );
    /** An answer whose call has this text for its arguments. */
    const broken = (json: string) =>
      anthropicEvents({ text: "I look.", calls: [{ id: "toolu_1", name: "weather", input: { city: "Oslo" } }] })
        .filter((event) => !event.includes("input_json_delta") || event.includes('"partial_json":""'))
        .map((event) => event.replace('"partial_json":""', `"partial_json":${JSON.stringify(json)}`));

    test.each([
      ["{city: 'Oslo',}", true],
      ['{"city":"Oslo"}}', true],
      ['{"city":"Os', false],
      ['{"city": nothing at all', false],
      ["\u0000<html>", false],
      ["[[", false],
    ])("%j: the turn goes on, and the tool gets whole arguments or none", async (json, isRun) => {
      ran.length = 0;
      await provider.close();
      provider = await startFakeProvider(stream(broken(json)), stream(anthropicEvents({ text: "Done." })));
      vi.stubEnv("ANTHROPIC_BASE_URL", provider.url);
      const model = retryingModel(await createAnthropicModel("m"));
      const asked = await askModel(model, HELLO, weather);
      expect(asked.text).toBe("I look.");
      const results = await weather.dispatchAll(asked.calls);
      expect(ran).toEqual(isRun ? [{ city: "Oslo" }] : []);
      expect(results.map(({ success }) => success)).toEqual([isRun]);
      const after = [...HELLO, { role: "assistant", ...asked }, { role: "tool", results }] as Message[];
      expect((await askModel(model, after, weather)).text).toBe("Done.");
      // The provider refuses a call that comes back with anything but an object, and its answer must follow it.
      const [, sent, answered] = provider.asked[1]?.body.messages ?? [];
      expect(sent.content.at(-1)).toMatchObject({ type: "tool_use", id: "toolu_1", input: expect.any(Object) });
      expect(answered.content).toMatchObject([{ tool_use_id: "toolu_1", ...(isRun ? {} : { is_error: true }) }]);
      expect(provider.asked).toHaveLength(2);
    });
  });

  test("marks tools, instructions and the conversation to be cached, and nothing else", async () => {
    await askModel(await createAnthropicModel("m"), HELLO, registry);
    const { tools, system, cache_control: marked } = provider.asked[0]?.body ?? {};
    const mark = { type: "ephemeral" };
    expect(tools.map((tool: { cache_control?: object }) => tool.cache_control)).toEqual([undefined, mark]);
    expect(system).toEqual([{ type: "text", text: "Be kind.", cache_control: mark }]);
    expect(marked).toEqual(mark);
  });

  test("gives signed reasoning back as it came, also out of a saved session", async () => {
    const model = await createAnthropicModel("m");
    const turn = await askModel(model, HELLO, registry);
    const results = await registry.dispatchAll(turn.calls);
    const saved = JSON.parse(JSON.stringify({ role: "assistant", ...turn })) as Message;
    await askModel(model, [...HELLO, saved, { role: "tool", results }], registry);
    const messages = provider.asked[1]?.body.messages;
    expect(messages[1]).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "sig" },
        { type: "text", text: "Let me think." },
        { type: "tool_use", id: "toolu_1", name: "first", input: {} },
      ],
    });
    expect(messages[2].content).toEqual([{ type: "tool_result", tool_use_id: "toolu_1", content: "done" }]);
  });
});
