import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DIALECTS } from "../../test/fake-provider/dialects.ts";
import {
  refuse,
  startFakeProvider,
  stream,
  type FakeProvider,
  type Reply,
} from "../../test/fake-provider/fake-provider.ts";
import type { AssistantTurn, Message } from "../agent/conversation.ts";
import type { ModelRequest } from "../agent/model.ts";
import { retryingModel } from "./retrying-model.ts";

const weather = defineTool({
  name: "weather.get",
  description: "The weather.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: ({ city }) => `${String(city)}: 3 degrees`,
});
const registry = createToolRegistry().register(weather);
const ask: readonly Message[] = [{ role: "user", text: "How cold is it?" }];
const CALLS = [
  { id: "call_a", name: "weather_get", input: { city: "Malmö 🌦️" } },
  { id: "call_b", name: "weather_get", input: { city: "Oslo" } },
];

const NO_IDS: ReadonlySet<string> = new Set();
let provider: FakeProvider | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await provider?.close();
});

describe.each(DIALECTS)("a model over $dialect", ({ path, environment, create, events }) => {
  /** Asks a model that is answered so. */
  async function respond(replies: readonly Reply[], request: Partial<ModelRequest> = {}) {
    provider = await startFakeProvider(...replies);
    for (const [name, value] of Object.entries(environment(provider.url))) vi.stubEnv(name, value);
    const [pieces, notices]: [string[], string[]] = [[], []];
    const model = retryingModel(await create(provider.url));
    const answer: Promise<AssistantTurn> = model.respond({
      instructions: "Be kind.",
      conversation: ask,
      registry,
      takenIds: NO_IDS,
      signal: AbortSignal.timeout(20_000),
      onText: (piece) => pieces.push(piece),
      onNotice: (text) => notices.push(text),
      ...request,
    });
    return { answer, pieces, notices, provider };
  }

  test("streams text as it comes, and counts", async () => {
    const { answer, pieces, provider: asked } = await respond([stream(events({ text: "Cold: −3 °C 🌨️." }))]);
    expect(await answer).toMatchObject({
      text: "Cold: −3 °C 🌨️.",
      calls: [],
      usage: { input: 42, cached: 30, output: 7 },
    });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe("Cold: −3 °C 🌨️.");
    expect(asked.asked[0]?.path).toBe(path);
    expect(JSON.stringify(asked.asked[0]?.body)).toContain("Be kind.");
  });

  test("puts calls together from their pieces, several in one answer, with the tools' own names", async () => {
    const { answer } = await respond([stream(events({ text: "Let me see.", calls: CALLS }))]);
    expect((await answer).calls).toMatchObject([
      { id: "call_a", name: "weather.get", arguments: { city: "Malmö 🌦️" } },
      { id: "call_b", name: "weather.get", arguments: { city: "Oslo" } },
    ]);
  });

  test("receives its own turn and the results of its calls", async () => {
    const first = await respond([stream(events({ text: "Let me see.", calls: CALLS }))]);
    const turn = await first.answer;
    const results = await registry.dispatchAll(turn.calls);
    // As it comes out of a saved session.
    const saved = JSON.parse(JSON.stringify(turn)) as AssistantTurn;
    const conversation: Message[] = [...ask, { role: "assistant", ...saved }, { role: "tool", results }];
    await first.provider.close();
    const { answer, provider: asked } = await respond([stream(events({ text: "Very." }))], { conversation });
    await answer;
    const sent = JSON.stringify(asked.asked[0]?.body);
    for (const part of ["How cold", "Let me see.", "call_a", "Malmö 🌦️: 3 degrees", "Oslo: 3 degrees"]) {
      expect(sent).toContain(part);
    }
    expect(sent).not.toContain("weather.get");
  });

  test("takes over a conversation of another model", async () => {
    const calls = [{ id: "x_1", name: "weather.get", arguments: '{"city":"Rome"}' }];
    const results = await registry.dispatchAll(calls);
    const original = { model: "another", content: [{ type: "alien" }] };
    const conversation: Message[] = [
      ...ask,
      { role: "assistant", text: "", calls, original },
      { role: "tool", results },
    ];
    const { answer, provider: asked } = await respond([stream(events({ text: "Warm." }))], { conversation });
    expect((await answer).text).toBe("Warm.");
    expect(JSON.stringify(asked.asked[0]?.body)).not.toContain("alien");
    expect(JSON.stringify(asked.asked[0]?.body)).toContain("x_1");
  });

  test("sends the same bytes for tools and instructions in every turn", async () => {
    const replies = [stream(events({ text: "a" })), stream(events({ text: "b" }))];
    const first = await respond(replies);
    await first.answer;
    await retryingModel(await create(first.provider.url)).respond({
      instructions: "Be kind.",
      registry,
      takenIds: NO_IDS,
      signal: AbortSignal.timeout(20_000),
      onText() {},
      onNotice() {},
      conversation: [...ask, { role: "assistant", text: "a", calls: [] }, { role: "user", text: "And now?" }],
    });
    const [one, two] = first.provider.asked.map(({ body }) =>
      JSON.stringify([body.tools, body.system, body.instructions]),
    );
    expect(one).toContain("weather_get");
    expect(two).toBe(one);
  });

  test("marks the call that an answer was cut off in", async () => {
    const { answer } = await respond([stream(events({ text: "Both.", calls: CALLS, cutOff: true }))]);
    const { calls, ...rest } = await answer;
    expect(rest).toMatchObject({ text: "Both.", cutOff: true });
    expect(calls.map(({ cutOff }) => cutOff !== undefined)).toEqual([false, true]);
  });

  test("asks again after the server's Retry-After, and says so", async () => {
    const busy = refuse(429, "slow down", { "retry-after-ms": "5", "retry-after": "1" });
    const {
      answer,
      notices,
      provider: asked,
    } = await respond([busy, refuse(503, "busy", { "retry-after-ms": "5" }), stream(events({ text: "Ok" }))]);
    expect((await answer).text).toBe("Ok");
    expect(asked.asked).toHaveLength(3);
    expect(notices[0]).toMatch(/^127\.0\.0\.1:\d+ answered 429, asked to wait 1 s: asking again \(1 of 4\)$/);
    expect(notices[1]).toMatch(/answered 503: asking again \(2 of 4\)$/);
  });

  test("gives up in the end, with the provider's reason", async () => {
    const broken = refuse(500, "the disk is full", { "retry-after-ms": "1" });
    const { answer, provider: asked } = await respond([broken, broken, broken, broken, broken]);
    await expect(answer).rejects.toThrow(/Cannot get an answer of \w+:m: 500 .*the disk is full/);
    expect(asked.asked).toHaveLength(5);
  });

  test("does not ask again what was refused, and says what to do", async () => {
    const { answer, provider: asked } = await respond([refuse(401, "bad key")]);
    await expect(answer).rejects.toThrow(/401 .*bad key.*; check the key in the environment$/);
    expect(asked.asked).toHaveLength(1);
  });

  test("says where nobody answers", async () => {
    const gone = await startFakeProvider();
    await gone.close();
    for (const [name, value] of Object.entries(environment(gone.url))) vi.stubEnv(name, value);
    const model = await create(gone.url);
    const stop = new AbortController();
    const notices: string[] = [];
    const onNotice = (text: string): void => {
      notices.push(text);
      stop.abort(new Error("enough"));
    };
    const request = { instructions: "", conversation: ask, registry, takenIds: NO_IDS, signal: stop.signal };
    await expect(model.respond({ ...request, onText() {}, onNotice })).rejects.toThrow("enough");
    expect(notices[0]).toMatch(/cannot be reached: asking again \(1 of 4\)/);
  });

  describe("when an answer breaks off", () => {
    const whole = events({ text: "Let me see.", calls: CALLS });
    const half = whole.slice(0, -3);

    test.each(["break", "end"] as const)("asks again, and takes calls of the whole answer alone (%s)", async (how) => {
      const { answer, notices, pieces } = await respond([stream(half, how), stream(whole)]);
      expect((await answer).calls).toHaveLength(2);
      expect(notices).toEqual([
        expect.stringMatching(/Cannot read the answer of \w+:m: it broke off .*: asking again \(1 of 2\)/),
      ]);
      expect(pieces.join("")).toBe("Let me see.Let me see.");
    });

    test("says so after three times", async () => {
      const { answer, provider: asked } = await respond([
        stream(half, "break"),
        stream(half, "end"),
        stream([], "end"),
      ]);
      await expect(answer).rejects.toThrow(/it broke off/);
      expect(asked.asked).toHaveLength(3);
    });
  });

  test.each([0, 2])("stops at once when it is cancelled, in an endless wait after %i events", async (count) => {
    const stop = new AbortController();
    const { answer, provider: asked } = await respond([stream(events({ text: "Wait" }).slice(0, count), "hang")], {
      signal: stop.signal,
    });
    await expect.poll(() => asked.asked.length).toBe(1);
    stop.abort(new Error("stopped by Ctrl-C"));
    await expect(answer).rejects.toThrow("stopped by Ctrl-C");
    await expect.poll(() => asked.dropped).toBe(1);
    expect(asked.asked).toHaveLength(1);
  });
});
