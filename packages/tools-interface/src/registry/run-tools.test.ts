import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createToolRegistry, createTranscript, defineTool, failure, runTools, success } from "../index.ts";
import type { ModelTurn, ToolLoop, ToolResult } from "../index.ts";

const parameters = { type: "object", properties: {} } as const;
const ran: string[] = [];
const registry = createToolRegistry().register([
  defineTool({ name: "note", description: "Notes.", parameters, execute: (_, { callId }) => `${ran.push(callId)}` }),
  defineTool({
    name: "hand_over",
    description: "Ends the loop.",
    parameters,
    execute: () => success("handed over", { metadata: { stopLoop: true } }),
  }),
  defineTool({
    name: "give_up",
    description: "Ends the loop.",
    parameters,
    execute: () => failure("no", { metadata: { stopLoop: true } }),
  }),
]);

type Added = readonly [turn: ModelTurn, results: readonly ToolResult[]];

/** A model that gives these answers, one after the other, and then says that it is done. */
function answering(...answers: readonly ModelTurn[]) {
  const added: Added[] = [];
  let asked = 0;
  const loop = {
    ask: () => answers[(asked += 1) - 1] ?? { calls: [] },
    read: (turn: ModelTurn) => turn,
    add: (turn, _calls, results) => added.push([turn, results]),
  } satisfies ToolLoop<ModelTurn>;
  return { loop, added };
}

function calling(name: string, turn: Omit<ModelTurn, "calls"> = {}, cutOff?: string): ModelTurn {
  return { calls: [{ name, arguments: {}, ...(cutOff !== undefined && { cutOff }) }], ...turn };
}

describe("runTools()", () => {
  test("runs calls and adds their results until the model asks for none", async () => {
    const { loop, added } = answering(calling("note", { tokens: 3 }), calling("nope", { tokens: 4 }));
    const transcript = createTranscript();
    const run = await runTools(registry, { ...loop, transcript });
    expect(run).toMatchObject({ end: "done", turns: 3, tokens: 7, results: [] });
    expect(added.map(([, results]) => results.map(({ success: ok }) => ok))).toEqual([[true], [false], []]);
    expect(transcript.entries).toHaveLength(2);
  });

  test.each([
    ["stop_loop", {}, calling("hand_over")],
    ["stop_loop", {}, calling("give_up")],
    ["max_turns", { maxTurns: 2 }, calling("note")],
    ["max_turns", { maxTurns: 0 }, calling("note")],
    ["max_tokens", { maxTokens: 10 }, calling("note", { tokens: 10 })],
    ["max_tokens", { maxTokens: 0 }, calling("note")],
    ["cut_off", {}, calling("note", { end: "length", reason: "max_tokens" }, "max_tokens")],
    ["cut_off", { maxCutOffs: 5 }, { calls: [], end: "length" }],
    ["stopped", { maxCutOffs: 5 }, calling("note", { end: "stopped", reason: "refusal" })],
    ["stopped", {}, { calls: [], end: "stopped", reason: "refusal" }],
  ] as const)("ends as %s with %o", async (end, options, answer) => {
    const { loop } = answering(answer, answer, answer);
    const run = await runTools(registry, { ...loop, ...options });
    expect(run).toMatchObject({ end, reason: (answer as ModelTurn).reason });
  });

  test("runs the complete calls of an answer that was cut off, and answers the cut one", async () => {
    const turn: ModelTurn = {
      calls: [
        { id: "whole", name: "note", arguments: {} },
        { id: "cut", name: "note", arguments: {}, cutOff: "length" },
      ],
      end: "length",
    };
    const { loop, added } = answering(turn);
    const { end } = await runTools(registry, loop);
    expect([end, ran.includes("whole"), ran.includes("cut")]).toEqual(["cut_off", true, false]);
    expect(added[0]?.[1].map((result) => (result.success ? "ok" : result.code))).toEqual(["ok", "cut_off"]);
  });

  test("goes on after as many cut calls in a row as are allowed, and after a pause", async () => {
    const cut = calling("note", { end: "length" }, "length");
    const { loop } = answering(cut, cut, calling("note"), { calls: [], end: "paused" }, cut, cut);
    expect(await runTools(registry, { ...loop, maxCutOffs: 2 })).toMatchObject({ end: "done", turns: 7 });
    const { loop: endless } = answering(cut, cut, cut, cut);
    expect(await runTools(registry, { ...endless, maxCutOffs: 2 })).toMatchObject({ end: "cut_off", turns: 3 });
  });

  test("is cancelled before, during and after a request, with a result for every call", async () => {
    const abort = new AbortController();
    const { loop, added } = answering(calling("note"));
    const ask = (): ModelTurn => {
      abort.abort();
      return calling("note");
    };
    expect(await runTools(registry, { ...loop, ask, signal: abort.signal })).toMatchObject({
      end: "cancelled",
      turns: 1,
    });
    expect(added[0]?.[1]).toMatchObject([{ code: "cancelled" }]);
    expect(await runTools(registry, { ...loop, signal: abort.signal })).toMatchObject({ end: "cancelled", turns: 0 });
    const second = new AbortController();
    const rejects = (): Promise<never> => {
      second.abort();
      return Promise.reject(new Error("aborted by the SDK"));
    };
    expect(await runTools(registry, { ...loop, ask: rejects, signal: second.signal })).toMatchObject({
      end: "cancelled",
    });
  });

  test("shows each answer before its calls run, and waits for what is done with it", async () => {
    const { loop } = answering(calling("look"));
    const seen: string[] = [];
    const look = defineTool({ name: "look", description: "Looks.", parameters, execute: () => `${seen.push("call")}` });
    const onAnswer = async (): Promise<void> => {
      await setImmediate();
      seen.push("answer");
    };
    await runTools(createToolRegistry().register(look), { ...loop, onAnswer });
    expect(seen).toEqual(["answer", "call", "answer"]);
  });

  test.each(["maxTurns", "maxTokens", "maxCutOffs"])("refuses a limit that limits nothing: %s", async (limit) => {
    for (const value of [Number.NaN, "5", null, -1, 5n]) {
      const { loop, added } = answering(calling("note"));
      await expect(runTools(registry, { ...loop, [limit]: value })).rejects.toThrow(`${limit} is `);
      expect(added).toEqual([]);
    }
  });

  test("passes on what the provider throws", async () => {
    const { loop } = answering();
    const ask = (): never => {
      throw new TypeError("401");
    };
    await expect(runTools(registry, { ...loop, ask })).rejects.toThrow("401");
  });
});
