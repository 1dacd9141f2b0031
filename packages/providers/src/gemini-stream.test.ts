import { defineTool, createToolRegistry } from "@dispatch/tools-interface";
import { parseJson } from "@dispatch/tools-interface/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { collectGeminiStream, fromGeminiResponse, toGeminiTools } from "./gemini.ts";

type Parts = readonly object[];

function chunk(parts: Parts, finishReason?: string): object {
  return { candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }] };
}

async function* stream(chunks: readonly object[]): AsyncGenerator<object> {
  yield* chunks;
}

const paid: unknown[] = [];
const registry = createToolRegistry().register(
  defineTool({
    name: "pay.out",
    description: "Pays.",
    parameters: z.looseObject({}),
    execute: (params) => {
      paid.push(params);
      return "paid";
    },
  }),
);
const wire = toGeminiTools(registry);

/** The leaves of a value as the API streams them: by path, texts in pieces. */
function leaves(value: unknown, path: string, size: number): object[] {
  if (typeof value === "string") {
    const pieces = value.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [""];
    const piece = (stringValue: string) => ({ jsonPath: path, stringValue, willContinue: true });
    return [...pieces.map(piece), { jsonPath: path, stringValue: "", willContinue: false }];
  }
  if (typeof value === "number") return [{ jsonPath: path, numberValue: value }];
  if (typeof value === "boolean") return [{ jsonPath: path, boolValue: value }];
  if (value === null) return [{ jsonPath: path, nullValue: "NULL_VALUE" }];
  if (Array.isArray(value)) {
    return value.length === 0
      ? [{ jsonPath: `${path}[]` }]
      : value.flatMap((item, index) => leaves(item, `${path}[${index}]`, size));
  }
  const entries = Object.entries(value as object);
  if (entries.length === 0) return path === "$" ? [] : [{ jsonPath: path }];
  return entries.flatMap(([key, inner]) =>
    leaves(inner, /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`, size),
  );
}

/** A call as Vertex AI streams it: its name, its arguments leaf by leaf, an empty piece. */
function streamedCall(args: object, size = 3): object[] {
  return [
    { functionCall: { id: "c", name: "pay_out", willContinue: true }, thoughtSignature: "c2ln" },
    ...leaves(args, "$", size).map((leaf) => ({ functionCall: { partialArgs: [leaf], willContinue: true } })),
    { functionCall: {} },
  ];
}

/** JSON as it is read from a model. */
const json = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
  .map((one) => parseJson(JSON.stringify(one)) as object);

describe("collectGeminiStream()", () => {
  it("puts texts, thoughts and signatures together, and keeps what the last chunks say", async () => {
    const shown: unknown[] = [];
    const answer = await collectGeminiStream(
      stream([
        { responseId: "r", ...chunk([{ text: "I ", thought: true }]) },
        chunk([{ text: "think", thought: true }, { text: "Hel" }]),
        chunk([{ text: "lo" }, { text: "signed", thoughtSignature: "c2ln" }, { text: "!" }]),
        { usageMetadata: { totalTokenCount: 5 }, ...chunk([{ text: "" }], "STOP") },
      ]),
      (one) => shown.push(one),
    );
    expect(shown).toHaveLength(4);
    expect(answer).toEqual({
      responseId: "r",
      usageMetadata: { totalTokenCount: 5 },
      candidates: [
        {
          index: 0,
          finishReason: "STOP",
          content: {
            role: "model",
            parts: [
              { text: "I think", thought: true },
              { text: "Hello" },
              { text: "signed", thoughtSignature: "c2ln" },
              { text: "!" },
            ],
          },
        },
      ],
    });
    const blocked = { promptFeedback: { blockReason: "SAFETY" } };
    expect(await collectGeminiStream(stream([blocked]))).toEqual({ ...blocked, candidates: [] });
  });

  it("puts any arguments together that come by path", async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.integer({ min: 1, max: 9 }), async (args, size) => {
        const chunks = [...streamedCall(args, size).map((part) => chunk([part])), chunk([{ text: "" }], "STOP")];
        const answer = await collectGeminiStream(stream(chunks));
        const [call] = fromGeminiResponse(answer, wire);
        expect(call).toEqual({ id: "c", name: "pay.out", arguments: args });
        expect(answer.candidates[0]).toHaveProperty("content.parts", [
          { functionCall: { id: "c", name: "pay_out", args }, thoughtSignature: "c2ln" },
        ]);
      }),
    );
  });

  it("executes no call that a stream leaves open, wherever it ends", async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.nat(), fc.constantFrom(undefined, "MAX_TOKENS", "SAFETY"), async (args, at, reason) => {
        const whole = { functionCall: { id: "a", name: "pay_out", args: { whole: true } } };
        const pieces = streamedCall(args);
        const sent = [whole, ...pieces.slice(0, 1 + (at % (pieces.length - 1)))];
        const chunks = [...sent.map((part) => chunk([part])), ...(reason ? [chunk([{ text: "" }], reason)] : [])];
        for (const answers of [[await collectGeminiStream(stream(chunks))], chunks]) {
          paid.length = 0;
          const calls = answers.flatMap((answer) => fromGeminiResponse(answer, wire));
          await registry.dispatchAll(calls);
          expect(paid.filter((one) => !("whole" in (one as object)))).toEqual([]);
        }
      }),
    );
  });

  it.each([
    ["a container that is complete", ["$.a.x", "$.b", "$.a.y"]],
    ["the same place twice", ["$.a", "$.a"]],
    ["a place beyond the end of an array", ["$.a[0]", "$.a[4000000000]"]],
    ["a place that is no item", ["$.a[1]"]],
    ["a field of an array", ["$.a[0]", "$.a.b"]],
    ["no path", ["a"]],
    ["the arguments themselves", ["$"]],
    ["a wildcard", ["$.a[*]"]],
    ["a path without an end", [`$${".a".repeat(10_000)}`]],
  ])("executes no call with %s", async (_what, paths) => {
    const partialArgs = paths.map((jsonPath) => ({ jsonPath, numberValue: 1 }));
    const chunks = [
      chunk([{ functionCall: { name: "pay_out", willContinue: true } }]),
      chunk([{ functionCall: { partialArgs, willContinue: true } }, { functionCall: {} }], "STOP"),
    ];
    const calls = fromGeminiResponse(await collectGeminiStream(stream(chunks)), wire);
    expect(await registry.dispatchAll(calls)).toMatchObject([{ code: "cut_off" }]);
  });

  it("takes calls that come whole between the pieces of others", async () => {
    const whole = { functionCall: { name: "pay_out", args: { n: 1 } } };
    const chunks = [chunk([whole]), ...streamedCall({ n: 2 }).map((part) => chunk([part])), chunk([whole], "STOP")];
    const calls = fromGeminiResponse(await collectGeminiStream(stream(chunks)), wire);
    expect(calls.map(({ arguments: args, cutOff }) => [args, cutOff])).toEqual([
      [{ n: 1 }, undefined],
      [{ n: 2 }, undefined],
      [{ n: 1 }, undefined],
    ]);
  });

  it("rejects where the stream does", async () => {
    const broken = async function* () {
      yield chunk([{ functionCall: { name: "pay_out", args: {} } }]);
      throw new Error("connection lost");
    };
    await expect(collectGeminiStream(broken())).rejects.toThrow("connection lost");
  });
});
