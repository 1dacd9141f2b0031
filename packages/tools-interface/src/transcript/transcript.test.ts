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

  test("holds the beginning of very long arguments, keeps the rest, and still knows the call", async () => {
    const kept: string[] = [];
    let runs = 0;
    const put = defineTool({
      name: "put",
      description: "Stores a text.",
      parameters: { type: "object", properties: { text: { type: "string" } } },
      execute: () => `stored ${(runs += 1)}`,
    });
    const keepOutput = ({ text }: { readonly text: string }): string => {
      kept.push(text);
      return "Read it with read_output";
    };
    const keeping = createToolRegistry({ keepOutput }).register(put);
    const transcript = createTranscript();
    const call = (text: string) => ({ id: "toolu_01A09q90qw90", name: "put", arguments: { text } });
    const texts = ["a".repeat(65_000), "b".repeat(70_000), `${"b".repeat(69_999)}c`];
    for (const text of texts) await keeping.dispatch(call(text), { transcript });
    expect(transcript.entries.map((entry) => typeof entry.arguments)).toEqual(["object", "string", "string"]);
    expect(String(transcript.entries[1]?.arguments)).toMatch(
      /^\{"text":"b{991}\n\[cut: 70011 characters\. Read it with read_output\]$/,
    );
    expect(kept).toEqual(texts.slice(1).map((text) => JSON.stringify({ text })));
    const restored = createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
    for (const text of texts.slice(2)) await keeping.dispatch(call(text), { transcript: restored });
    expect(runs).toBe(3);
    await keeping.dispatch(call("b".repeat(70_001)), { transcript: restored });
    expect(runs).toBe(4);
  });

  test("keeps entries frozen", async () => {
    const transcript = createTranscript();
    await registry.dispatch("stamp", {}, { transcript });
    expect(Object.isFrozen(transcript.entries[0])).toBe(true);
  });
});
