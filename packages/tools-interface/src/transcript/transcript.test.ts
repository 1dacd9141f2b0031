import { describe, expect, test } from "vitest";
import { createToolRegistry, createTranscript, defineTool, success, type TranscriptEntry } from "../index.ts";

const stamp = defineTool({
  name: "stamp",
  description: "Answers with metadata that JSON cannot hold.",
  parameters: { type: "object" },
  execute: () => success("stamped", { metadata: { stopLoop: true, clock: () => 1 } }),
});
const registry = createToolRegistry().register(stamp);

describe("createTranscript()", () => {
  test("serialises to plain data that another transcript can be made of", async () => {
    const transcript = createTranscript();
    await registry.dispatch({ id: "a", name: "nope", arguments: { x: 1 } }, { transcript });
    const restored = createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
    await registry.dispatch({ id: "b", name: "nope" }, { transcript: restored });
    expect(restored.entries.map(({ callId }) => callId)).toEqual(["a", "b"]);
    expect(restored.entries[0]).toMatchObject({
      name: "nope",
      arguments: { x: 1 },
      result: { success: false, code: "tool_not_found" },
      startedAt: expect.any(Number),
      durationMs: expect.any(Number),
    });
  });

  test("leaves out metadata that JSON cannot hold and keeps the rest", async () => {
    const transcript = createTranscript();
    const result = await registry.dispatch("stamp", {}, { transcript });
    expect(result.metadata["stopLoop"]).toBe(true);
    expect(JSON.parse(JSON.stringify(transcript))).toMatchObject([
      { name: "stamp", result: { output: "stamped", metadata: {} } },
    ]);
  });

  test("keeps entries frozen", async () => {
    const transcript = createTranscript();
    await registry.dispatch("stamp", {}, { transcript });
    expect(Object.isFrozen(transcript.entries[0])).toBe(true);
  });
});
