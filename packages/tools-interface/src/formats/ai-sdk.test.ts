import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/define-tool.ts";
import { createToolRegistry } from "../registry/tool-registry.ts";
import { success } from "../result/tool-result.ts";
import { createTranscript } from "../transcript/transcript.ts";
import { toAiSdkTools } from "./ai-sdk.ts";

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

describe("toAiSdkTools()", () => {
  it("writes tools by name, with the schema marked as the AI SDK's jsonSchema() marks it", () => {
    const tools = toAiSdkTools(registry, { context: { screen: "left" } });
    expect(Object.keys(tools)).toEqual(["screen_shot", "wait"]);
    const { description, inputSchema } = tools["screen_shot"] ?? {};
    expect(description).toBe("Takes a picture.");
    expect(inputSchema).toMatchObject({ jsonSchema: { type: "object", properties: { width: { default: 100 } } } });
    expect(inputSchema).toHaveProperty("validate", undefined);
    expect((inputSchema as unknown as Record<symbol, unknown>)[Symbol.for("vercel.ai.schema")]).toBe(true);
  });

  it("runs calls through the registry: context, transcript, validation", async () => {
    const transcript = createTranscript();
    const tools = toAiSdkTools(registry, { context: { screen: "left" }, transcript });
    const output = await tools["screen_shot"]?.execute({ width: 5 }, { toolCallId: "call_1" });
    expect(output).toEqual({
      success: true,
      content: [{ type: "text", text: "left" }, image],
      data: { width: 5 },
    });
    const refused = await tools["screen_shot"]?.execute({ width: "wide" }, { toolCallId: "call_2" });
    expect(refused).toMatchObject({ success: false, code: "invalid_params" });
    expect(transcript.entries.map(({ callId, name }) => [callId, name])).toEqual([
      ["call_1", "screen.shot"],
      ["call_2", "screen.shot"],
    ]);
    expect(tools["screen_shot"]?.toModelOutput({ output: refused })).toMatchObject({ type: "error-text" });
  });

  it("tells the model text and images, never data or metadata, also of an output that was stored", async () => {
    const tools = toAiSdkTools(registry, { context: { screen: "left" } });
    const output = await tools["screen_shot"]?.execute({}, { toolCallId: "call_1" });
    const stored = JSON.parse(JSON.stringify(output)) as unknown;
    expect(JSON.stringify(stored)).not.toContain("SECRET");
    expect(tools["screen_shot"]?.toModelOutput({ output: stored })).toEqual({
      type: "content",
      value: [
        { type: "text", text: "left" },
        { type: "image-data", data: "aW1n", mediaType: "image/png" },
      ],
    });
    for (const other of [undefined, null, "x", { success: true }, { content: "x" }]) {
      expect(["text", "error-text"]).toContain(tools["wait"]?.toModelOutput({ output: other }).type);
    }
  });

  it("cancels by the AI SDK's signal and by the host's", async () => {
    const host = new AbortController();
    const call = new AbortController();
    const tools = toAiSdkTools(registry, { context: { screen: "left" }, signal: host.signal });
    const one = tools["wait"]?.execute({}, { toolCallId: "call_1", abortSignal: call.signal });
    call.abort();
    expect(await one).toMatchObject({ success: false, code: "cancelled" });
    const other = tools["wait"]?.execute({}, { toolCallId: "call_2", abortSignal: new AbortController().signal });
    host.abort();
    expect(await other).toMatchObject({ success: false, code: "cancelled" });
  });
});
