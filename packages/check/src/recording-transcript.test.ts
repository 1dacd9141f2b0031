import {
  createToolRegistry,
  defineTool,
  success,
  type ToolEvent,
  type TranscriptEntry,
} from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRecordingTranscript } from "./recording-transcript.ts";

const registry = createToolRegistry().register([
  defineTool({
    name: "wait",
    description: "Waits.",
    parameters: z.object({ ms: z.number() }),
    annotations: { readOnly: true },
    execute: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, "waited")),
  }),
  defineTool({
    name: "nest",
    description: "Calls another tool.",
    parameters: z.object({}),
    annotations: { readOnly: false },
    async execute(_, { dispatch }) {
      return String(await dispatch?.({ id: "inner", name: "wait", arguments: { ms: 1 } }));
    },
  }),
]);
const calls = [
  { id: "1", name: "wait", arguments: { ms: 20 } },
  { name: "wait", arguments: "{broken" },
  { id: "3", name: "nest" },
  { id: "4", name: "nobody" },
];

async function recorded(): Promise<TranscriptEntry[]> {
  const transcript = createRecordingTranscript();
  await registry.dispatchAll(calls, { transcript });
  return [...transcript.entries];
}

function soundnessOf(entries: readonly TranscriptEntry[]): () => void {
  const transcript = createRecordingTranscript();
  for (const entry of entries) void transcript.append(entry);
  return () => transcript.assertSound(calls);
}

function changed(entries: readonly TranscriptEntry[], callId: string, change: object): readonly TranscriptEntry[] {
  return entries.map((entry) => (entry.callId === callId ? { ...entry, ...change } : entry));
}

describe("RecordingTranscript.assertSound()", () => {
  test("passes what a registry records, nested and parallel calls included", async () => {
    expect(soundnessOf(await recorded())).not.toThrow();
  });

  test("throws when an entry is missing, twice there or of no call", async () => {
    const entries = await recorded();
    expect(soundnessOf(entries.filter(({ callId }) => callId !== "4"))).toThrow("4 is not recorded");
    expect(soundnessOf([...entries, ...entries.slice(0, 1)])).toThrow("1 is recorded 2 times");
    const [first] = entries;
    expect(soundnessOf([...entries, { ...(first as TranscriptEntry), callId: "9", sequence: 1e9 }])).toThrow(
      "4 calls were made, 5 are recorded",
    );
  });

  test("throws when entries are out of the order of the calls", async () => {
    expect(soundnessOf(changed(await recorded(), "1", { sequence: 1e9 }))).toThrow("call 1 was 1, recorded is");
  });

  test("throws when a nested entry is of nobody or came first", async () => {
    const entries = await recorded();
    expect(soundnessOf(changed(entries, "inner", { parentCallId: "0" }))).toThrow("0, which is not recorded");
    expect(soundnessOf(changed(entries, "inner", { sequence: 0 }))).toThrow("inner came before 3");
  });

  test("throws when an entry cannot be stored or has no times", async () => {
    const entries = await recorded();
    const result = success("fine", { data: { at: 2n ** 70n } });
    expect(soundnessOf(changed(entries, "1", { result }))).toThrow("1 cannot be stored");
    expect(soundnessOf(changed(entries, "1", { result: { success: true, metadata: {} } }))).toThrow("1 has no text");
    expect(soundnessOf(changed(entries, "1", { durationMs: Number.NaN }))).toThrow("1 has times that are none");
  });
});

describe("createRecordingTranscript()", () => {
  const wait = { name: "wait", arguments: { ms: 0 } };

  test.each(["throw", "reject"] as const)("refuses the appends that the test chooses to %s at", async (fault) => {
    const transcript = createRecordingTranscript({ faults: { 2: fault } });
    const events: ToolEvent[] = [];
    const results = await registry.dispatchAll([wait, wait, wait], {
      transcript,
      onEvent: (event) => events.push(event),
    });
    expect(results.map(String)).toEqual(["waited", "waited", "waited"]);
    expect(transcript.attempts).toHaveLength(3);
    expect(transcript.entries).toHaveLength(2);
    expect(events.filter(({ type }) => type === "transcript-error")).toHaveLength(1);
  });

  test("keeps a delayed entry later", async () => {
    const transcript = createRecordingTranscript({ faults: 10 });
    await registry.dispatch(wait, { transcript });
    expect(transcript.entries).toHaveLength(1);
  });

  test("never settles where the test makes it hang, and keeps nothing", async () => {
    const transcript = createRecordingTranscript({ faults: "hang" });
    const [entry] = await recorded();
    const settled = Promise.resolve(transcript.append(entry as TranscriptEntry)).then(() => "settled");
    const later = new Promise((resolve) => setTimeout(resolve, 30, "later"));
    expect(await Promise.race([settled, later])).toBe("later");
    expect(transcript.entries).toHaveLength(0);
  });
});
