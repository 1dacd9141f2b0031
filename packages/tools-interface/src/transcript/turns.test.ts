import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  reconcile,
  type MemoryTranscript,
  type ToolAnnotations,
  type Transcript,
  type TranscriptEntry,
} from "../index.ts";
import { counted, expectLinear } from "../schema/__fixtures__/linear-work.ts";

function counter(annotations: ToolAnnotations = {}) {
  const execute = vi.fn(({ by }: { by: number }) => `ran ${by}`);
  const tool = defineTool({
    name: "add",
    description: "Adds.",
    parameters: z.object({ by: z.number() }),
    annotations,
    execute,
  });
  return { execute, registry: createToolRegistry().register(tool) };
}

const restored = (transcript: MemoryTranscript): MemoryTranscript =>
  createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[]);
const callIn = (turn: string | undefined, by = 1) => ({ id: "call_0", turn, name: "add", arguments: { by } });

describe("dispatch() of a numbered id with its turn", () => {
  test("answers the call of this turn whenever it comes, and runs that of every other", async () => {
    const { execute, registry } = counter();
    let transcript = createTranscript();
    for (const turn of ["m1", "m2", "m1", "m2", "m3"]) {
      await registry.dispatchAll([callIn(turn)], { transcript });
      await registry.dispatch(callIn(turn), { transcript });
    }
    expect(execute).toHaveBeenCalledTimes(3);
    transcript = restored(transcript);
    await registry.dispatch(callIn("m1"), { transcript });
    await registry.dispatch(callIn("m3"), { transcript });
    expect(execute).toHaveBeenCalledTimes(3);
    // The first call after a restore, with the same id and arguments as the last one before it.
    await registry.dispatch(callIn("m4"), { transcript });
    expect(execute).toHaveBeenCalledTimes(4);
    expect(transcript.entries.map(({ turn }) => turn)).toEqual(["m1", "m2", "m3", "m4"]);
  });

  test("runs the call of this turn that has other arguments", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(callIn("m1", 1), { transcript });
    await registry.dispatch(callIn("m1", 2), { transcript });
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test("tells even random ids apart", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    const call = { ...callIn("m1"), id: "toolu_01A09q90qw90" };
    await registry.dispatch(call, { transcript });
    await registry.dispatch({ ...call, turn: "m2" }, { transcript });
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test("asks a transcript that does not know turns, and compares by itself", async () => {
    const { execute, registry } = counter();
    const memory = createTranscript();
    const transcript: Transcript = { append: (entry) => memory.append(entry), find: (id) => memory.find(id) };
    for (const turn of ["m1", "m1", "m2", "m2"]) await registry.dispatch(callIn(turn), { transcript });
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test.each([null, Promise.resolve(null), Promise.resolve(undefined)])(
    "runs what a database does not have, which answers %o",
    async (answer) => {
      const { execute, registry } = counter();
      const transcript: Transcript = { append: () => {}, find: () => answer as never };
      expect(await registry.dispatch(callIn("m1"), { transcript })).toMatchObject({ success: true });
      expect(execute).toHaveBeenCalledTimes(1);
    },
  );

  test.each([{}, { success: "yes" }, null, 7])("does not start where the record is damaged: %j", async (result) => {
    const { execute, registry } = counter();
    const entry = { ...callIn("m1"), callId: "call_0", result };
    const transcript: Transcript = { append: () => {}, find: () => entry as never };
    expect(await registry.dispatch(callIn("m1"), { transcript })).toMatchObject({ code: "transcript_unreadable" });
    expect(execute).not.toHaveBeenCalled();
  });

  test("does not take an unusable turn for one", async () => {
    const { execute, registry } = counter();
    const transcript = createTranscript();
    for (const turn of [7, "", null, {}]) await registry.dispatch(callIn(turn as never), { transcript });
    expect(execute).toHaveBeenCalledTimes(4);
    expect(transcript.entries.every((entry) => !("turn" in entry))).toBe(true);
  });
});

describe("dispatch() of a numbered id without its turn", () => {
  test("runs a tool that only reads again after a restore: an old answer would be worse", async () => {
    const { execute, registry } = counter({ readOnly: true });
    const transcript = createTranscript();
    await registry.dispatch(callIn(undefined), { transcript });
    await registry.dispatch(callIn(undefined), { transcript: restored(transcript) });
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test.each([
    ["recorded with one", "m1", undefined],
    ["recorded without one", undefined, "m2"],
  ])("answers the first after a restore when it was %s, and no later one", async (_, before, after) => {
    const { execute, registry } = counter();
    const first = createTranscript();
    await registry.dispatch(callIn(before), { transcript: first });
    const transcript = restored(first);
    await registry.dispatch(callIn(after), { transcript });
    expect(execute).toHaveBeenCalledTimes(1);
    await registry.dispatch(callIn(undefined), { transcript });
    expect(execute).toHaveBeenCalledTimes(2);
  });
});

describe("reconcile() with numbered ids", () => {
  test("closes the call of this turn, not that of an earlier one with the same arguments", async () => {
    const { registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch(callIn("m1"), { transcript });
    expect(await reconcile(transcript, [callIn("m2")])).toMatchObject([{ code: "interrupted" }]);
    expect(await reconcile(transcript, [callIn("m2")])).toMatchObject([{ code: "interrupted" }]);
    expect(await reconcile(transcript, [callIn("m1")])).toMatchObject([{ success: true }]);
    expect(transcript.entries.map(({ turn }) => turn)).toEqual(["m1", "m2"]);
    // Closed is closed: it does not run when it is dispatched after all.
    expect(await registry.dispatch(callIn("m2"), { transcript })).toMatchObject({ code: "interrupted" });
  });

  test("looks for a call without a turn among the last entries alone, and changes nothing the second time", async () => {
    const { registry } = counter();
    const transcript = createTranscript();
    await registry.dispatch({ ...callIn(undefined), id: "call_1" }, { transcript });
    await registry.dispatch(callIn(undefined, 5), { transcript });
    const calls = [callIn(undefined, 5), { ...callIn(undefined), id: "call_2" }];
    const before = await reconcile(transcript, [{ ...callIn(undefined), id: "call_1" }]);
    expect(before).toMatchObject([{ code: "interrupted" }]);
    const first = await reconcile(transcript, calls);
    expect(first).toMatchObject([{ success: true }, { code: "interrupted" }]);
    const { length } = transcript.entries;
    expect((await reconcile(transcript, calls)).map(String)).toEqual(first.map(String));
    expect((await reconcile(restored(transcript), calls)).map(String)).toEqual(first.map(String));
    expect(transcript.entries).toHaveLength(length);
  });

  test("closes holes, rubbish and arguments that JSON cannot hold, and changes nothing the second time", async () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    // oxlint-disable-next-line no-sparse-arrays -- a message may be anything
    const calls = [, null, 7, callIn(undefined, circle as never), { name: "add", arguments: circle }] as never;
    const transcript = createTranscript();
    const first = await reconcile(transcript, calls);
    expect(first).toMatchObject(Array.from({ length: 5 }, () => ({ code: "interrupted" })));
    const before = JSON.stringify(transcript);
    expect((await reconcile(transcript, calls)).map(String)).toEqual(first.map(String));
    expect(JSON.stringify(transcript)).toBe(before);
  });

  test("changes nothing the second time when nothing ran at all", async () => {
    const transcript = createTranscript();
    await reconcile(transcript, [callIn(undefined, 1)]);
    const calls = [callIn(undefined, 1), callIn(undefined, 2), { name: "add", arguments: {} }];
    await reconcile(transcript, calls);
    const before = JSON.stringify(transcript);
    expect(await reconcile(transcript, calls)).toMatchObject(calls.map(() => ({ code: "interrupted" })));
    expect(JSON.stringify(transcript)).toBe(before);
  });
});

test.each([
  ["without ids", undefined],
  ["with numbered ids", (at: number) => `call_${at}`],
])("reconcile() looks at each entry a few times: calls %s", async (_, id) => {
  await expectLinear(async (size) => {
    const entries = Array.from({ length: size }, (_entry, at) => ({
      callId: id?.(at) ?? `call_a_${at}`,
      name: "add",
      arguments: { by: at },
      result: { success: true, output: "ran", metadata: {} },
      startedAt: 0,
      durationMs: 0,
      sequence: at,
    }));
    const all = counted(entries);
    const transcript = { entries: all.value, append: () => {}, find: () => undefined };
    const calls = entries.map((_entry, at) => ({ id: id?.(at), name: "add", arguments: { by: -at } }));
    const results = await reconcile(transcript, calls);
    expect(results.filter((result) => !result.success)).toHaveLength(size - 1);
    return all.looks();
  });
});
