import { defineTool, createToolRegistry, success, createTranscript } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AiSdkCallOptions, toAiSdkSettings } from "./ai-sdk.ts";

const metadata: Record<string, unknown> = { key: "SECRET" };
metadata["self"] = metadata;
const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;

const shot = defineTool({
  name: "screen.shot",
  description: "Takes a picture.",
  parameters: z.object({ width: z.int().default(100) }),
  output: z.object({ width: z.number() }),
  context: z.object({ screen: z.string() }),
  execute: ({ width }, { context }) =>
    success("taken", { content: [{ type: "text", text: context.screen }, image], data: { width }, metadata }),
});
const wait = defineTool({
  name: "wait",
  description: "Waits for ever.",
  parameters: z.object({}),
  execute: () => new Promise<string>(() => undefined),
});
const registry = createToolRegistry().register([shot, wait]);

const context = { screen: "left" };
const call = (toolCallId: string, abortSignal?: AbortSignal): AiSdkCallOptions => ({
  toolCallId,
  messages: [],
  abortSignal,
});

/** The last output of a call. */
async function lastOf<T>(outputs: AsyncIterable<T>): Promise<T | undefined> {
  return (await Array.fromAsync(outputs)).at(-1);
}

describe("toAiSdkSettings()", () => {
  it("writes tools by name, with the schema marked as the AI SDK's jsonSchema() marks it", () => {
    const tools = toAiSdkSettings(registry, { context }).tools;
    expect(Object.keys(tools)).toEqual(["screen_shot", "wait"]);
    const { description, inputSchema } = tools.screen_shot;
    expect(description).toBe("Takes a picture.");
    expect(inputSchema).toMatchObject({ jsonSchema: { type: "object", properties: { width: { default: 100 } } } });
    expect(inputSchema).toHaveProperty("validate", undefined);
    expect((inputSchema as unknown as Record<symbol, unknown>)[Symbol.for("vercel.ai.schema")]).toBe(true);
  });

  it("runs calls through the registry: context, transcript, validation", async () => {
    const transcript = createTranscript();
    const tools = toAiSdkSettings(registry, { context, transcript }).tools;
    const output = await lastOf(tools.screen_shot.execute({ width: 5 }, call("call_1")));
    expect(output).toEqual({ content: [{ type: "text", text: "left" }, image], data: { width: 5 } });
    const refused = lastOf(tools.screen_shot.execute({ width: "wide" as never }, call("call_2")));
    await expect(refused).rejects.toMatchObject({
      code: "invalid_params",
      message: expect.stringMatching(/^Cannot call/),
    });
    expect(transcript.entries.map(({ callId, name }) => [callId, name])).toEqual([
      ["call_1", "screen.shot"],
      ["call_2", "screen.shot"],
    ]);
  });

  it.each([
    [7, { type: "file", data: { type: "data", data: "aW1n" }, mediaType: "image/png" }],
    [6, { type: "image-data", data: "aW1n", mediaType: "image/png" }],
  ] as const)(
    "tells a model text and images in the words of version %d, also of a stored output",
    async (version, file) => {
      const tools = toAiSdkSettings(registry, { context, version }).tools;
      const output = await lastOf(tools.screen_shot.execute({}, call("call_1")));
      const stored = JSON.parse(JSON.stringify(output)) as never;
      expect(JSON.stringify(stored)).not.toContain("SECRET");
      const value = [{ type: "text", text: "left" }, file];
      expect(tools.screen_shot.toModelOutput({ output: stored })).toEqual({ type: "content", value });
      for (const other of [undefined, null, "x", { success: true }, { content: "x" }, { content: [null, {}, 5] }]) {
        expect(() => tools.wait.toModelOutput({ output: other as never })).not.toThrow();
      }
    },
  );

  it("cancels by the AI SDK's signal and by the host's", async () => {
    const host = new AbortController();
    const own = new AbortController();
    const tools = toAiSdkSettings(registry, { context, signal: host.signal }).tools;
    const one = lastOf(tools.wait.execute({}, call("call_1", own.signal)));
    own.abort();
    await expect(one).rejects.toMatchObject({ code: "cancelled" });
    const other = lastOf(tools.wait.execute({}, call("call_2", new AbortController().signal)));
    host.abort();
    await expect(other).rejects.toMatchObject({ code: "cancelled" });
  });
});
