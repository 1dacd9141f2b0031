import { Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batchedWrite } from "./batched-write.ts";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A stream like a pipe, with the text of each system call. */
function pipe() {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => chunk).join(""));
      done();
    },
  });
  return { stream, writes };
}

describe("batchedWrite()", () => {
  test("writes the lines of one tick together, and calls back for each when it has left", async () => {
    const { stream, writes } = pipe();
    const left: string[] = [];
    batchedWrite(stream, "a", () => left.push("a"));
    batchedWrite(stream, "b", () => left.push("b"));
    expect([writes, left]).toEqual([[], []]);
    await tick();
    batchedWrite(stream, "c", () => left.push("c"));
    await tick();
    expect([writes, left]).toEqual([
      ["a\nb\n", "c\n"],
      ["a", "b", "c"],
    ]);
  });

  test("does not wait when there is much to write", () => {
    const { stream, writes } = pipe();
    batchedWrite(stream, "a", () => undefined);
    batchedWrite(stream, "x".repeat(100_000), () => undefined);
    expect(writes.map((text) => text.length)).toEqual([100_003]);
  });

  test("calls back when the stream is destroyed", async () => {
    const { stream } = pipe();
    stream.destroy();
    stream.on("error", () => undefined);
    const left: string[] = [];
    batchedWrite(stream, "a", () => left.push("a"));
    await tick();
    expect(left).toEqual(["a"]);
  });

  test("writes every line once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(70_000), fc.boolean()), { maxLength: 30 }), async (messages) => {
        const { stream, writes } = pipe();
        const left: number[] = [];
        for (const [at, [size, pauses]] of messages.entries()) {
          batchedWrite(stream, `${at}:`.padEnd(size, "x"), () => left.push(at));
          if (pauses) await tick();
        }
        await tick();
        const lines = writes.join("").split("\n").slice(0, -1);
        expect(lines.map((line) => Number.parseInt(line, 10))).toEqual([...messages.keys()]);
        expect(left).toEqual([...messages.keys()]);
      }),
      { numRuns: 50 },
    );
  });
});
