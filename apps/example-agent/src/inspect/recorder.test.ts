import { createTranscript, failure, success, type TranscriptEntry } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { createSession } from "../agent/session.ts";
import { createFeed } from "./feed.ts";
import { recordedSession } from "./recorded-session.ts";
import { createRecorder } from "./recorder.ts";

function recording() {
  const feed = createFeed();
  return { feed, recorder: createRecorder(feed) };
}
const of = (callId: string, parentCallId?: string) => ({ callId, parentCallId, name: "read_file" });

describe("createRecorder()", () => {
  test("follows a call, and knows whose program made it", () => {
    const { feed, recorder } = recording();
    recorder.event({ type: "call-start", ...of("1"), name: "execute_code", arguments: '{"code":"x"}' }, "agent");
    recorder.event({ type: "call-start", ...of("2", "1"), arguments: { path: "a\u001B" } }, "agent");
    recorder.event({ type: "call-progress", ...of("2"), update: { message: "half", done: 1, total: 2 } }, "agent");
    const id = recorder.entryOf("2") ?? "";
    expect(feed.get(id)).toMatchObject({ state: "running", progress: "half 1/2", parent: recorder.entryOf("1") });
    expect(recorder.callerOf("2")).toBe("execute_code");
    const result = failure("Cannot: gone", { code: "not_found" });
    recorder.event({ type: "call-end", ...of("2"), result, durationMs: 3 }, "agent");
    expect(feed.get(id)).toMatchObject({ state: "failed", code: "not_found", outcome: "Cannot: gone", durationMs: 3 });
    expect(recorder.entryOf("2")).toBeUndefined();
  });

  test("sends the beginning of what is long and keeps the whole as long as the entry", () => {
    const { feed, recorder } = recording();
    const text = "x".repeat(100_000);
    recorder.event({ type: "call-start", ...of("1"), arguments: { text } }, "you");
    const id = recorder.entryOf("1") ?? "";
    recorder.event({ type: "call-end", ...of("1"), result: success(text), durationMs: 1 }, "you");
    expect(JSON.stringify(feed.get(id)).length).toBeLessThan(10_000);
    expect(feed.get(id)).toMatchObject({ by: "you", result: { chars: 100_000 } });
    expect(recorder.whole(id)?.result).toBe(text);
    expect(recorder.whole("e99")).toBeUndefined();
  });

  test("takes the whole answer for what came of it in pieces", () => {
    const { feed, recorder } = recording();
    for (const piece of ["I lo", "", "ok"]) recorder.text(piece);
    recorder.turnEnds("I looked.");
    recorder.turnEnds("And again.");
    expect(feed.since(0)).toMatchObject([{ text: "I looked." }, { text: "And again." }]);
  });

  test("says what no call shows: late ends, answers from the record, and what is not recorded", () => {
    const { feed, recorder } = recording();
    recorder.event({ type: "call-late", ...of("1"), result: success("") }, "agent");
    recorder.event({ type: "call-replayed", ...of("1"), result: success("") }, "agent");
    recorder.event({ type: "transcript-error", ...of("1"), error: new Error("full") }, "agent");
    expect(feed.since(0).map((entry) => entry.kind === "said" && entry.by)).toEqual(["notice", "notice", "notice"]);
  });
});

describe("recordedSession()", () => {
  test("tells at once what was said and called before, calls of programs under their program", () => {
    const { feed, recorder } = recording();
    const entry = (callId: string, sequence: number, rest: Partial<TranscriptEntry>): TranscriptEntry => {
      const result = { success: true, output: "4", metadata: {} };
      return { callId, name: "read_file", arguments: {}, result, startedAt: 5, durationMs: 1, sequence, ...rest };
    };
    const entries = [entry("1", 1, { name: "execute_code" }), entry("1.1", 2, { parentCallId: "1" })];
    const transcript = createTranscript(entries);
    const session = recordedSession(
      {
        ...createSession(),
        transcript,
        messages: [
          { role: "user", text: "Do it" },
          { role: "assistant", text: "Yes.", calls: [{ id: "1", name: "execute_code", arguments: "{}" }] },
        ],
      },
      recorder,
    );
    session.add({ role: "user", text: "Thanks" });
    const [task, first, said, program, nested, thanks] = feed.since(0);
    expect(first).toMatchObject({ kind: "turn", number: 1, state: "done", at: 5 });
    expect([task, said, thanks]).toMatchObject([{ by: "person" }, { by: "agent" }, { text: "Thanks" }]);
    expect(program).toMatchObject({ kind: "call", state: "done", at: 5, turn: first?.id });
    expect(nested).toMatchObject({ parent: program?.id, result: { text: "4" } });
  });
});
