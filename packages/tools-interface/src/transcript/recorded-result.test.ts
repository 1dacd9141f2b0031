import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  reconcile,
  type ToolEvent,
  type Transcript,
  type TranscriptEntry,
} from "../index.ts";

function counter() {
  const execute = vi.fn(({ by }: { by: number }) => ({ count: by }));
  const tool = defineTool({
    name: "add",
    description: "Adds.",
    parameters: z.object({ by: z.number().default(1) }),
    output: z.object({ count: z.number() }),
    execute,
  });
  return { execute, registry: createToolRegistry().register(tool) };
}
const call = { id: "call_8fK2mQ4xT", name: "add", arguments: '{"by":2}' };

describe("dispatch() of a call that is recorded already", () => {
  test("answers what was recorded, runs nothing and records nothing", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    const first = await registry.dispatch(call, { transcript });
    const events: ToolEvent[] = [];
    const again = { ...call, arguments: { by: 2 } };
    const second = await registry.dispatch({ ...call }, { transcript, onEvent: (event) => events.push(event) });
    expect(second).toEqual(first);
    expect(execute).toHaveBeenCalledTimes(1);
    expect(transcript.entries).toHaveLength(1);
    expect(events).toMatchObject([{ type: "call-replayed", callId: call.id, result: first }]);
    // The same arguments as an object are other bytes than those recorded as text.
    await registry.dispatch(again, { transcript, replay: false });
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test("survives the process: a restored transcript answers with a whole result", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(call, { transcript });
    await registry.dispatch({ id: "c2", name: "add", arguments: { by: "x" } }, { transcript });
    const restored = createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
    const fine = await registry.dispatch(call, { transcript: restored });
    expect(fine).toMatchObject({ success: true, output: '{"count":2}', data: { count: 2 } });
    expect(Object.isFrozen(fine)).toBe(true);
    const bad = await registry.dispatch({ id: "c2", name: "add", arguments: { by: "x" } }, { transcript: restored });
    expect(bad).toMatchObject({ success: false, code: "invalid_params", issues: [{ path: ["by"] }] });
    expect(String(bad)).toContain("Cannot call add");
    expect(execute).toHaveBeenCalledTimes(1);
  });

  test("runs a call that only has the id in common", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(call, { transcript });
    await registry.dispatch({ ...call, arguments: '{"by":3}' }, { transcript });
    await registry.dispatch({ ...call, name: "nope" }, { transcript });
    expect(execute).toHaveBeenCalledTimes(2);
    expect(transcript.entries).toHaveLength(3);
  });

  test("runs it again without an id, without find, and when told to", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    const plain: Transcript = { append: (entry) => transcript.append(entry) };
    await registry.dispatch({ name: "add" }, { transcript });
    await registry.dispatch({ name: "add" }, { transcript });
    await registry.dispatch(call, { transcript: plain });
    await registry.dispatch(call, { transcript: plain });
    await registry.dispatch(call, { transcript, replay: false });
    expect(execute).toHaveBeenCalledTimes(5);
  });

  test("does the same in dispatchAll(), and goes on with the others", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(call, { transcript });
    const calls = [call, { id: "c2", name: "add" }, { id: "c3", name: "add" }];
    const results = await registry.dispatchAll(calls, { transcript });
    expect(results.map(String)).toEqual(['{"count":2}', '{"count":1}', '{"count":1}']);
    expect(transcript.entries.map(({ callId }) => callId)).toEqual([call.id, "c2", "c3"]);
    expect(execute).toHaveBeenCalledTimes(3);
  });

  test("does not start when the transcript cannot be asked", async () => {
    const { execute, registry } = counter();
    const events: ToolEvent[] = [];
    const transcript: Transcript = { append: () => {}, find: () => Promise.reject(new Error("connection lost")) };
    const result = await registry.dispatch(call, { transcript, onEvent: (event) => events.push(event) });
    expect(String(result)).toContain("add was not started: whether this call has run before could not be looked up");
    expect(events.map(({ type }) => type)).toEqual(["transcript-error", "call-start", "call-end"]);
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("dispatch() with numbered ids", () => {
  const numbered = { id: "call_0", name: "add", arguments: { by: 2 } };

  test.each(["call_0", "1", "tool_12", "functions.add:0", "add", "step-3"])(
    "runs a call with the id %s again, which comes with every message",
    async (id) => {
      const { execute, registry } = counter();
      const transcript = createTranscript();
      for (let turn = 0; turn < 3; turn += 1) {
        await registry.dispatchAll([{ ...numbered, id }], { transcript });
        await registry.dispatch({ ...numbered, id }, { transcript });
      }
      expect(execute).toHaveBeenCalledTimes(6);
      expect(transcript.entries).toHaveLength(6);
    },
  );

  test.each(["toolu_01A09q90qw90lq917835lq9", "550e8400-e29b-41d4-a716-446655440000", "call_Xk3b9ZpQ7wLmN2"])(
    "answers a call with the id %s from the record",
    async (id) => {
      const { execute, registry } = counter();
      const transcript = createTranscript();
      for (let turn = 0; turn < 3; turn += 1) await registry.dispatch({ ...numbered, id }, { transcript });
      expect(execute).toHaveBeenCalledTimes(1);
    },
  );

  test("answers once from a restored record, and runs what comes later", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(numbered, { transcript });
    const restored = createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
    await registry.dispatch(numbered, { transcript: restored });
    expect(execute).toHaveBeenCalledTimes(1);
    await registry.dispatch(numbered, { transcript: restored });
    expect(execute).toHaveBeenCalledTimes(2);
  });
});

describe("the record of a call", () => {
  const changing = defineTool({
    name: "pay",
    description: "Pays, and changes what it was given.",
    parameters: { type: "object", properties: { to: { type: "array", items: { type: "string" } } } } as const,
    execute: (params) => {
      (params as { to: string[] }).to.length = 0;
      return "paid";
    },
  });

  test("holds what was sent, although the tool changes it, so that a restored call runs once", async () => {
    const registry = createToolRegistry().register(changing);
    const make = () => ({ id: "toolu_01A09q90qw90", name: "pay", arguments: { to: ["Ada"] } });
    const transcript = createTranscript();
    await registry.dispatch(make(), { transcript });
    expect(transcript.entries[0]?.arguments).toEqual({ to: ["Ada"] });
    const restored = createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
    const events: string[] = [];
    await registry.dispatch(make(), { transcript: restored, onEvent: ({ type }) => events.push(type) });
    expect(events).toEqual(["call-replayed"]);
  });

  test("is found by the same arguments as text and as an object", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(call, { transcript });
    await registry.dispatch({ ...call, arguments: { by: 2 } }, { transcript });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  test("of arguments that JSON cannot hold answers no other call", async () => {
    const { registry } = counter();
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const transcript = createTranscript();
    await registry.dispatch({ ...call, arguments: circle }, { transcript });
    await registry.dispatch({ ...call, arguments: { by: 1n } }, { transcript });
    expect(transcript.entries).toHaveLength(2);
  });
});

describe("reconcile()", () => {
  test("gives every call a result: the recorded one, or a failure that is recorded now", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(call, { transcript });
    const restored = createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
    const open = { id: "c2", name: "add", arguments: '{"by":5}' };
    const results = await reconcile(restored, [open, call]);
    expect(results).toMatchObject([
      { success: false, code: "interrupted", effects: "possible" },
      { success: true, data: { count: 2 } },
    ]);
    expect(restored.entries.map(({ callId }) => callId)).toEqual([call.id, "c2"]);
    // Closed is closed: nothing runs when it is dispatched after all.
    expect(await registry.dispatch(open, { transcript: restored })).toMatchObject({ code: "interrupted" });
    expect(await reconcile(restored, [open, call])).toHaveLength(2);
    expect(restored.entries).toHaveLength(2);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  test("knows executed calls that came without an id, and changes nothing the second time", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    const calls = [
      { name: "add", arguments: { by: 1 } },
      { name: "add", arguments: { by: 1 } },
      { name: "add", arguments: { by: 7 } },
      { id: "call_0", name: "add", arguments: { by: 9 } },
    ];
    await registry.dispatchAll(calls.slice(0, 2), { transcript });
    const restored = createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
    const first = await reconcile(restored, calls);
    expect(first.map((result) => result.success || result.code)).toEqual([true, true, "interrupted", "interrupted"]);
    expect(restored.entries).toHaveLength(4);
    const before = JSON.stringify(restored);
    expect((await reconcile(restored, calls)).map(String)).toEqual(first.map(String));
    const again = createTranscript(JSON.parse(before) as TranscriptEntry[]);
    expect((await reconcile(again, calls)).map(String)).toEqual(first.map(String));
    expect([JSON.stringify(restored), JSON.stringify(again)]).toEqual([before, before]);
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test("does not take the same call of an earlier message for one without an id", async () => {
    const { registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch({ name: "add", arguments: { by: 1 } }, { transcript });
    await registry.dispatch({ name: "add", arguments: { by: 2 } }, { transcript });
    expect(await reconcile(transcript, [{ name: "add", arguments: { by: 1 } }])).toMatchObject([
      { code: "interrupted" },
    ]);
  });

  test.each<unknown>(["text", 1, true, [], {}, { success: true, output: {} }])(
    "answers a call whose record %j is no result",
    async (result) => {
      const { execute, registry } = counter();
      const entry = { callId: call.id, name: "add", arguments: call.arguments, result, startedAt: 1, durationMs: 1 };
      const restored = createTranscript([{ ...entry, sequence: 1 } as TranscriptEntry]);
      expect(await reconcile(restored, [call])).toMatchObject([{ success: false, code: "transcript_unreadable" }]);
      expect(await registry.dispatch(call, { transcript: restored })).toMatchObject({ code: "transcript_unreadable" });
      expect(execute).not.toHaveBeenCalled();
    },
  );

  test("leaves a recorded failure as it is", async () => {
    const transcript = createTranscript();
    await createToolRegistry().dispatch(call, { transcript });
    expect(await reconcile(transcript, [call])).toMatchObject([{ code: "tool_not_found" }]);
    expect(transcript.entries).toHaveLength(1);
  });
});
