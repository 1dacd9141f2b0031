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
const call = { id: "c1", name: "add", arguments: '{"by":2}' };

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
    expect(events).toMatchObject([{ type: "call-replayed", callId: "c1", result: first }]);
    // The same arguments as an object are other bytes than what was recorded as text.
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
    expect(transcript.entries.map(({ callId }) => callId)).toEqual(["c1", "c2", "c3"]);
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
    expect(restored.entries.map(({ callId }) => callId)).toEqual(["c1", "c2"]);
    // Closed is closed: nothing runs when it is dispatched after all.
    expect(await registry.dispatch(open, { transcript: restored })).toMatchObject({ code: "interrupted" });
    expect(await reconcile(restored, [open, call])).toHaveLength(2);
    expect(restored.entries).toHaveLength(2);
    expect(execute).toHaveBeenCalledTimes(1);
  });
});
