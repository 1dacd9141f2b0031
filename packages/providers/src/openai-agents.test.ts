import { defineTool, createToolRegistry, success, createTranscript } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toOpenAiAgentsSettings } from "./openai-agents.ts";

const shot = defineTool({
  name: "screen.shot-now",
  description: "Takes a picture.",
  parameters: z.object({ width: z.int().optional(), tags: z.record(z.string(), z.string()).optional() }),
  context: z.object({ screen: z.string() }),
  execute: ({ width = 100 }, { context }) =>
    success("taken", {
      content: [
        { type: "text", text: `${context.screen} ${width}` },
        { type: "image", data: "aW1n", mimeType: "image/png" },
        { type: "image", data: "aW1n", mimeType: "image/svg+xml" },
      ],
      metadata: { key: "SECRET" },
    }),
});
const wait = defineTool({
  name: "wait",
  description: "Waits for ever.",
  parameters: z.object({}),
  execute: () => new Promise<string>(() => undefined),
});
const registry = createToolRegistry().register([shot, wait]);
const context = { screen: "left" };

describe("toOpenAiAgentsSettings()", () => {
  it("writes what tool() takes: names in its characters, strict only where the subset can say the schema", () => {
    const [first, second] = toOpenAiAgentsSettings((one) => one, registry, { context, strict: true }).tools;
    expect(first).toMatchObject({ name: "screen_shot_now", description: "Takes a picture.", strict: false });
    expect(first?.parameters).toMatchObject({
      type: "object",
      required: [],
      properties: { width: { type: "integer" } },
    });
    expect(second).toMatchObject({ name: "wait", strict: true, needsApproval: false });
    expect(second?.parameters).toEqual({ type: "object", properties: {}, required: [], additionalProperties: false });
  });

  it("runs calls through the registry and answers text and images, never metadata", async () => {
    const transcript = createTranscript();
    const [first] = toOpenAiAgentsSettings((one) => one, registry, { context, transcript }).tools;
    const details = { toolCall: { callId: "call_1" } };
    expect(await first?.execute({ width: 5 }, undefined, details)).toEqual([
      { type: "text", text: "left 5" },
      { type: "image", image: "data:image/png;base64,aW1n", detail: "auto" },
      { type: "text", text: "[image (image/svg+xml) cannot be shown here]" },
    ]);
    expect(await first?.execute({ width: "wide" })).toMatch(/^Cannot call screen\.shot-now/);
    expect(transcript.entries.map(({ callId, name, result }) => [callId, name, result.success])).toEqual([
      ["call_1", "screen.shot-now", true],
      [expect.any(String), "screen.shot-now", false],
    ]);
  });

  it("takes out the nulls that strict schemas put in", async () => {
    const transcript = createTranscript();
    const narrow = createToolRegistry().register(
      defineTool({
        name: "narrow",
        description: "Takes a width.",
        parameters: z.object({ width: z.int().optional() }),
        repair: "off",
        execute: ({ width }) => `${width}`,
      }),
    );
    const [only] = toOpenAiAgentsSettings((one) => one, narrow, { strict: ["narrow"], transcript }).tools;
    expect(only).toMatchObject({ strict: true, parameters: { required: ["width"], additionalProperties: false } });
    expect(await only?.execute({ width: null })).toBe("undefined");
  });

  it("cancels by the signal of the run and by the host's", async () => {
    const host = new AbortController();
    const run = new AbortController();
    const [, waiting] = toOpenAiAgentsSettings((one) => one, registry, { context, signal: host.signal }).tools;
    const one = waiting?.execute({}, undefined, { signal: run.signal });
    run.abort();
    expect(await one).toMatch(/^wait was cancelled/);
    const other = waiting?.execute({}, undefined, { signal: new AbortController().signal });
    host.abort();
    expect(await other).toMatch(/^wait was cancelled/);
  });
});
