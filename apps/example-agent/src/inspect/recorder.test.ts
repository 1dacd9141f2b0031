import {
  createToolRegistry,
  createTranscript,
  failure,
  success,
  type TranscriptEntry,
} from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import type { Message } from "../agent/conversation.ts";
import { createSession } from "../agent/session.ts";
import type { CallEntry } from "./entry.ts";
import { createFeed } from "./feed.ts";
import { recordedModel } from "./recorded-model.ts";
import { recordConversation, recordedSession } from "./recorded-session.ts";
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

  test("counts the time in which a call and its caller waited for the person, questions at once together", async () => {
    const { feed, recorder } = recording();
    recorder.event({ type: "call-start", ...of("1"), name: "execute_code", arguments: {} }, "agent");
    recorder.event({ type: "call-start", ...of("2", "1"), arguments: {} }, "agent");
    recorder.event({ type: "call-start", ...of("3", "1"), arguments: {} }, "agent");
    const ids = ["1", "2", "3"].map((callId) => recorder.entryOf(callId) ?? "");
    const before = performance.now();
    const answered = [recorder.waits("2"), recorder.waits("2"), recorder.waits("9")];
    const began = performance.now();
    await expect.poll(() => performance.now() - began).toBeGreaterThan(20);
    for (const end of answered) end();
    const most = performance.now() - before;
    for (const callId of ["3", "2", "1"]) {
      recorder.event({ type: "call-end", ...of(callId), result: success("x"), durationMs: 99_999 }, "agent");
    }
    const [caller, asked, other] = ids.map((id) => feed.get(id) as CallEntry);
    expect(asked?.waitedMs).toBeGreaterThan(20);
    expect(asked?.waitedMs).toBeLessThanOrEqual(most);
    expect(caller?.waitedMs).toBeCloseTo(asked?.waitedMs ?? 0, 0);
    expect(other).not.toHaveProperty("waitedMs");
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

describe("recordConversation()", () => {
  test("tells each call once, also when records name each other as parents", () => {
    const { feed, recorder } = recording();
    const entry = (callId: string, parentCallId: string): TranscriptEntry => {
      const result = { success: true, output: "4", metadata: {} };
      return { callId, parentCallId, name: "x", arguments: {}, result, startedAt: 5, durationMs: 1, sequence: 1 };
    };
    const chain = Array.from({ length: 20_000 }, (_, at) => entry(`c${at + 1}`, `c${at}`));
    const transcript = createTranscript([entry("a", "b"), entry("b", "a"), entry("c0", "c0"), ...chain]);
    const calls = ["a", "b", "c0", "c0"].map((id) => ({ id, name: "x", arguments: "{}" }));
    recordConversation({ messages: [{ role: "assistant", text: "", calls }], transcript }, recorder);
    expect(feed.since(0).length + feed.leftOut).toBe(1 + 3 + chain.length);
  });
});

describe("recordedModel()", () => {
  test("keeps what each turn was sent, its time and tokens, and that one failed", async () => {
    const { feed, recorder } = recording();
    const usage = { input: 3, cached: 1, output: 2 };
    const answers = [{ text: "Yes", calls: [], usage }];
    const model = recordedModel(
      {
        name: "m",
        real: false,
        respond: () => Promise.resolve(answers.pop() ?? Promise.reject(new Error("gone"))),
      },
      recorder,
    );
    const conversation: Message[] = [
      { role: "user", text: "x".repeat(9_000) },
      { role: "assistant", text: "I look", calls: [{ name: "read_file", arguments: { path: "a" } }] },
      { role: "tool", results: [success("one"), success("two")] },
    ];
    const { signal } = new AbortController();
    const rest = { registry: createToolRegistry(), takenIds: new Set<string>(), signal, onText() {}, onNotice() {} };
    await model.respond({ instructions: "Be kind", conversation, ...rest });
    conversation.push({ role: "user", text: "later" });
    await expect(model.respond({ instructions: "Be kind", conversation, ...rest })).rejects.toThrow("gone");
    const [first, second] = feed.since(0);
    expect(first).toMatchObject({ kind: "turn", number: 1, state: "done", usage, messages: 3 });
    expect(second).toMatchObject({ kind: "turn", number: 2, state: "failed", messages: 4 });
    const sent = recorder.turns.sent(first?.id ?? "");
    expect(sent?.instructions).toBe("Be kind");
    expect(sent?.messages.map(({ role, chars }) => [role, chars])).toEqual([
      ["user", 9_000],
      ["assistant", 'I look\nread_file {"path":"a"}'.length],
      ["tool", "one\n\ntwo".length],
    ]);
    expect(sent?.messages[0]?.text.length).toBeLessThan(9_000);
    expect(recorder.turns.sent("e99")).toBeUndefined();
  });
});
