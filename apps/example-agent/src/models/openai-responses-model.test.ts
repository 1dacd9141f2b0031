import { afterEach, describe, expect, test, vi } from "vitest";
import { askModel, HELLO } from "../../test/fake-provider/ask-model.ts";
import {
  refuse,
  startFakeProvider,
  stream,
  type FakeProvider,
  type Reply,
} from "../../test/fake-provider/fake-provider.ts";
import { responsesEvents } from "../../test/fake-provider/responses-events.ts";
import { createOpenAiResponsesModel } from "./openai-responses-model.ts";

let provider: FakeProvider;
async function start(...replies: readonly Reply[]): Promise<void> {
  provider = await startFakeProvider(...replies);
  vi.stubEnv("OPENAI_BASE_URL", provider.url);
  vi.stubEnv("OPENAI_API_KEY", "test");
}
afterEach(async () => {
  vi.unstubAllEnvs();
  await provider.close();
});
const hi = stream(responsesEvents({ text: "Hi." }));

describe("createOpenAiResponsesModel()", () => {
  test("lets nothing be stored, and gives encrypted reasoning back as it came", async () => {
    await start(hi, hi);
    const model = await createOpenAiResponsesModel("m");
    const turn = await askModel(model);
    await askModel(model, [...HELLO, { role: "assistant", ...turn }, { role: "user", text: "And?" }]);
    const [first, second] = provider.asked.map(({ body }) => body);
    expect(first).toMatchObject({ store: false, include: ["reasoning.encrypted_content"], instructions: "Be kind." });
    expect(second.input[1]).toMatchObject({ type: "reasoning", encrypted_content: "gAAA" });
    expect(second.input[2]).toMatchObject({ role: "assistant", content: [{ type: "output_text", text: "Hi." }] });
  });

  test("asks models that do not reason for no reasoning", async () => {
    await start(refuse(400, "Encrypted content is not supported with this model."), hi, hi);
    const model = await createOpenAiResponsesModel("m");
    expect((await askModel(model)).text).toBe("Hi.");
    await askModel(model);
    expect(provider.asked.map(({ body }) => "include" in body)).toEqual([true, false, false]);
  });

  test("says why a response failed", async () => {
    const response = { id: "r", status: "failed", error: { code: "server_error", message: "out of luck" }, output: [] };
    const event = { type: "response.failed", sequence_number: 0, response };
    await start(stream([`event: response.failed\ndata: ${JSON.stringify(event)}\n\n`]));
    await expect(askModel(await createOpenAiResponsesModel("m"))).rejects.toThrow("out of luck");
  });
});
