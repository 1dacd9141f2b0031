import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool, isToolResult, type ToolCall } from "../index.ts";

/** Stands for {@link hostile}, which fast-check itself could not carry. */
const TRAP = "(trap)";
const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error("trap");
    },
    has() {
      throw new Error("trap");
    },
    ownKeys() {
      throw new Error("trap");
    },
  },
);
/** Returns or throws as the call's arguments say. */
const mirror = defineTool({
  name: "mirror",
  description: "Answers what it is given.",
  parameters: z.looseObject({ how: z.enum(["return", "throw", "reject", "resolve"]).default("return") }),
  execute({ how, ...rest }) {
    const value = rest["value"] === TRAP ? hostile : rest["value"];
    if (how === "throw") throw value;
    if (how === "reject") return Promise.reject(value);
    return how === "resolve" ? Promise.resolve(value) : value;
  },
});
const registry = createToolRegistry().register(mirror);

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
});
const params = fc.oneof(
  fc.record({
    how: fc.constantFrom("return", "throw", "reject", "resolve"),
    value: fc.oneof(anything, fc.constant(TRAP)),
  }),
  fc.string(),
  fc.json(),
  anything,
);
const calls = fc.oneof(
  fc.record({ id: fc.oneof(fc.string(), anything), name: fc.constant("mirror"), arguments: params }),
  fc.record({ name: fc.oneof(fc.string(), anything), input: params }),
  anything,
  fc.constant(TRAP),
);

test("dispatch() answers anything with a result whose text and JSON can be had, and one entry that serialises", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      const transcript = createTranscript();
      // A string would be taken for a name, with the options where the parameters go.
      const sent = (call === TRAP ? hostile : typeof call === "string" ? { name: call } : call) as ToolCall;
      const result = await registry.dispatch(sent, { transcript });
      expect(isToolResult(result)).toBe(true);
      expect(typeof String(result)).toBe("string");
      expect(() => JSON.stringify(result)).not.toThrow();
      expect(transcript.entries).toHaveLength(1);
      expect(JSON.stringify(transcript.entries[0]?.result)).toBe(JSON.stringify(result));
      expect(() => JSON.stringify(transcript)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});
