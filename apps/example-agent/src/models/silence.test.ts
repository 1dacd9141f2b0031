import { createToolRegistry } from "@dispatch/tools-interface";
import { afterEach, expect, test } from "vitest";
import { askModel, HELLO } from "../../test/fake-provider/ask-model.ts";
import { chatEvents } from "../../test/fake-provider/chat-events.ts";
import { startFakeProvider, stream, type FakeProvider } from "../../test/fake-provider/fake-provider.ts";
import { createLoggingFetch } from "./logging-fetch.ts";
import { createOpenAiChatModel } from "./openai-chat-model.ts";
import { providerError } from "./provider-error.ts";
import { SilenceError, silenceOf } from "./silence.ts";

let provider: FakeProvider | undefined;
afterEach(() => provider?.close());

test("a stalled stream gives a notice, then breaks off, and its connection is closed", async () => {
  provider = await startFakeProvider(stream(["data: 1\n\n"], "hang"));
  const notices: string[] = [];
  const watched = createLoggingFetch((text) => notices.push(text), { noticeMs: 50, timeoutMs: 1_000 });
  const response = await watched.fetch(provider.url, { method: "POST", body: "{}" });
  await expect(response.text()).rejects.toThrow("nothing came for 1 s");
  // On a busy machine there is one for the time before the stream begins, too.
  expect(new Set(notices)).toEqual(new Set([`${new URL(provider.url).host} has sent nothing for 0 s: still waiting`]));
  await expect.poll(() => provider?.dropped).toBe(1);
});

test("an answer that never begins is reported and requested again", async () => {
  provider = await startFakeProvider(() => {}, stream(chatEvents({ text: "Late." })));
  const model = await createOpenAiChatModel("m", `${provider.url}/v1`, { noticeMs: 500, timeoutMs: 1_000 });
  const notices: string[] = [];
  const answer = await askModel(model, HELLO, createToolRegistry(), (text) => notices.push(text));
  expect(answer.text).toBe("Late.");
  expect(notices).toEqual([
    expect.stringContaining("has sent nothing for 1 s: still waiting"),
    expect.stringContaining("sent nothing in time: asking again (1 of 4)"),
  ]);
});

test("the reason of a failure is the silence, not the SDK's words for it", () => {
  const thrown = new Error("Connection error.", { cause: new SilenceError(silenceOf(7)) });
  expect(
    providerError(
      "m",
      thrown,
      createLoggingFetch(() => {}),
    ).message,
  ).toBe("Cannot get an answer of m: nothing came for 7 s; is the server there?");
});

test("a silence that no timer can wait for is cut to the longest that one can", () => {
  expect(silenceOf(1e9)).toEqual({ noticeMs: 20_000, timeoutMs: 2 ** 31 - 1 });
  expect(silenceOf(8)).toEqual({ noticeMs: 4_000, timeoutMs: 8_000 });
});

test("a stream that ends in time is whole, and gives no notice", async () => {
  const events = Array.from({ length: 200 }, (_, index) => `data: ${index}\n\n`);
  provider = await startFakeProvider(stream(events));
  const notices: string[] = [];
  const watched = createLoggingFetch((text) => notices.push(text));
  const response = await watched.fetch(provider.url, { method: "POST", body: "{}" });
  expect(await response.text()).toBe(events.join(""));
  expect([notices, watched.answered]).toEqual([[], true]);
});
