import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool, success, type ToolEvent } from "../index.ts";

class Vault {
  readonly #kept = 1;
  open(): number {
    return this.#kept;
  }
}

const answering = (execute: () => unknown) =>
  defineTool({ name: "answer", description: "Answers.", parameters: z.object({}), execute });

describe("the result of a tool", () => {
  test.each([
    ["Response", () => new Response("x")],
    ["Headers", () => new Headers()],
    ["ReadableStream", () => new Blob(["x"]).stream()],
    ["Map Iterator", () => new Map().keys()],
    ["Promise", () => ({ later: Promise.resolve() })],
    ["Uint8Array", () => ({ bytes: Buffer.from("x") })],
    ["Vault", () => new Vault()],
  ])("names the type %s, which JSON cannot hold, and what is allowed", async (type, make) => {
    expect(await answering(make).call({})).toMatchObject({
      code: "invalid_output",
      error: `answer ran, but its result cannot be passed on: JSON cannot hold a value of type ${type}: use text, a number, an array or an object of fields`,
    });
  });

  test("names the part of its content that is none", async () => {
    const content = [{ type: "text", text: undefined }] as never;
    const result = await answering(async () => success("x", { content })).call({});
    expect(String(result)).toContain("its content[0].text is of type undefined, allowed is a string");
  });

  test("has a frozen copy of the data, read once", async () => {
    let reads = 0;
    const shared = {
      get count() {
        return (reads += 1);
      },
      list: [1],
    };
    const result = await answering(() => shared).call({});
    shared.list.push(2);
    expect(result).toMatchObject({ output: '{"count":1,"list":[1]}', data: { count: 1, list: [1] } });
    expect(Object.isFrozen((result as unknown as { data: { list: unknown } }).data.list)).toBe(true);
  });

  test("is the last value of a generator, and each value before is progress", async () => {
    const tool = defineTool({
      name: "count",
      description: "Counts.",
      parameters: z.object({}),
      output: z.object({ count: z.number() }),
      async *execute() {
        yield "begun";
        yield { message: "half", done: 1, total: 2 };
        yield { count: 2 };
      },
    });
    const events: ToolEvent[] = [];
    const registry = createToolRegistry().register(tool);
    const result = await registry.dispatch("count", {}, { onEvent: (event) => events.push(event) });
    expect(result).toMatchObject({ success: true, data: { count: 2 } });
    const updates = events.flatMap((event) => (event.type === "call-progress" ? [event.update] : []));
    expect(updates).toEqual([{ message: "begun" }, { message: "half", done: 1, total: 2 }, { message: '{"count":2}' }]);
  });

  test("ends a generator whose call is over, so that it cleans up", async () => {
    let isClean = false;
    const tool = defineTool({
      name: "count",
      description: "Counts.",
      parameters: z.object({}),
      timeoutMs: 20,
      async *execute() {
        try {
          for (;;) {
            yield "more";
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        } finally {
          isClean = true;
        }
      },
    });
    expect(await tool.call({})).toMatchObject({ code: "timeout" });
    await expect.poll(() => isClean).toBe(true);
  });

  test("is what toJSON answers, or nothing where that is nothing", async () => {
    expect(await answering(() => ({ toJSON: () => undefined })).call({})).toMatchObject({
      success: true,
      data: undefined,
    });
    const result = await answering(() => ({ at: new Date(Number.NaN) })).call({});
    expect(result).toMatchObject({ code: "invalid_output" });
    expect(String(result)).toContain("JSON cannot hold an invalid date: use null or text");
  });

  test("is refused as a generator that is not async, which could not be interrupted", async () => {
    const result = await answering(function* () {
      yield "half";
    }).call({});
    expect(result).toMatchObject({ code: "invalid_output" });
    expect(String(result)).toContain(
      "type Generator: make the function async to report its values as progress, or answer an array of them",
    );
  });

  test("stays as it was in the transcript when the tool makes its data circular later", async () => {
    const data: Record<string, unknown> = { kept: 1 };
    const transcript = createTranscript();
    await createToolRegistry()
      .register(answering(() => data))
      .dispatch("answer", {}, { transcript });
    data["self"] = data;
    expect(transcript.entries[0]?.result).toMatchObject({ data: { kept: 1 } });
  });
});
